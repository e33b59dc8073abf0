/** A typed dictionary with real plural rules.  Every area has a file in each language; the Polish file must have
 *  exactly the English keys.  t('table.play', { card: 43 }); a plural takes its form from the argument `n`.
 *  A language is fetched when it is spoken first; the page is shown once it is there. */
import type { Areas, Entry } from '../i18n/shape';

export type Language = 'en' | 'pl';
export const LANGUAGES: Language[] = ['en', 'pl'];
export type Key = { [A in keyof Areas]: `${A & string}.${keyof Areas[A] & string}` }[keyof Areas];
export type Words = Record<string, string | number>;

type Dictionary = Record<string, Record<string, Entry>>;
const FETCH: Record<Language, () => Promise<Dictionary>> = {
  en: async () => (await import('../i18n/en')).en,
  pl: async () => (await import('../i18n/pl')).pl
};
const dictionaries: Partial<Record<Language, Dictionary>> = {};

class Speaker {
  language = $state<Language>('en');
  #rules = $derived(new Intl.PluralRules(this.language));
  #number = $derived(new Intl.NumberFormat(this.language, { maximumFractionDigits: 1 }));
  #list = $derived(new Intl.ListFormat(this.language, { type: 'conjunction' }));

  #wanted: Language = 'en';

  /** From now on in this language: at once where it was spoken before, else when its sentences have come. */
  speak = async (language: Language): Promise<void> => {
    this.#wanted = language;
    dictionaries[language] ??= await FETCH[language]();
    if (this.#wanted === language) this.language = language; // nobody has asked for another one meanwhile
  };
  #find = (key: string): Entry | undefined => {
    const [area, name] = key.split('.', 2);
    return dictionaries[this.language]?.[area]?.[name];
  };
  t = (key: Key, words: Words = {}): string => {
    const entry = this.#find(key);
    if (entry === undefined) return key;
    const text = typeof entry === 'string' ? entry : (entry[this.#rules.select(Number(words.n))] ?? entry.other);
    return text.replace(/\{(\w+)\}/g, (_, word: string) => String(words[word] ?? `{${word}}`));
  };
  number = (value: number): string => this.#number.format(value);
  list = (items: string[]): string => this.#list.format(items);
  /** For keys that are put together, as `games.about_x_nimmt`. */
  has = (key: string): key is Key => this.#find(key) !== undefined;
}

export const speaker = new Speaker();
export const t = speaker.t;
