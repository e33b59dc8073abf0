/** Quick match: who waits for what, and sitting down with them (docs/wire.md). */
import { ask, type Seated } from '../lib/api';
import { speakerOf } from './words';
import type { words as english } from './words/quick.en';

export interface Waiting {
  game: string;
  seats: number;
  people: number;
}
export const waiting = () => ask<Waiting[]>('/quick');
export const sit = (game: string, seats: number, name: string) =>
  ask<Seated>(`/quick/${game}/${seats}`, { name });

const WORDS = import.meta.glob<{ words: Partial<typeof english> }>('./words/quick.*.ts');
export const sayer = (language: string) => speakerOf<typeof english>(WORDS, language);
export type Say = Awaited<ReturnType<typeof sayer>>;
