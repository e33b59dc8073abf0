/** What the coach says (docs/coach.md), made ready for pictures. */
import type { Span } from '../games/generic';
import { t } from './i18n.svelte';

export interface Candidate {
  move: string;
  lead: number;
  error: number;
  behind: number;
  behind_error: number;
  /** What it would do, in a few words; in hints alone. */
  means?: string;
}
export type Grade = 'forced' | 'fine' | 'inaccuracy' | 'mistake' | 'blunder';
export interface JudgedDecision {
  number: number;
  round: number;
  seat: number;
  move: string;
  grade: Grade;
  best: string;
  expected: number | null;
  behind: number;
  behind_error: number;
  lost: number;
  /** Solved, not estimated; reviews that were made earlier do not say. */
  is_exact?: boolean;
  candidates: Candidate[];
}
export interface Account {
  start: number;
  deal: number;
  play: number;
  skill: number;
  lost: number;
  result: number;
}
export interface Review {
  format: 'bullpen-review';
  game: string;
  players: string[];
  seats: { seat: number; name: string; whole: Account; grades: Partial<Record<Grade, number>> }[];
  decisions: JudgedDecision[];
  labels: Record<string, string>;
}
export interface Hint {
  best: string;
  as_good: string[];
  candidates: Candidate[];
}

/** With its sign: a lead is for or against one. */
export const signed = (value: number, number: (value: number) => string): string => {
  const text = number(Math.abs(value));
  return Math.abs(value) < 0.05 ? number(0) : value > 0 ? `+${text}` : `−${text}`;
};

export const isBad = (one: JudgedDecision): boolean =>
  one.grade !== 'forced' && one.grade !== 'fine';

/** A decision in words: whose it was, and which of theirs. */
export function whichOf(
  one: JudgedDecision,
  all: JudgedDecision[],
  you: number | null,
  name: string,
  span: Span = 'round'
): string {
  const own = all.filter((other) => other.seat === one.seat);
  const words = { round: one.round, at: own.indexOf(one) + 1, of: own.length, name };
  if (span === 'game')
    return t(one.seat === you ? 'review.where_game_you' : 'review.where_game', words);
  return t(one.seat === you ? 'review.where_you' : 'review.where', words);
}

/** Where each candidate lies between the worst and the best, errors included: 0 to 100. */
export function scaled(candidates: Candidate[]): { from: number; at: number; to: number }[] {
  const low = Math.min(...candidates.map((one) => one.lead - one.error));
  const high = Math.max(...candidates.map((one) => one.lead + one.error));
  const width = high - low || 1;
  const place = (lead: number) => 8 + ((lead - low) / width) * 92;
  return candidates.map((one) => ({
    from: place(one.lead - one.error),
    at: place(one.lead),
    to: place(one.lead + one.error)
  }));
}
