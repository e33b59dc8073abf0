import type { en } from './en';

export type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };
export type Entry = string | Plural;
export type Areas = typeof en;
/** The same keys in another language: a sentence stays a sentence, a plural a plural.  What is missing is said in
 *  English, and counted by tests/dictionary.test.ts. */
export type Same<T> = { [K in keyof T]?: T[K] extends string ? string : Plural };
