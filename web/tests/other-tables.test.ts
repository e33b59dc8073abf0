import { fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { beforeEach, expect, test } from 'vitest';
import Bullenparty from '../src/games/Bullenparty.svelte';
import ElevenNimmt from '../src/games/ElevenNimmt.svelte';
import Hornochsen from '../src/games/Hornochsen.svelte';
import { change } from '../src/games/kits/bullenparty';
import { spanOf, stepsTo } from '../src/games/kits/eleven-nimmt';
import Hand from '../src/ui/Hand.svelte';
import { settings } from '../src/lib/settings.svelte';
import { Table } from '../src/lib/table.svelte';
import type { ClientMessage, View, Welcome } from '../src/lib/wire';

function seated(game: string, deck: Welcome['table']['deck'], names: Record<string, string>, change: Partial<View>): { table: Table; sent: ClientMessage[] } {
  const table = new Table('abc');
  const sent: ClientMessage[] = [];
  table.link.say = (message) => sent.push(message) > 0;
  const seats = ['Ann', 'Bo'].map((name, seat) => ({ seat, kind: 'person' as const, name, level: null, connected: true, stand_in: false, sent_away: false, muted: false, reserved_for: null }));
  const view: View = {
    type: 'view', turn: 1, steps: [], phase: 'playing', actor: 0, places: {}, remembered: null, facts: {}, waiting: [0], chosen: [], decision: null,
    scores: [0, 0], rounds: [], pace: { pause: 0, seconds: null }, can_undo: false, ...change
  };
  table.hear({
    type: 'welcome', version: 2, seat: 0, language: 'en',
    table: { id: 'abc', game, title: game, options: { rounds: 2 }, basis: 'established', deck, card_names: names, clock: null, coach: false, memory_aid: false, practice: false, listed: false, spectators: true, stand_in: 'medium' },
    lobby: { status: 'playing', host: 0, spectators: 0, rematch: null, seats }, fair: { scheme: null, commitment: null, commitments: null, unopened: null, secret: null, shares: null },
    phrases: [], chat: [], view, left: null, result: null
  });
  return { table, sent };
}
const offers = (...moves: string[]) => ({ number: 4, choice: null, moves: moves.map((move, at) => ({ action: at + 1, move, label: `do ${move}` })) });

beforeEach(() => {
  settings.kept.speed = 'instant';
});

// -- Hornochsen! --------------------------------------------------------------------------------

const signed = Array.from({ length: 98 }, (_, at) => ((at + 1) % 10 === 0 ? -3 : 1)); // red where it ends in 0
const hornochsen = () =>
  seated('hornochsen', { heads: signed }, { 99: 'x2', 105: '+5', 106: '+5' }, {
    places: { 'row 1': [3, 106, 9], 'row 2': [30, 31, 32, 40], 'row 3': [70], 'hand 0': [2, 12, 45, 99, 105], 'hand 1': 4, 'pile 0': 0, 'pile 1': 5, box: 60 },
    facts: { played: 1 },
    decision: offers('play 2', 'play 12', 'play 45', 'x2 on 9', 'x2 on 40', '+5 on 40', '+5 on 70', 'stop')
  });

test.each([
  [12, 'row 1', 'add', '12 joins the row ending in 9.'],
  [2, 'row 3', 'add', '2 is below all rows: it joins the highest one, ending in 70.'],
  [45, 'row 2', 'take', '45 is the fifth: you take the row ending in 40 (−3).']
])('Hornochsen!: where %i would go', (card, place, kind, text) => {
  const { table } = hornochsen();
  table.select(card);
  expect(table.preview).toMatchObject({ place, kind, text });
});

test('Hornochsen!: a special card waits for a row that may have it, and the row is a button', async () => {
  const { table, sent } = hornochsen();
  render(Hornochsen, { table });
  expect(screen.getByRole('group', { name: /Row ending in 9: 3, 9; 2 of 5; 2 points; with \+5/ })).toBeInTheDocument();
  table.select(105);
  await tick();
  const rows = screen.getAllByRole('button');
  expect(rows.map((row) => row.getAttribute('aria-label'))).toEqual(['do +5 on 40', 'do +5 on 70']);
  await fireEvent.click(rows[1]);
  expect(sent).toContainEqual({ type: 'move', decision: 4, action: 7 });
});

test('Hornochsen!: when a row is taken the ring closes', () => {
  const { table } = hornochsen();
  const taken = { event: { event: 'take', seat: 0, cards: [30, 31, 32, 40, 45], specials: [] }, text: 'You take a row.', moves: [{ cards: [30, 31, 32, 40, 45], from: 'row 2', to: 'pile 0' }] };
  const next = table.kit!.tidy!({ ...table.places, 'row 2': [] }, taken);
  expect([next['row 1'], next['row 2'], next['row 3']]).toEqual([[3, 106, 9], [70], undefined]);
  expect(next['hand 0']).toEqual(table.places['hand 0']);
});

// -- 11 nimmt! ----------------------------------------------------------------------------------

const eleven = (change: Partial<View> = {}) =>
  seated('eleven-nimmt', { heads: Array(100).fill(1) }, {}, {
    places: { 'stack 1': [31], 'stack 2': [95], 'hand 0': [4, 36, 60], 'hand 1': 8, draw: 40 },
    facts: { starter: 0, bulls: [1, 3], served: [] },
    decision: offers('play 4 on 95', 'play 36 on 31', 'take 31', 'take 95'),
    ...change
  });

test('11 nimmt!: after 100 comes 1', () => {
  expect(spanOf(95)).toBe('96–5');
  expect(spanOf(100)).toBe('1–10');
  expect(stepsTo(4, 95)).toBe(9);
});

test('11 nimmt!: a stack is taken when it is pressed twice', async () => {
  const { table, sent } = eleven();
  render(ElevenNimmt, { table });
  await fireEvent.click(screen.getByRole('button', { name: 'Take the stack with 31 on top' }));
  expect(sent).toEqual([]);
  expect(table.kit!.prompt!(table)).toContain('Take the 31 and all cards under it');
  await fireEvent.click(screen.getByRole('button', { name: 'Yes, take the stack with 31 on top' }));
  expect(sent).toContainEqual({ type: 'move', decision: 4, action: 3 });
});

test('11 nimmt!: a card that cannot be played puts the stack at rest, and pressing the stack takes the refusal away', async () => {
  const { table, sent } = eleven();
  render(ElevenNimmt, { table });
  render(Hand, { table, play: () => {} });
  await fireEvent.click(screen.getByRole('button', { name: 'Take the stack with 31 on top' }));
  expect(table.armed).toBe('stack 1');
  await fireEvent.click(screen.getByRole('button', { name: /^Card 60/ }));
  expect(table.armed).toBeNull();
  expect(table.complaint).toContain('60 fits on no stack');
  await fireEvent.click(screen.getByRole('button', { name: 'Take the stack with 31 on top' }));
  expect(table.complaint).toBe('');
  expect(table.kit!.prompt!(table)).toContain('Tap once more');
  expect(sent).toEqual([]);
});

test('11 nimmt!: a picked card makes a button of the stack that it fits on, and only of that', async () => {
  const { table, sent } = eleven();
  render(ElevenNimmt, { table });
  table.select(4);
  await tick();
  const [only, ...more] = screen.getAllByRole('button');
  expect(more).toEqual([]);
  await fireEvent.click(only);
  expect(sent).toContainEqual({ type: 'move', decision: 4, action: 1 });
});

test('11 nimmt!: a stack keeps the name that it had when the turn began', () => {
  const { table } = eleven({ places: { 'stack 1': [36], 'stack 2': [95], 'hand 0': [39, 60], 'hand 1': 8, draw: 40 }, facts: { starter: 0, bulls: [1, 3], served: [[0, 31]] }, decision: offers('play 39 on 31', 'end') });
  table.select(39);
  expect(table.byPlace.get('stack 1')?.move).toBe('play 39 on 31');
  expect(table.plainOffers.map((offer) => offer.move)).toEqual(['end']);
});

test('11 nimmt!: why a card cannot be played is said with the rule', () => {
  const { table } = eleven();
  expect(table.kit!.unusable!(table, 60)).toMatch(/60 fits on no stack.*EN-5/);
});

// -- Bullenparty --------------------------------------------------------------------------------

const names = { 101: 'A', 102: 'B', 106: 'bull1', 107: 'bull2' };
const party = (change: Partial<View>) =>
  seated('bullenparty', { heads: Array.from({ length: 100 }, (_, at) => (at % 5) + 1), bulls: [4, 4, 4, 4, 5, 5, 5, 6, 6, 7] }, names, {
    places: { 'row 1': [], 'row 2': [], 'hand 0': [12, 33, 44, 50, 61, 62, 101], 'hand 1': 6, 'bid 0': [], 'bid 1': 0, 'bulls 0': [106], 'bulls 1': [], 'pile 1 of 0': [5, 20], 'pile 2 of 1': [7], 'pile 3 of 0': [40], drawn: [], draw: 30, discard: 4, 'bull supply': [107], box: 50 },
    facts: { bidders: [], takers: [0, 1], owners: [0, 1, 0], zeros: [101, 102], emptied: 0 },
    ...change
  });

test('Bullenparty: the zero card is bid like any other', async () => {
  const { table, sent } = party({ phase: 'bidding', actor: null, waiting: [0, 1], decision: offers('bid 0', 'bid 12') });
  table.select(101);
  expect(table.preview?.text).toContain('keep the zero card');
  await table.choose(table.byCard.get(101)![0].action);
  expect(sent).toContainEqual({ type: 'move', decision: 4, action: 1 });
});

test('Bullenparty: a picked card can be laid where it is offered, and the change in points is told', async () => {
  const { table, sent } = party({ phase: 'piling', decision: offers('pile 33 on 20', 'pile 33 new', 'pile 44 on 20', 'pile 44 on 40', 'pile 44 new') });
  render(Bullenparty, { table });
  table.select(33);
  await tick();
  const pile = screen.getByRole('button', { name: 'Lay 33 on the 20: +3' });
  expect(screen.getByRole('button', { name: 'Start a new pile with 33: −3' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: /on the 40/ })).toBeNull();
  await fireEvent.click(pile);
  expect(sent).toContainEqual({ type: 'move', decision: 4, action: 1 });
});

test('Bullenparty: a poorer pile that becomes the richest turns the count', () => {
  const piles = [{ place: 'a', cards: [5], heads: 5 }, { place: 'b', cards: [9], heads: 4 }];
  expect(change(piles, 'a', 3)).toBe(3);
  expect(change(piles, 'b', 3)).toBe(1); // 5 − 4 becomes 7 − 5
  expect(change(piles, null, 2)).toBe(-2);
});

// -- X nimmt! -----------------------------------------------------------------------------------

const xNimmt = (change: Partial<View>) =>
  seated('x-nimmt', { heads: Array(100).fill(1) }, {}, {
    phase: 'laying', actor: null, places: { 'row 1': [20, 31], 'row 2': [50], 'row 3': [12], 'hand 0': [3, 14, 40, 60], 'x row 0': [25], 'x row 1': [], collected: [] },
    decision: offers('play 3', 'play 14', 'play 40', 'play 60'), ...change
  }).table;

test.each([
  [14, 'It would land in row 3.'],
  [40, 'It would fill row 1: you collect 2 cards, one for your X row, the rest for your hand.'],
  [3, '3 is lower than every row: you would collect one of your choice, for X row and hand.']
])('X nimmt!: what would happen with %i is told', (card, text) => {
  const table = xNimmt({});
  expect(table.kit!.prompt!(table)).toMatch(/^Pick a card: it joins the row/);
  table.select(card);
  expect(table.preview!.text).toBe(text);
});

test('X nimmt!: that an X row cannot go on is told before and after', () => {
  const row = { 'row 1': [20, 31], 'row 2': [50], 'row 3': [12], 'hand 0': [40], 'x row 0': [90] };
  const before = xNimmt({ places: row });
  before.select(40);
  expect(before.preview!.text).toContain('goes to your X pile!');
  const keeping = (collected: number[]) => xNimmt({ phase: 'keeping', actor: 0, places: { ...row, collected }, decision: offers('keep 20', 'keep 31') });
  expect(keeping([20, 31]).kit!.prompt!(keeping([20, 31]))).toContain('goes to your X pile');
  expect(keeping([20, 95]).kit!.prompt!(keeping([20, 95]))).toBe('Which card goes to your X row? The others come into your hand.');
});
