/** A typed dictionary with real plural rules.  Every area has a file in each language; the Polish file must have
 *  exactly the English keys.  t('table.play', { card: 43 }); a plural takes its form from the argument `n`. */
import { en } from '../i18n/en';
import { pl } from '../i18n/pl';
import type { Areas, Entry } from '../i18n/shape';

export type Language = 'en' | 'pl';
export const LANGUAGES: Language[] = ['en', 'pl'];
export type Key = { [A in keyof Areas]: `${A & string}.${keyof Areas[A] & string}` }[keyof Areas];
export type Words = Record<string, string | number>;

const dictionaries: Record<Language, Record<string, Record<string, Entry>>> = { en, pl };

class Speaker {
  language = $state<Language>('en');
  #rules = $derived(new Intl.PluralRules(this.language));
  #number = $derived(new Intl.NumberFormat(this.language, { maximumFractionDigits: 1 }));
  #list = $derived(new Intl.ListFormat(this.language, { type: 'conjunction' }));

  t = (key: Key, words: Words = {}): string => {
    const [area, name] = key.split('.', 2);
    const entry = dictionaries[this.language][area]?.[name];
    if (entry === undefined) return key;
    const text = typeof entry === 'string' ? entry : (entry[this.#rules.select(Number(words.n))] ?? entry.other);
    return text.replace(/\{(\w+)\}/g, (_, word: string) => String(words[word] ?? `{${word}}`));
  };
  number = (value: number): string => this.#number.format(value);
  list = (items: string[]): string => this.#list.format(items);
  /** For keys that are put together, as `games.about_x_nimmt`. */
  has = (key: string): key is Key => {
    const [area, name] = key.split('.', 2);
    return dictionaries.en[area]?.[name] !== undefined;
  };
}

export const speaker = new Speaker();
export const t = speaker.t;
