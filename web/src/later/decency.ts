/** What one can do about somebody's words or name (docs/wire.md). */
import { ask } from '../lib/api';
import type { LobbyShown } from '../lib/wire';
import { speakerOf } from './words';
import type { words as english } from './words/decency.en';

export type Talk = NonNullable<LobbyShown['talk']>;
export interface Reported {
  lines: number;
  days: number;
}
export const report = (table: string, seat: number, about: 'chat' | 'name', note: string) =>
  ask<Reported>(`/tables/${table}/report`, { seat, about, note });
export const agree = (table: string, wish: { talk?: Talk; refused?: string[] }) =>
  ask(`/tables/${table}/talk`, wish);
export const listed = (text: string): string[] =>
  text
    .split(/[\s,;]+/)
    .filter(Boolean)
    .slice(0, 50);

const WORDS = import.meta.glob<{ words: Partial<typeof english> }>('./words/decency.*.ts');
export const sayer = (language: string) => speakerOf<typeof english>(WORDS, language);
export type Say = Awaited<ReturnType<typeof sayer>>;
