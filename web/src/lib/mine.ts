/** Who one is on this server, and where one sits (docs/wire.md, "Who one is"). */
import { ask, Refusal } from './api';
import { timeCalled } from './conditions';
import { speaker, t } from './i18n.svelte';
import { route } from './route.svelte';
import { waiting } from './waiting.svelte';

export const COLOURS = ['#4f9d5b', '#3f86c4', '#d79a1e', '#c2583f', '#8a5aa8', '#62707c'];

export interface Player {
  name: string;
  colour: number;
  language: string;
  created: number;
  devices: number;
}

export interface RunningTable {
  table: string;
  game: string;
  status: 'waiting' | 'opening' | 'playing';
  seat: number;
  seats: { kind: string; name: string }[];
  waiting: number[];
  your_turn: boolean;
  clock: number | null;
  /** At a table over days: seconds that one still has. */
  left: number | null;
  alone: boolean;
  /** A deal of the day: the day. */
  daily: string | null;
  touched: number;
}

export interface FinishedGame {
  table: string;
  game: string;
  seat: number;
  finished: number;
  replay: boolean;
  /** A deal of the day that is not over yet. */
  sealed: boolean;
  scores: { seat: number; name: string; score: number; won: boolean }[];
  rating: { before: { points: number }; after: { points: number } } | null;
}

export const me = () => ask<{ player: Player | null }>('/me');
export const change = (wish: { name: string; colour: number; language: string }) =>
  ask<Player>('/me', wish, 'PUT');
export const newCode = () =>
  ask<{ code: string; link: string; seconds: number }>('/me/code', undefined, 'POST');
export const newRecoveryCode = () => ask<{ code: string }>('/me/recovery', undefined, 'POST');
export const useCode = (code: string) => ask<Player>('/me/use', { code });
export const deleteMe = () => ask('/me', undefined, 'DELETE');

export async function running(): Promise<RunningTable[]> {
  const found = await ask<RunningTable[]>('/mine/running');
  waiting.see(found);
  return found;
}
export function finished(game: string, last?: FinishedGame) {
  const asked = new URLSearchParams();
  if (game) asked.set('game', game);
  if (last) {
    asked.set('before', String(last.finished));
    asked.set('before_table', last.table);
  }
  return ask<{ games: FinishedGame[]; more: boolean }>(`/mine/finished?${asked}`);
}

export const back = (table: string) => ask(`/tables/${table}/back`, undefined, 'POST');
/** Leave for good; on another device one has to have the seat first. */
export async function end(table: string): Promise<void> {
  await back(table);
  await ask(`/tables/${table}/end`, undefined, 'POST');
}

/** To the table, with one's seat: also where it was taken on another device.  What is wrong is told there. */
export async function goOn(table: string): Promise<void> {
  await back(table).catch(() => {});
  route.go(`/table/${table}`);
}

/** A limit that can be done something about. */
export const isFull = (refusal: unknown): boolean =>
  refusal instanceof Refusal && ['too_many_tables', 'too_many_own_tables'].includes(refusal.key);

/** The others at a table, or that nobody is there yet. */
export const others = (one: RunningTable): string =>
  speaker.list(
    one.seats.filter((seat, at) => at !== one.seat && seat.name).map((seat) => seat.name)
  ) || t('mine.waiting');

/** What the table waits for. */
export function stateOf(one: RunningTable): string {
  if (one.status !== 'playing') return t(`mine.${one.status}`);
  if (one.your_turn)
    return one.left === null
      ? t('mine.your_turn')
      : `${t('mine.your_turn')} · ${t('table.time_left', { time: timeCalled(one.left) })}`;
  const people = one.waiting.filter((seat) => one.seats[seat]?.kind !== 'bot');
  if (!people.length) return t('mine.bots_turn');
  return t('mine.turn_of', { names: speaker.list(people.map((seat) => one.seats[seat].name)) });
}
