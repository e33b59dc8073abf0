/** What can be asked for over HTTP (docs/wire.md).  A refusal is thrown as `Refusal`, in the reader's language. */
import { speaker, t } from './i18n.svelte';
import { keepCommitment } from './promises';
import { sealedFor, takenFor } from './share';
import type { Fair, LobbyShown, PlaceShown, TableFacts } from './wire';

export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly key: string,
    message: string
  ) {
    super(message);
  }
}

/** What went wrong, in words: whatever can be thrown is no error by its type. */
export const whyOf = (refusal: unknown): string =>
  refusal instanceof Error ? refusal.message : '';

export type OptionValue = number | string | boolean | null;

export interface GameOption {
  name: string;
  text: string;
  kind: 'one_of' | 'switch' | 'number' | 'number_or_null' | 'seat';
  default: OptionValue;
  values?: string[];
  least?: number;
  most?: number;
}

export interface Cover {
  /** Cards of the fan. */
  cards: number[];
  /** The colour behind them. */
  glow: string;
  minutes: number | null;
  /** How many bots one meets at a click. */
  bots: number;
}
export interface GameFacts {
  cover: Cover | null;
  id: string;
  title: string;
  players: string;
  goal: string;
  least: number;
  most: number;
  options: GameOption[];
  basis: TableFacts['basis'];
  deck: Deck;
  deck_note: string;
  card_names: Record<string, string>;
  places: PlaceShown[];
  phases: string[];
  rules: { heading: string; rules: { id: string; name: string; text: string }[] }[];
}

/** What the cards show: lists that begin with card 1. */
export interface Deck {
  heads?: number[];
  bulls?: number[];
  colours?: number[][];
}

export interface Catalogue {
  games: GameFacts[];
  levels: { level: string; text: string }[];
  phrases: { phrase: string; text: string }[];
}

export interface TableShown {
  table: TableFacts;
  lobby: LobbyShown;
  fair: Fair;
}

export interface SeatWish {
  kind: 'person' | 'bot';
  level?: string;
}

export interface TableWish {
  game: string;
  name: string;
  seats: SeatWish[];
  options?: Record<string, OptionValue>;
  clock?: number | null;
  listed?: boolean;
  spectators?: boolean;
  coach?: boolean;
  stand_in?: string;
  practice?: number | null;
  latecomers?: TableFacts['latecomers'];
  club?: string | null;
  deck?: Deck | null;
}

export interface Seated {
  table: string;
  seat: number;
  invite: string | null;
  link: string | null;
}

export async function ask<T>(
  path: string,
  body?: unknown,
  method = body === undefined ? 'GET' : 'POST'
): Promise<T> {
  const asked = new URL(`/api${path}`, location.origin);
  asked.searchParams.set('lang', speaker.language);
  const answer = await fetch(asked, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body)
  }).catch(() => {
    throw new Refusal(0, 'server_gone', t('lobby.server_gone')); // browsers say it in English
  });
  const told = (await answer.json().catch(() => ({}))) as Record<string, string>;
  if (!answer.ok)
    throw new Refusal(answer.status, told.key ?? 'unknown', told.message ?? answer.statusText);
  return told as T;
}

const catalogues = new Map<string, Promise<Catalogue>>();

export function catalogue(): Promise<Catalogue> {
  const language = speaker.language;
  let known = catalogues.get(language);
  if (!known) {
    known = ask<Catalogue>('/games');
    catalogues.set(language, known);
    known.catch(() => catalogues.delete(language));
  }
  return known;
}

export const openTables = () => ask<TableShown[]>('/tables');
export const table = (id: string) => ask<TableShown & { seat: number | null }>(`/tables/${id}`);
export const create = (wish: TableWish) => ask<Seated>('/tables', wish);

/** The host's own share is sealed before the start; others at the table do it there. */
async function commit(id: string): Promise<void> {
  const { fair, lobby, seat } = await table(id);
  if (!fair.commitment || lobby.status !== 'waiting' || seat === null) return;
  keepCommitment(id, fair.commitment);
  const commitment = sealedFor(id, seat);
  await ask(`/tables/${id}/commit`, { commitment });
  takenFor(id, commitment);
}
export const join = (id: string, wish: { name: string; invite: string | null; attempt: string }) =>
  ask<Seated>(`/tables/${id}/join`, wish);
/** Answered when the cards are dealt, for which one's share must be opened: at the table. */
export const start = async (id: string) => {
  await commit(id);
  await ask(`/tables/${id}/start`, {});
};
/** For whoever is on the way to the table: there it is seen whether it has started, and can be started again. */
export const begin = async (id: string) => {
  await commit(id);
  ask(`/tables/${id}/start`, {}).catch(() => {});
};
export const leave = (id: string) => ask(`/tables/${id}/leave`, undefined, 'POST');
export const kick = (id: string, seat: number) => ask(`/tables/${id}/kick`, { seat });
/** Before the start: a bot of this level on this seat, or whoever comes. */
export const arrange = (id: string, seat: number, who: string) =>
  ask(
    `/tables/${id}/seat`,
    who === 'person' ? { seat, kind: 'person' } : { seat, kind: 'bot', level: who }
  );
/** Before the start: what is not named stays as it is. */
export interface TableChange {
  seats?: number;
  options?: Record<string, OptionValue>;
  clock?: number | null;
  listed?: boolean;
  coach?: boolean;
  latecomers?: TableFacts['latecomers'];
}
export const change = (id: string, wish: TableChange) => ask(`/tables/${id}/settings`, wish);
/** After the start: the seat of a bot, or the request for it, with which one asks again. */
export const takeOver = (
  id: string,
  wish: { name: string; invite: string | null; seat: number; request?: string }
) => ask<Partial<Seated> & { request?: string }>(`/tables/${id}/take-over`, wish);
export const letIn = (id: string, request: number, allow: boolean) =>
  ask(`/tables/${id}/latecomer`, { request, allow });
/** A finished game from one of its positions, at a table of one's own. */
export const playOn = (
  id: string,
  wish: { turn: number; seat: number; name: string; level: string }
) => ask<Seated>(`/tables/${id}/play-on`, wish);
export const mute = (id: string, seat: number, muted: boolean) =>
  ask(`/tables/${id}/mute`, { seat, muted });
export const invite = (id: string) =>
  ask<{ invite: string; link: string }>(`/tables/${id}/invite`, undefined, 'POST');
export const rematch = (id: string) => ask<Seated>(`/tables/${id}/rematch`, undefined, 'POST');
export const here = () => ask<{ address: string | null }>('/here');
export const qr = (text: string) => ask<{ size: number; path: string }>('/qr', { text });
