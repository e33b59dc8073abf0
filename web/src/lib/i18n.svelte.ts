/** A typed dictionary with real plural rules.  A language is there if its folder in i18n/ is, with a file an area.
 *  t('table.play', { card: 43 }); a plural takes its form from the argument `n`.
 *  A language is fetched when it is spoken first; the page is shown once it is there.  What it lacks is said in
 *  English, which is fetched only then. */
import type { Areas, Entry } from '../i18n/shape';

export type Language = string;
export type Key = { [A in keyof Areas]: `${A & string}.${keyof Areas[A] & string}` }[keyof Areas];
export type Words = Record<string, string | number>;

type Dictionary = Record<string, Record<string, Entry>>;
export const ENGLISH: Language = 'en';
const FETCH = Object.fromEntries(
  Object.entries(import.meta.glob<Record<Language, Dictionary>>('../i18n/*/index.ts')).map(
    ([path, fetched]) => [path.split('/').at(-2) ?? '', fetched]
  )
);
export const LANGUAGES: Language[] = Object.keys(FETCH).sort();

/** The first of these (`pl-PL`, `de`) that is one of ours; else English. */
export const firstSpoken = (tags: readonly string[]): Language =>
  tags.map((tag) => tag.toLowerCase().split('-')[0]).find((one) => one in FETCH) ?? ENGLISH;

/** As its speakers call it, with a capital letter as at the start of a sentence. */
export function ownName(language: Language): string {
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}

class Speaker {
  language = $state<Language>(ENGLISH);
  #dictionaries = $state.raw<Record<Language, Dictionary>>({});
  #rules = $derived(new Intl.PluralRules(this.language));
  #number = $derived(new Intl.NumberFormat(this.language, { maximumFractionDigits: 1 }));
  // Without a comma before “and”, as the server's sentences have it.
  #list = $derived(new Intl.ListFormat([this.language.replace(ENGLISH, 'en-GB')]));

  #wanted: Language = ENGLISH;
  #fetching = new Map<Language, Promise<void>>();

  /** From now on in this language: at once where it was spoken before, else when its sentences have come. */
  speak = async (language: Language): Promise<void> => {
    this.#wanted = language;
    await this.#fetch(language);
    if (this.#wanted === language) this.language = language; // nobody has asked for another one meanwhile
  };
  #fetch = (language: Language): Promise<void> => {
    const fetching =
      this.#fetching.get(language) ??
      FETCH[language]().then(
        (found) => this.add(language, found[language]),
        (failed: unknown) => {
          this.#fetching.delete(language); // so that it can be tried again
          throw failed;
        }
      );
    this.#fetching.set(language, fetching);
    return fetching;
  };
  add = (language: Language, dictionary: Dictionary): void => {
    this.#dictionaries = { ...this.#dictionaries, [language]: dictionary };
  };
  #find = (key: string, language = this.language): Entry | undefined => {
    const [area, name] = key.split('.', 2);
    return this.#dictionaries[language]?.[area]?.[name];
  };
  t = (key: Key, words: Words = {}): string => {
    const entry = this.#find(key);
    return entry === undefined ? this.#inEnglish(key, words) : filled(entry, this.#rules, words);
  };
  /** Nothing, until English has come. */
  #inEnglish = (key: Key, words: Words): string => {
    const entry = this.#find(key, ENGLISH);
    if (entry !== undefined) return filled(entry, ENGLISH_RULES, words);
    if (ENGLISH in this.#dictionaries) return key;
    void this.#fetch(ENGLISH).catch(() => {});
    return '';
  };
  /** With a minus, which is no hyphen. */
  number = (value: number): string => this.#number.format(value).replace('-', '−');
  /** An amount of time, as the language writes it: “3 days”, or short, “3d”. */
  time = (amount: number, unit: string, how: 'long' | 'narrow' = 'long'): string =>
    new Intl.NumberFormat(this.language, { style: 'unit', unit, unitDisplay: how }).format(amount);
  list = (items: string[]): string => this.#list.format(items);
  /** The key of an entry that some area has: of a place, in the words of whichever game has it. */
  keyFor = (name: string): Key | null => {
    const areas = Object.entries(this.#dictionaries[this.language] ?? {});
    const found = areas.find(([, entries]) => name in entries);
    return found ? (`${found[0]}.${name}` as Key) : null;
  };
  /** For keys that are put together, as `x_nimmt.about`. */
  has = (key: string): key is Key => this.#find(key) !== undefined;
  /** All letters that the language needs, for the fonts. */
  get letters(): string {
    return JSON.stringify(this.#dictionaries[this.language]?.common ?? '');
  }
}

const ENGLISH_RULES = new Intl.PluralRules(ENGLISH);

function filled(entry: Entry, rules: Intl.PluralRules, words: Words): string {
  const text =
    typeof entry === 'string' ? entry : (entry[rules.select(Number(words.n))] ?? entry.other);
  return text.replace(/\{(\w+)\}/g, (_, word: string) => String(words[word] ?? `{${word}}`));
}

export const speaker = new Speaker();
export const t = speaker.t;
