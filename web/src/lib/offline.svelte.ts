/** A table without a socket: replays and scenes of the rulebook feed it what a server would say. */
import type { Link } from './socket.svelte';
import { Table } from './table.svelte';
import type { ClientMessage, Result, SeatShown, Step, TableFacts, View, Welcome } from './wire';

/** There is nobody to be told, and nothing to be opened. */
const nothing = (): void => {};

export class OfflineTable extends Table {
  constructor(id: string, told: (message: ClientMessage) => void = nothing) {
    super(id);
    const say = (message: ClientMessage) => (told(message), true);
    this.link = { state: 'open', tries: 0, say, open: nothing, close: nothing } as unknown as Link;
  }
}

// -- Replays (docs/wire.md) -----------------------------------------------------------------------

export interface Turn {
  decisions: { seat: number; by: string; action: number; move: string; label: string }[];
  steps: Step[];
  phase: string;
  places: View['places'];
  facts: Record<string, unknown>;
  scores: number[];
  rounds: number[][];
}

export interface Replayed {
  table: TableFacts;
  players: SeatShown[];
  /** One's own seat in that game, if any. */
  you: number | null;
  result: Result;
  turns: Turn[];
}

export function viewOf(replay: Replayed, at: number): View {
  const { decisions: _, ...turn } = replay.turns[at];
  return {
    type: 'view',
    turn: at,
    ...turn,
    actor: null,
    remembered: null,
    waiting: [],
    chosen: [],
    decision: null,
    pace: { pause: 0, seconds: null },
    can_undo: false
  };
}

export function welcomeOf(
  replay: Replayed,
  at: number,
  seat: number | null,
  language: Welcome['language']
): Welcome {
  const seats = replay.players.map((player) => ({
    ...player,
    connected: true,
    stand_in: false,
    sent_away: false
  }));
  return {
    type: 'welcome',
    version: 2,
    seat,
    language,
    table: replay.table,
    lobby: { status: 'playing', host: null, seats, spectators: 0, rematch: null },
    fair: replay.result.fair,
    phrases: [],
    chat: [],
    view: viewOf(replay, at),
    left: null,
    result: null
  };
}

/** The turn that a decision led to, by its number in the record (from 1). */
export function turnOfDecision(turns: Turn[], number: number): number {
  let before = 0;
  const found = turns.findIndex((turn) => (before += turn.decisions.length) >= number);
  return found < 0 ? turns.length - 1 : found;
}

/** Points after each round, by seat, from nothing on. */
export function standings(rounds: number[][], seats: number): number[][] {
  const sums = [Array<number>(seats).fill(0)];
  for (const round of rounds)
    sums.push(sums[sums.length - 1].map((sum, seat) => sum + round[seat]));
  return sums;
}
