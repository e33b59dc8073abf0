/** The previews, compared with positions of real games and what the rules did there (tests/landings.py). */
import { expect, test } from 'vitest';
import { change, type Pile } from '../src/games/kits/bullenparty';
import { stepsTo } from '../src/games/kits/eleven-nimmt';
import { isRipe } from '../src/games/kits/hornochsen';
import { rowsOf } from '../src/games/rows';
import { Table } from '../src/lib/table.svelte';
import type { View, Welcome } from '../src/lib/wire';
import told from './landings.json';

const FURTHEST = 10; // steps from the top of a stack of 11 nimmt!

interface InRows {
  rows: Record<string, number[]>;
  card: number;
  kind: 'add' | 'take' | 'choose' | 'under';
  places: string[];
  onto: number;
}

function tableOf(part: (typeof told)[number], rows: Record<string, number[]>): Table {
  const table = new Table('abc');
  const view: View = {
    type: 'view', turn: 1, steps: [], phase: 'laying', actor: null, places: { ...rows, 'hand 0': [] }, remembered: null, facts: {}, waiting: [0], chosen: [], decision: null,
    scores: [0, 0], rounds: [], pace: { pause: 0, seconds: null }, can_undo: false
  };
  table.hear({
    type: 'welcome', version: 2, seat: 0, language: 'en',
    table: { id: 'abc', game: part.game, title: part.game, options: part.options as never, basis: 'established', deck: part.deck as never, card_names: {}, clock: null, coach: false, memory_aid: false, practice: false, listed: false, spectators: true, stand_in: 'medium' },
    lobby: { status: 'playing', host: 0, spectators: 0, rematch: null, seats: [] }, fair: { scheme: null, commitment: null, commitments: null, unopened: null, secret: null, shares: null },
    phrases: [], chat: [], view, left: null, result: null
  } satisfies Welcome);
  return table;
}

const partsOf = (...games: string[]) => told.filter((part) => games.includes(part.game)).map((part) => [`${part.game} ${(part.options as { variant?: string }).variant ?? ''}`, part] as const);

test.each(partsOf('six-nimmt', 'x-nimmt', 'baron-oxx'))('%s: a card goes where the preview said', (_, part) => {
  for (const position of part.positions as unknown as InRows[]) {
    const table = tableOf(part, position.rows);
    const shown = table.kit!.preview!(table, position.card)!;
    const where = shown.place === null ? (shown.places ?? []) : [shown.place];
    expect(where, JSON.stringify(position)).toEqual(position.places);
    // Under the draw pile goes what fits nowhere; and of several rows all may be full, which is said as taking.
    if (position.kind !== 'under' && !(position.kind === 'choose' && shown.kind === 'take')) expect(shown.kind, JSON.stringify(position)).toBe(position.kind);
  }
});

test.each(partsOf('hornochsen'))('%s: a card goes where the preview said, and takes what it said', (_, part) => {
  for (const position of part.positions as unknown as InRows[]) {
    const table = tableOf(part, position.rows);
    const { place } = table.kit!.preview!(table, position.card)!;
    const row = rowsOf(position.rows).find((one) => one.place === place)!;
    expect(row.cards.filter((card) => card <= 98).at(-1), JSON.stringify(position)).toBe(position.onto);
    expect(isRipe(row), JSON.stringify(position)).toBe(position.kind === 'take');
  }
});

test.each(partsOf('eleven-nimmt'))('%s: the steps to a card are counted as the rules count them', (_, part) => {
  for (const { tops, card, fits } of part.positions as unknown as { tops: number[]; card: number; fits: number[] }[]) {
    const near = tops.filter((top) => stepsTo(card, top) >= 1 && stepsTo(card, top) <= FURTHEST);
    expect(near, `${card} on ${tops}`).toEqual(fits);
  }
});

test.each(partsOf('bullenparty'))('%s: a card changes the points as it was said', (_, part) => {
  for (const position of part.positions as unknown as { piles: { top: number; heads: number }[]; heads: number; onto: number | null; change: number }[]) {
    const piles: Pile[] = position.piles.map(({ top, heads }) => ({ place: String(top), cards: [top], heads }));
    expect(change(piles, position.onto === null ? null : String(position.onto), position.heads), JSON.stringify(position)).toBe(position.change);
  }
});
