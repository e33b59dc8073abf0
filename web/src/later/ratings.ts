/** How strong somebody plays, and how sure that is (docs/ratings.md). */
import { ask } from '../lib/api';
import { speaker } from '../lib/i18n.svelte';
import { speakerOf } from './words';
import type { words as english } from './words/ratings.en';

export interface Rating {
  points: number;
  give_or_take: number;
}
/** Points a decision below the best. */
export interface Quality {
  points: number;
  give_or_take: number;
  decisions: number;
  games: number;
}
export interface Change {
  table: string;
  before: Rating;
  after: Rating;
}
export interface Own {
  game: string;
  rating: Rating;
  games: number;
  place: number;
  of: number;
  quality: Quality | null;
}
export interface Board {
  page: number;
  pages: number;
  count: number;
  places: {
    place: number;
    name: string;
    colour: number;
    rating: Rating;
    games: number;
    you: boolean;
    quality: Quality | null;
  }[];
  you: Own | null;
}
export interface OfGame {
  state: 'rated' | 'waiting' | 'unrated';
  why_not:
    | 'practice'
    | 'daily'
    | 'coach'
    | 'deck'
    | 'alone'
    | 'same_person'
    | 'took_over'
    | 'device_changed'
    | null;
  change: Change | null;
}

export const PLACES = 25; // on a page
export const own = () => ask<Own[]>('/ratings');
export const quality = () => ask<{ game: string; quality: Quality }[]>('/quality');
export const board = (game: string, page: number) => ask<Board>(`/ratings/${game}?page=${page}`);
export const ofGame = (table: string) => ask<OfGame>(`/tables/${table}/rating`);

const WORDS = import.meta.glob<{ words: Partial<typeof english> }>('./words/ratings.*.ts');
export const sayer = (language: string) => speakerOf<typeof english>(WORDS, language);
export type Say = Awaited<ReturnType<typeof sayer>>;

export const shown = ({ points, give_or_take }: Rating): string =>
  `${speaker.number(points)} ± ${speaker.number(give_or_take)}`;
export const lost = ({ points, give_or_take }: Quality): string => {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  const number = new Intl.NumberFormat(speaker.language, digits);
  return `${number.format(points)} ± ${number.format(give_or_take)}`;
};
/** With its sign, also where it is a plus. */
export const gained = ({ before, after }: Change): string => {
  const points = after.points - before.points;
  return (points >= 0 ? '+' : '') + speaker.number(points);
};
