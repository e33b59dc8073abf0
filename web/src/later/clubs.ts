/** Clubs and their tournaments (docs/clubs.md, docs/wire.md). */
import { untrack } from 'svelte';
import { ask, type OptionValue } from '../lib/api';
import { takeSeat } from '../lib/invites';
import { route } from '../lib/route.svelte';
import { speakerOf } from './words';
import type { words as english } from './words/clubs.en';

export interface OwnClub {
  club: string;
  name: string;
  members: number;
  keeper: boolean;
  tournament: string | null;
}
export interface Door {
  name: string;
  members: number;
  member: boolean;
}
export interface Member {
  member: number;
  name: string;
  colour: number;
  keeper: boolean;
  you: boolean;
}
export interface ClubTable {
  table: string;
  game: string;
  status: 'waiting' | 'opening' | 'playing';
  seats: { kind: string; name: string }[];
  free: number;
  tournament: string | null;
  yours: boolean;
}
export interface ClubGame {
  table: string;
  game: string;
  finished: number;
  replay: boolean;
  scores: { seat: number; name: string; score: number; won: boolean }[];
}
export type Kind = 'everybody' | 'swiss';
export type State = 'open' | 'running' | 'over' | 'ended';
export interface Club {
  club: string;
  name: string;
  link: string;
  keeper: boolean;
  members: Member[];
  tables: ClubTable[];
  games: ClubGame[];
  tournaments: { tournament: string; game: string; kind: Kind; state: State; created: number }[];
  first_month: string;
}
export interface Standing {
  place: number;
  name: string;
  colour: number;
  you: boolean;
  games: number;
  wins: number;
  points: number;
  mean_place: number;
  mean_score: number;
}
export interface Entrant {
  entrant: number;
  name: string;
  you: boolean;
  out: boolean;
  place: number;
  points: number;
  met: number;
  wins: number;
  games: number;
}
export interface OfRound {
  table: string;
  number: number;
  status: 'making' | 'waiting' | 'playing' | 'over';
  seats: { entrant: number; name: string; points: number | null; score: number | null }[];
  bots: number;
  yours: boolean;
}
export interface Tournament {
  tournament: string;
  club: string | null;
  club_name: string;
  game: string;
  kind: Kind;
  seats: number;
  clock: number;
  wait: number;
  state: State;
  round: number;
  rounds: number | null;
  bots: number;
  seconds_to_start: number;
  member: boolean;
  runs: boolean;
  entered: boolean;
  your_table: string | null;
  entrants: Entrant[];
  tables: { round: number; tables: OfRound[]; byes: string[] }[];
}
export interface NewTournament {
  game: string;
  seats: number;
  kind: Kind;
  rounds: number | null;
  options: Record<string, OptionValue>;
  clock: number;
  wait: number;
}

export const own = () => ask<OwnClub[]>('/clubs');
export const make = (name: string, player: string) => ask<Club>('/clubs', { name, player });
export const club = (id: string) => ask<Club>(`/clubs/${id}`);
export const door = (id: string, invite: string) => ask<Door>(`/clubs/${id}/look`, { invite });
export const enterClub = (id: string, invite: string, player?: string) =>
  ask<Club>(`/clubs/${id}/join`, player ? { invite, player } : { invite });
export const rename = (id: string, name: string) => ask<Club>(`/clubs/${id}`, { name }, 'PUT');
export const end = (id: string) => ask(`/clubs/${id}`, undefined, 'DELETE');
export const leave = (id: string) => ask(`/clubs/${id}/leave`, undefined, 'POST');
export const renew = (id: string) => ask<Club>(`/clubs/${id}/invite`, undefined, 'POST');
export const change = (id: string, what: 'keeper' | 'send-away', member: number) =>
  ask<Club>(`/clubs/${id}/${what}`, { member });
export const standings = (id: string, month: string, game: string) =>
  ask<{ rows: Standing[] }>(`/clubs/${id}/standings?month=${month}${game && `&game=${game}`}`);
export const announce = (id: string, wish: NewTournament) =>
  ask<Tournament>(`/clubs/${id}/tournaments`, wish);
export const tournament = (id: string) => ask<Tournament>(`/tournaments/${id}`);
export type Act = 'enter' | 'withdraw' | 'start' | 'go-on' | 'end';
export const act = (id: string, what: Act) =>
  ask<Tournament>(`/tournaments/${id}/${what}`, undefined, 'POST');
export const leaveOut = (id: string, entrant: number) =>
  ask<Tournament>(`/tournaments/${id}/leave-out`, { entrant });

/** To a seat that members may take, or that is kept for this one. */
export async function sitDown(table: string, name: string): Promise<void> {
  await takeSeat(table, name, null);
  route.go(`/table/${table}`);
}

/** The month before or after one, as `2026-11`. */
export function monthFrom(month: string, by: number): string {
  const [year, number] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7);
}
export const thisMonth = (): string => new Date().toISOString().slice(0, 7);

/** Asked again and again as long as somebody looks.  In an effect what the first look reads is no reason for
 *  another one: else each answer would ask the next question at once. */
export function watched(look: () => unknown, ms: number): () => void {
  untrack(look);
  const timer = setInterval(() => {
    if (!document.hidden) look();
  }, ms);
  document.addEventListener('visibilitychange', look);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', look);
  };
}

const WORDS = import.meta.glob<{ words: Partial<typeof english> }>('./words/clubs.*.ts');
export const sayer = (language: string) => speakerOf<typeof english>(WORDS, language);
export type Say = Awaited<ReturnType<typeof sayer>>;
