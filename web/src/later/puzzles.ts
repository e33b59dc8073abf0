/** Puzzles: what the server has, and which of them this device has solved. */
import { ask } from '../lib/api';
import type { Welcome } from '../lib/wire';

export interface Count {
  game: string;
  puzzles: number;
}
export interface Answer {
  right: boolean;
  action: number;
  said: string[];
}

/** Of those who have tried it, how many solved it at once: from `least` to `most`, as shares. */
export interface Solvers {
  number: number;
  tries: number;
  solved: number;
  least: number;
  most: number;
}
export interface Listed {
  order: number[];
  solvers: Solvers[];
  tried: number[];
  solved: number[];
}

export const counts = () => ask<Count[]>('/puzzles');
export const puzzle = (game: string, number: number) => ask<Welcome>(`/puzzles/${game}/${number}`);
export const listed = (game: string) => ask<Listed>(`/puzzles/${game}`);
export const answer = (game: string, number: number, move: number) =>
  ask<Answer>(`/puzzles/${game}/${number}/try`, { move });

const KEY = 'bullpen.puzzles';
type Solved = Record<string, number[]>;

function read(): Solved {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return kept && typeof kept === 'object' ? (kept as Solved) : {};
  } catch {
    return {};
  }
}

export const solved = (game: string): number[] => read()[game] ?? [];
export function keepSolved(game: string, number: number): void {
  const all = read();
  all[game] = [...new Set([...(all[game] ?? []), number])];
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    // A device that remembers nothing solves them again.
  }
}

/** The easiest that was not solved yet, behind this one; all solved: simply the next. */
export function nextOf(game: string, { order, solved: own }: Listed, after: number): number {
  const known = new Set([...solved(game), ...own]);
  const at = order.indexOf(after);
  const rest = [...order.slice(at + 1), ...order.slice(0, at + 1)];
  return rest.find((number) => !known.has(number)) ?? rest[0];
}
