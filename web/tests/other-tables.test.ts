import { fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import BaronOxx from '../src/games/boards/baron-oxx.svelte';
import Bullenparty from '../src/games/boards/bullenparty.svelte';
import ElevenNimmt from '../src/games/boards/eleven-nimmt.svelte';
import Hornochsen from '../src/games/boards/hornochsen.svelte';
import XNimmt from '../src/games/boards/x-nimmt.svelte';
import Generic from '../src/games/Generic.svelte';
import { boardOf } from '../src/games/registry.svelte';
import { promptOf, statsOf } from '../src/games/generic';
import Hand from '../src/ui/Hand.svelte';
import { settings } from '../src/lib/settings.svelte';
import { Table } from '../src/lib/table.svelte';
import type { ClientMessage, TableFacts, View, Welcome } from '../src/lib/wire';
import { offers, place, plays } from './offered';

// Their words come with their boards.
beforeAll(async () => {
  const games = ['baron-oxx', 'bullenparty', 'eleven-nimmt', 'hornochsen', 'x-nimmt'];
  await Promise.all(games.map(boardOf));
});

function seated(
  game: string,
  deck: Welcome['table']['deck'],
  names: Record<string, string>,
  change: Partial<View>,
  facts: Partial<TableFacts> = {}
): { table: Table; sent: ClientMessage[] } {
  const table = new Table('abc');
  const sent: ClientMessage[] = [];
  table.link.say = (message) => sent.push(message) > 0;
  const seats = ['Ann', 'Bo'].map((name, seat) => ({
    seat,
    kind: 'person' as const,
    name,
    level: null,
    connected: true,
    stand_in: false,
    sent_away: false,
    muted: false,
    reserved_for: null
  }));
  const view: View = {
    type: 'view',
    turn: 1,
    steps: [],
    phase: 'playing',
    actor: 0,
    places: {},
    remembered: null,
    facts: {},
    waiting: [0],
    chosen: [],
    decision: null,
    scores: [0, 0],
    rounds: [],
    pace: { pause: 0, seconds: null },
    can_undo: false,
    ...change
  };
  table.hear({
    type: 'welcome',
    version: 2,
    seat: 0,
    language: 'en',
    table: {
      id: 'abc',
      game,
      title: game,
      options: { rounds: 2 },
      basis: 'established',
      deck,
      card_names: names,
      clock: null,
      coach: false,
      memory_aid: false,
      practice: false,
      listed: false,
      spectators: true,
      stand_in: 'medium',
      best: 'fewest',
      places: [],
      ...facts
    },
    lobby: { status: 'playing', host: 0, spectators: 0, rematch: null, seats },
    fair: {
      scheme: null,
      commitment: null,
      commitments: null,
      unopened: null,
      secret: null,
      shares: null
    },
    phrases: [],
    chat: [],
    view,
    left: null,
    result: null
  });
  return { table, sent };
}
beforeEach(() => {
  settings.kept.speed = 'instant';
});

const HAND = place('hand', 'seat', { sight: 'held' });

// -- Hornochsen! --------------------------------------------------------------------------------

const signed = Array.from({ length: 98 }, (_, at) => ((at + 1) % 10 === 0 ? -3 : 1)); // red where it ends in 0
const hornochsen = () =>
  seated(
    'hornochsen',
    { heads: signed },
    { 99: 'x2', 105: '+5', 106: '+5' },
    {
      places: {
        'row 1': [3, 106, 9],
        'row 2': [30, 31, 32, 40],
        'row 4': [70],
        'hand 0': [2, 12, 45, 99, 105],
        'hand 1': 4,
        'pile 0': 0,
        'pile 1': 5
      },
      facts: { played: 1 },
      decision: offers(
        plays(2, 'play 2', { place: 'row 4', points: 0 }),
        plays(12, 'play 12', { place: 'row 1', points: 0 }),
        plays(45, 'play 45', {
          place: 'row 2',
          effect: 'takes',
          taken: [30, 31, 32, 40],
          points: -3,
          tone: 'bad'
        }),
        plays(99, 'x2 on 9', { place: 'row 1' }),
        plays(99, 'x2 on 40', { place: 'row 2' }),
        plays(105, '+5 on 40', { place: 'row 2' }),
        plays(105, '+5 on 70', { place: 'row 4' }),
        { move: 'stop', effect: 'says' }
      )
    },
    { best: 'most', places: [place('row', 'heap', { room: [5] }), HAND, place('pile', 'seat')] }
  );

test.each([
  [12, ['row 1'], 'plain', '12 joins the row ending in 9.'],
  [2, ['row 4'], 'plain', '2 joins the row ending in 70.'],
  [45, ['row 2'], 'bad', 'With 45 you take the row ending in 40 (−3).']
])('Hornochsen!: where %i would go', (card, places, tone, text) => {
  const { table } = hornochsen();
  table.select(card);
  expect(table.preview).toMatchObject({ places, tone, text });
});

test('Hornochsen!: a special card waits for a row that may have it, and the row is a button', async () => {
  const { table, sent } = hornochsen();
  render(Hornochsen, { table });
  expect(
    screen.getByRole('group', { name: /Row ending in 9: 3, 9; 2 of 5; 2 points; with \+5/ })
  ).toBeInTheDocument();
  expect(
    screen.getByRole('group', { name: /ending in 40.*the next number card takes it/ })
  ).toBeInTheDocument();
  table.select(105);
  await tick();
  const rows = screen.getAllByRole('button');
  expect(rows.map((row) => row.getAttribute('aria-label'))).toEqual(['do +5 on 40', 'do +5 on 70']);
  await fireEvent.click(rows[1]);
  expect(sent).toContainEqual({ type: 'move', decision: 4, action: 7 });
});

test('Hornochsen!: when a row is taken the others keep their numbers', async () => {
  const { table } = hornochsen();
  const steps = [
    {
      event: { event: 'take', seat: 1, cards: [30, 31, 32, 40], specials: [] },
      text: 'Bo takes a row.',
      moves: [
        {
          cards: [30, 31, 32, 40],
          from: 'row 2',
          to: 'pile 1',
          taking: { seat: 1, heads: -4, tone: 'bad' as const }
        }
      ],
      tally: null
    }
  ];
  const { 'row 2': _, ...left } = table.places;
  table.hear({ ...table.view!, turn: 2, steps, places: left });
  await expect.poll(() => table.animating).toBe(false);
  expect(table.burst).toMatchObject({ seat: 1, text: '−4', tone: 'bad' });
  render(Hornochsen, { table });
  expect(document.querySelectorAll('[data-place^="row "]')).toHaveLength(2);
  expect(document.querySelector('[data-place="row 4"]')).not.toBeNull();
});

test('Hornochsen!: what a row with a special card counts is not worked out here', async () => {
  const { table } = hornochsen();
  const steps = [
    {
      event: { event: 'take', seat: 1, cards: [3, 9], specials: ['+5'] },
      text: 'Bo takes a row.',
      moves: [{ cards: [3, 106, 9], from: 'row 1', to: 'pile 1' }],
      tally: null
    }
  ];
  const { 'row 1': _, ...left } = table.places;
  table.hear({ ...table.view!, turn: 2, steps, places: left });
  await expect.poll(() => table.shown?.turn).toBe(2);
  expect(table.places['row 1']).toBeUndefined();
  expect(table.burst).toBeNull();
});

// -- 11 nimmt! ----------------------------------------------------------------------------------

const takes = (top: number, stack: string) => ({
  move: `take ${top}`,
  place: stack,
  effect: 'takes' as const,
  taken: [0, top]
});
const eleven = (change: Partial<View> = {}) =>
  seated(
    'eleven-nimmt',
    { heads: Array(100).fill(1) },
    {},
    {
      places: {
        'stack 1': [31],
        'stack 3': [95],
        'hand 0': [4, 36, 60],
        'hand 1': 8,
        'bulls 0': 1,
        'bulls 1': 3,
        supply: 6,
        draw: 40
      },
      facts: { starter: 0 },
      decision: {
        ...offers(
          plays(4, 'play 4 on 95', { place: 'stack 3' }),
          plays(36, 'play 36 on 31', { place: 'stack 1' }),
          takes(31, 'stack 1'),
          takes(95, 'stack 3')
        ),
        unusable: [{ card: 60, why: 'The 60 fits on no stack (EN-5).' }]
      },
      ...change
    },
    {
      places: [
        HAND,
        place('bulls', 'seat', { sight: 'alike' }),
        place('supply', 'one', { sight: 'alike' }),
        place('draw', 'one', { sight: 'unknown' }),
        place('stack', 'heap', { sight: 'top only' })
      ]
    }
  );

test('11 nimmt!: under a stack stand those of one’s cards that fit', () => {
  const { table } = eleven();
  render(ElevenNimmt, { table });
  expect(
    screen.getByRole('group', { name: 'Stack with 95 on top; of your cards these fit: 4' })
  ).toBeInTheDocument();
  expect(screen.getByText(/6 bull cards left/)).toBeInTheDocument();
});

test('11 nimmt!: a stack is taken when it is pressed twice', async () => {
  const { table, sent } = eleven();
  render(ElevenNimmt, { table });
  await fireEvent.click(screen.getByRole('button', { name: 'Take the stack with 31 on top' }));
  expect(sent).toEqual([]);
  expect(promptOf(table)).toContain('Take the 31 and all cards under it');
  await fireEvent.click(screen.getByRole('button', { name: 'Yes, take the stack with 31 on top' }));
  expect(sent).toContainEqual({ type: 'move', decision: 4, action: 3 });
});

test('11 nimmt!: a card that cannot be played puts the stack at rest; pressing it takes the refusal away', async () => {
  const { table, sent } = eleven();
  render(ElevenNimmt, { table });
  render(Hand, { table, play: () => {} });
  await fireEvent.click(screen.getByRole('button', { name: 'Take the stack with 31 on top' }));
  expect(table.armed).toBe('stack 1');
  await fireEvent.click(screen.getByRole('button', { name: /^Card 60/ }));
  expect(table.armed).toBeNull();
  expect(table.complaint).toBe('The 60 fits on no stack (EN-5).');
  await fireEvent.click(screen.getByRole('button', { name: 'Take the stack with 31 on top' }));
  expect(table.complaint).toBe('');
  expect(promptOf(table)).toContain('Tap once more');
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

test('11 nimmt!: what lies before somebody else is chosen by a button beside the hand', () => {
  const { table } = eleven({
    phase: 'choosing_bull',
    decision: offers({ move: 'bull from 1', place: 'bulls 1', effect: 'takes' })
  });
  expect(table.plainOffers.map((offer) => offer.move)).toEqual(['bull from 1']);
});

// -- Bullenparty --------------------------------------------------------------------------------

const names = { 101: 'A', 102: 'B', 106: 'bull1', 107: 'bull2' };
const party = (change: Partial<View>) =>
  seated(
    'bullenparty',
    {
      heads: Array.from({ length: 100 }, (_, at) => (at % 5) + 1),
      bulls: [4, 4, 4, 4, 5, 5, 5, 6, 6, 7]
    },
    names,
    {
      places: {
        'row 1': [],
        'row 2': [],
        'hand 0': [12, 33, 44, 50, 61, 62, 101],
        'hand 1': 6,
        'bid 0': [],
        'bid 1': 0,
        'bulls 0': [106],
        'bulls 1': [],
        'pile 1 of 0': [5, 20],
        'pile 2 of 1': [7],
        'pile 3 of 0': [40],
        drawn: [],
        draw: 30,
        discard: 4,
        'bull supply': [107]
      },
      facts: { bidders: [], takers: [0, 1], owners: [0, 1, 0], zeros: [101, 102], emptied: 0 },
      ...change
    },
    {
      best: 'most',
      places: [
        place('draw', 'one', { sight: 'shuffled' }),
        place('discard', 'one', { sight: 'face down' }),
        place('drawn', 'one', { sight: 'acting' }),
        place('bull supply', 'one'),
        place('row', 'number', { room: [6] }),
        HAND,
        place('bid', 'seat', { tray: 'hand' }),
        place('bulls', 'seat'),
        place('pile', 'heap')
      ]
    }
  );

test('Bullenparty: the zero card is bid like any other', async () => {
  const { table, sent } = party({
    phase: 'bidding',
    actor: null,
    waiting: [0, 1],
    decision: offers(
      plays(101, 'bid 0', { effect: 'says' }),
      plays(12, 'bid 12', { place: 'discard', next: ['row 1', 'row 2'] })
    )
  });
  table.select(12);
  expect(table.preview).toMatchObject({ kind: 'choose', places: ['row 1', 'row 2'] });
  table.select(101);
  expect(table.preview?.text).toContain('keep the zero card');
  await table.choose(table.byCard.get(101)![0].action);
  expect(sent).toContainEqual({ type: 'move', decision: 4, action: 1 });
  expect(table.places['bid 0']).toEqual([101]);
});

test('Bullenparty: a drawn card goes to a row by the row, though all offers name the same card', () => {
  const draws = (row: number) => ({
    move: `extend ${row}`,
    card: 57,
    origin: 'drawn',
    place: `row ${row}`,
    effect: 'joins' as const
  });
  const { table } = party({ phase: 'extending', decision: offers(draws(1), draws(2)) });
  expect([...table.byPlace.keys()]).toEqual(['row 1', 'row 2']);
});

test('Bullenparty: a picked card can be laid where it is offered, and the change in points is told', async () => {
  const { table, sent } = party({
    phase: 'piling',
    decision: offers(
      plays(33, 'pile 33 on 20', { place: 'pile 1 of 0', points: 3 }),
      plays(33, 'pile 33 new', { place: 'new', points: -3 }),
      plays(44, 'pile 44 on 20', { place: 'pile 1 of 0', points: 4 }),
      plays(44, 'pile 44 on 40', { place: 'pile 3 of 0', points: 2 }),
      plays(44, 'pile 44 new', { place: 'new', points: -4 })
    )
  });
  render(Bullenparty, { table });
  table.select(33);
  await tick();
  const pile = screen.getByRole('button', { name: 'do pile 33 on 20: +3' });
  expect(screen.getByRole('button', { name: 'do pile 33 new: −3' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: /on 40/ })).toBeNull();
  expect(table.preview!.text).toContain('Where does 33 go?');
  await fireEvent.click(pile);
  expect(sent).toContainEqual({ type: 'move', decision: 4, action: 1 });
});

test('Bullenparty: the pile that the server calls the main one wears the crown', () => {
  const { table } = party({ facts: { main_piles: ['pile 3 of 0', null] } });
  render(Bullenparty, { table });
  const crowned = document.querySelectorAll('.pile.main');
  expect([...crowned].map((pile) => (pile as HTMLElement).dataset.place)).toEqual(['pile 3 of 0']);
});

// -- X nimmt! -----------------------------------------------------------------------------------

const ROWS = ['row 1', 'row 2', 'row 3'];
const xNimmt = (change: Partial<View>) =>
  seated(
    'x-nimmt',
    { heads: Array(100).fill(1) },
    {},
    {
      phase: 'laying',
      actor: null,
      places: {
        'row 1': [20, 31],
        'row 2': [50],
        'row 3': [12],
        'hand 0': [3, 14, 40, 60],
        'x row 0': [25],
        'x row 1': [],
        collected: []
      },
      decision: offers(
        plays(3, 'play 3', { effect: 'chooses', next: ROWS }),
        plays(14, 'play 14', { place: 'row 3' }),
        plays(40, 'play 40', {
          place: 'row 1',
          effect: 'takes',
          taken: [20, 31],
          then: ['collect']
        }),
        plays(60, 'play 60', {
          place: 'row 2',
          effect: 'takes',
          points: -1,
          tone: 'bad',
          taken: [50],
          then: ['collect', 'x_flush', 'keep']
        })
      ),
      ...change
    },
    {
      places: [
        place('row', 'number', { count: 3, room: [3, 4, 5] }),
        place('collected', 'one'),
        HAND,
        place('laid', 'seat', { tray: 'hand' }),
        place('x row', 'seat'),
        place('x pile', 'seat', { sight: 'face down' })
      ]
    }
  );

test.each([
  [14, 'It would land in row 3.'],
  [40, 'It would fill row 1: you collect 2 cards, one for your X row, the rest for your hand.'],
  [60, 'It would fill row 2: you collect 1 card, all too low: your X row goes to your X pile!'],
  [3, '3 is lower than every row: you would collect one of your choice, for X row and hand.']
])('X nimmt!: what would happen with %i is told', (card, text) => {
  const { table } = xNimmt({});
  table.select(60);
  expect(table.preview?.tone).toBe('bad'); // though a card less is in the hand
  expect(promptOf(table)).toMatch(/^Pick a card: it joins the row/);
  table.select(card);
  expect(table.preview!.text).toBe(text);
});

test('X nimmt!: rows have as much room as is declared', () => {
  const { table } = xNimmt({});
  render(XNimmt, { table });
  const slots = (row: string) => document.querySelectorAll(`[data-place="${row}"] .slot`).length;
  expect(ROWS.map(slots)).toEqual([3, 4, 5]);
});

test('X nimmt!: where a secret card would lead to is shown, and no button', () => {
  const { table } = xNimmt({ waiting: [0, 1] });
  table.select(14);
  expect(table.preview?.places).toEqual(['row 3']);
  expect(table.byPlace.size).toBe(0);
});

test('X nimmt!: collected cards are kept one by one, and it is told whether the X row goes on', async () => {
  const keeps = (card: number, then: string[]) => ({
    move: `keep ${card}`,
    card,
    origin: 'collected',
    place: 'x row 0',
    effect: 'joins' as const,
    then
  });
  const keeping = (...told: ReturnType<typeof keeps>[]) =>
    xNimmt({
      phase: 'keeping',
      actor: 0,
      places: { 'row 1': [40], 'hand 0': [60], 'x row 0': [90], collected: [20, 31] },
      decision: offers(...told)
    });
  const lower = keeping(keeps(20, ['x_flush', 'keep']), keeps(31, ['x_flush', 'keep']));
  expect(promptOf(lower.table)).toContain('goes to your X pile');
  const { table, sent } = keeping(keeps(20, ['x_flush', 'keep']), keeps(31, ['keep']));
  expect(promptOf(table)).toBe('Which card goes to your X row? The others come into your hand.');
  render(XNimmt, { table });
  await fireEvent.click(screen.getByRole('button', { name: 'Keep 31 in the X row' }));
  expect(sent).toContainEqual({ type: 'move', decision: 4, action: 2 });
});

// -- Baron Oxx ----------------------------------------------------------------------------------

const baron = (best: 'most' | 'fewest', room: number[] | null) =>
  seated(
    'baron-oxx',
    { colours: Array(20).fill([1, 0, 0, 1, 0, 0]) },
    {},
    {
      phase: 'laying',
      actor: null,
      waiting: [0, 1],
      places: { 'row 1': [1, 2, 3], 'row 2': [4], 'hand 0': [5, 6, 7, 8], 'draw 0': 3 },
      decision: offers(
        plays(5, 'play 5', {
          place: 'row 1',
          effect: 'takes',
          taken: [1, 2, 3],
          points: 6,
          tone: best === 'most' ? 'good' : 'bad'
        }),
        plays(6, 'play 6', { effect: 'chooses', next: ['row 1', 'row 2'] }),
        plays(7, 'play 7', { effect: 'chooses', next: ['row 1', 'row 2'], then: ['take'] }),
        plays(8, 'play 8', { place: 'draw 0' })
      )
    },
    { best, places: [place('row', 'number', { room }), HAND, place('draw', 'seat')] }
  ).table;

test.each([
  [5, 'It would take row 1: 6 bulls!'],
  [6, 'You would choose between rows 1 and 2.'],
  [7, 'You would choose between rows 1 and 2, and take what lies there!'],
  [8, '8 fits no row: it would go under your draw pile.']
])('Baron Oxx: what would happen with %i is told', (card, text) => {
  const table = baron('fewest', [6, 6]);
  table.select(card);
  expect(table.preview!.text).toBe(text);
});

test.each([
  ['fewest', 'bad', 1],
  ['most', 'good', 0]
] as const)(
  'Baron Oxx: where the %s bulls win, the server says that taking is %s',
  async (best, tone, marked) => {
    const table = baron(best, [6, 6]);
    render(BaronOxx, { table });
    table.select(5);
    await tick();
    expect(table.preview?.tone).toBe(tone);
    expect(document.querySelectorAll('.row.full')).toHaveLength(marked);
  }
);

test('Baron Oxx: rows without an end have always one more place, and none that takes', () => {
  render(BaronOxx, { table: baron('fewest', null) });
  expect(document.querySelectorAll('.row .last')).toHaveLength(0);
});

// -- A game that this client does not know ------------------------------------------------------

const unknown = (change: Partial<View> = {}) =>
  seated(
    'highest-takes',
    { heads: Array(30).fill(2) },
    {},
    {
      places: {
        'pen 1': [11, 12],
        'pen 2': [],
        'hand 0': [3, 14],
        'hand 1': 2,
        'taken 0': 4,
        'taken 1': 0,
        'stack 2': [9],
        draw: 12,
        shown: [21, 22]
      },
      decision: offers(
        plays(3, 'play 3', {
          place: 'pen 1',
          effect: 'takes',
          taken: [11, 12],
          points: 4,
          tone: 'good'
        }),
        plays(14, 'play 14 on 9', { place: 'stack 2' }),
        plays(14, 'play 14 new', { place: 'new', points: -1 }),
        { move: 'draw', place: 'draw', effect: 'takes', taken: [0] },
        { move: 'pick 21', card: 21, origin: 'shown', place: 'hand 0', effect: 'joins' },
        { move: 'pick 22', card: 22, origin: 'shown', place: 'hand 0', effect: 'joins' },
        { move: 'pass', effect: 'says' }
      ),
      ...change
    },
    {
      best: 'most',
      places: [
        place('pen', 'number', { room: [3] }),
        place('draw', 'one', { sight: 'unknown' }),
        place('shown', 'one'),
        HAND,
        place('taken', 'seat', { sight: 'face down' }),
        place('stack', 'heap')
      ]
    }
  );

test('a game without a board of its own is played on the one for all', async () => {
  expect((await boardOf('highest-takes')).default).toBe(Generic);
  expect((await boardOf('x-nimmt')).default).toBe(XNimmt);
  const { table, sent } = unknown();
  render(Generic, { table });
  const places = [...document.querySelectorAll<HTMLElement>('[data-place]')].map(
    (node) => node.dataset.place
  );
  expect(places).toEqual(['pen 1', 'pen 2', 'stack 2', 'draw', 'shown', 'taken 0']);
  const labels = () => screen.getAllByRole('button').map((one) => one.getAttribute('aria-label'));
  expect(labels()).toEqual(['do draw', 'do pick 21', 'do pick 22']);
  expect(table.plainOffers.map((offer) => offer.move)).toEqual(['pass']);
  table.select(14);
  await tick();
  expect(labels()).toEqual(['do play 14 on 9', 'do play 14 new: −1']);
  table.select(3);
  await tick();
  expect(table.preview).toMatchObject({ kind: 'take', tone: 'good', places: ['pen 1'] });
  expect(table.preview!.text).toBe('You would take: pen 1, 4 bull heads.');
  await fireEvent.click(screen.getByRole('button', { name: /^do play 3\./ }));
  expect(sent).toContainEqual({ type: 'move', decision: 4, action: 1 });
});

test('a game without words of its own says what to do, and counts what lies before the seats', () => {
  const { table } = unknown();
  expect(promptOf(table)).toBe('Pick a card');
  expect(statsOf(table, 0).map((stat) => stat.label)).toEqual([
    '0 points',
    '2 cards in hand',
    'Taken: 4 cards'
  ]);
  const { table: waiting } = unknown({
    decision: offers({ move: 'draw', place: 'draw', effect: 'takes', taken: [0] })
  });
  expect(promptOf(waiting)).toBe('Choose a place');
});

test('offers that nobody explains are buttons', () => {
  const { table } = unknown({ decision: offers({ move: 'play 3' }, { move: 'pass' }) });
  expect(table.plainOffers.map((offer) => offer.move)).toEqual(['play 3', 'pass']);
  expect(promptOf(table)).toBe('Your choice');
});

test('there is a place for a new pile where one is offered, and nowhere else', () => {
  const { table } = unknown();
  const { unmount } = render(Generic, { table });
  expect(screen.getByText('New pile')).toBeInTheDocument();
  unmount();
  const { table: other } = unknown({
    decision: offers(plays(14, 'play 14 on 9', { place: 'stack 2' }))
  });
  render(Generic, { table: other });
  expect(document.querySelector('[data-place="stack 2"]')).not.toBeNull();
  expect(screen.queryByText('New pile')).toBeNull();
});

test('where a card goes that all choose in secret is not said before it is known', () => {
  const played = offers(plays(3, 'play 3', { place: 'taken 0', points: 4, tone: 'good' }));
  const { table } = unknown({ actor: null, waiting: [0, 1], decision: played });
  table.select(3);
  expect(table.preview).toMatchObject({ places: [], tone: 'plain' });
  expect(table.preview!.text).toContain('You would lay it face down');
  const { table: alone } = unknown({ decision: played });
  alone.select(3);
  expect(alone.preview).toMatchObject({ places: ['taken 0'], tone: 'good' });
  expect(alone.preview!.text).toBe('It would go here: Taken.');
});

test('who has to choose a row is told for which card', () => {
  const { table } = seated(
    'baron-oxx',
    {},
    {},
    {
      phase: 'choosing',
      places: { 'row 1': [8], 'hand 0': [60], 'laid 0': [43] },
      decision: offers({ move: 'row 1', place: 'row 1', effect: 'joins' })
    },
    { places: [place('row', 'number'), HAND, place('laid', 'seat', { tray: 'hand' })] }
  );
  expect(promptOf(table)).toBe('Which row for the 43?');
});

test('a stack that may be taken says so', () => {
  const { table } = seated(
    'eleven-nimmt',
    {},
    {},
    {
      places: { 'stack 1': [55], 'stack 2': [90], 'hand 0': [60] },
      decision: offers({ move: 'take 1', place: 'stack 1', effect: 'takes' })
    },
    { places: [place('stack', 'number'), HAND] }
  );
  const { container } = render(ElevenNimmt, { table });
  const said = [...container.querySelectorAll('.stack')].map((stack) => stack.textContent);
  expect(said.map((text) => text?.includes('Take'))).toEqual([true, false]);
});
