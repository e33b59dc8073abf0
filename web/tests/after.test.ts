import { describe, expect, it } from 'vitest';
import {
  OfflineTable,
  standings,
  turnOfDecision,
  viewOf,
  welcomeOf,
  type Replayed,
  type Turn
} from '../src/lib/offline.svelte';
import { scaled, signed, whichOf, type Candidate, type JudgedDecision } from '../src/lib/review';
import { isNow, lessonNow, passedBy, type Lesson } from '../src/lib/lessons';
import { speaker } from '../src/lib/i18n.svelte';
import { keepCommitment, promised } from '../src/lib/promises';
import { shareFor } from '../src/lib/share';
import { settings } from '../src/lib/settings.svelte';
import type { Table } from '../src/lib/table.svelte';
import { place } from './offered';

const turn = (decisions: number, places: Turn['places'], steps: Turn['steps'] = []): Turn => ({
  decisions: Array.from({ length: decisions }, (_, seat) => ({
    seat,
    by: 'person',
    action: 1,
    move: 'play 1',
    label: 'Play the 1'
  })),
  steps,
  phase: 'laying',
  places,
  facts: {},
  scores: [0, 0],
  rounds: []
});
const dealt = {
  'row 1': [5],
  'row 2': [60],
  'row 3': [70],
  'row 4': [80],
  'hand 0': [7, 9],
  'laid 0': [],
  'hand 1': [6, 8],
  'laid 1': []
};
const replay = {
  table: {
    id: 'x',
    game: 'six-nimmt',
    title: '6 nimmt!',
    options: {},
    deck: { heads: Array(104).fill(1) as number[] },
    card_names: {},
    best: 'fewest',
    places: [
      place('row', 'number', { count: 4 }),
      place('hand', 'seat'),
      place('laid', 'seat', { tray: 'hand' })
    ]
  },
  players: [0, 1].map((seat) => ({
    seat,
    kind: 'person',
    name: `P${seat}`,
    level: null,
    connected: false,
    stand_in: false,
    sent_away: false,
    muted: false,
    reserved_for: null
  })),
  result: { fair: {} },
  turns: [
    turn(0, dealt),
    turn(2, { ...dealt, 'row 1': [5, 6, 7], 'hand 0': [9], 'hand 1': [8] }, [
      {
        event: { event: 'reveal', cards: [7, 6] },
        tally: null,
        text: 'both',
        moves: [
          { cards: [7], from: 'laid 0', to: 'laid 0' },
          { cards: [6], from: 'laid 1', to: 'laid 1' }
        ]
      },
      {
        event: { event: 'place', seat: 1, card: 6, row: 1 },
        tally: null,
        text: 'six',
        moves: [{ cards: [6], from: 'laid 1', to: 'row 1' }]
      },
      {
        event: { event: 'place', seat: 0, card: 7, row: 1 },
        tally: null,
        text: 'seven',
        moves: [{ cards: [7], from: 'laid 0', to: 'row 1' }]
      }
    ])
  ]
} as unknown as Replayed;

describe('a replay', () => {
  it('shows a turn at once, or lets its cards fly to the same places', async () => {
    settings.kept.speed = 'instant';
    const jumped = new OfflineTable('x');
    jumped.hear(welcomeOf(replay, 1, null, 'en'));
    const stepped = new OfflineTable('x');
    stepped.hear(welcomeOf(replay, 0, null, 'en'));
    expect(stepped.places['hand 1']).toEqual([6, 8]);
    stepped.hear(viewOf(replay, 1));
    while (stepped.animating) await new Promise((done) => setTimeout(done, 5));
    expect(stepped.places).toEqual(jumped.places);
    expect(stepped.log.map((line) => line.text)).toEqual(['both', 'six', 'seven']);
  });
  it('never holds a card at two places while cards fly', async () => {
    settings.kept.speed = 'brisk';
    const table = new OfflineTable('x');
    table.hear(welcomeOf(replay, 0, null, 'en'));
    table.hear(viewOf(replay, 1));
    for (let look = 0; look < 400 && table.animating; look++) {
      const lying = Object.values(table.places).flatMap((place) =>
        typeof place === 'number' ? [] : place
      );
      expect(new Set(lying).size).toBe(lying.length);
      await new Promise((done) => setTimeout(done, 5));
    }
    settings.kept.speed = 'instant';
  });
  it('finds the turn of a decision by its number in the record', () => {
    const turns = [turn(0, {}), turn(3, {}), turn(1, {}), turn(3, {})];
    expect([1, 3, 4, 5, 7].map((number) => turnOfDecision(turns, number))).toEqual([1, 1, 2, 3, 3]);
    expect(turnOfDecision(turns, 99)).toBe(3);
  });
  it('sums rounds to standings, from nothing on', () => {
    expect(
      standings(
        [
          [3, 0],
          [4, 10]
        ],
        2
      )
    ).toEqual([
      [0, 0],
      [3, 0],
      [7, 10]
    ]);
  });
});

describe('what the coach says', () => {
  const candidate = (lead: number, error: number): Candidate => ({
    move: `${lead}`,
    lead,
    error,
    behind: 0,
    behind_error: 0
  });
  it('is drawn between the worst and the best, errors inside', () => {
    const bars = scaled([candidate(2, 0.5), candidate(-1, 0.5), candidate(0, 0.5)]);
    expect(bars[0].to).toBeCloseTo(100);
    expect(bars[1].from).toBeCloseTo(8);
    expect(bars[2].at).toBeGreaterThan(bars[1].at);
    for (const { from, at, to } of bars) expect(from <= at && at <= to).toBe(true);
  });
  it('is drawn even where all are alike', () => {
    expect(scaled([candidate(1, 0)])[0].at).toBeGreaterThanOrEqual(0);
  });
  it('counts the decisions of a seat by themselves', () => {
    const all = [0, 1, 0, 1].map((seat, at) => ({
      number: at + 1,
      round: 1,
      seat
    })) as JudgedDecision[];
    expect(whichOf(all[2], all, 0, 'You')).toBe('Round 1, your decision 2 of 2');
    expect(whichOf(all[1], all, 0, 'Bo')).toBe('Round 1, Bo, decision 1 of 2');
    expect(whichOf(all[1], all, 0, 'Bo', 'game')).toBe('Game 1, Bo, decision 1 of 2');
  });
  it('has a sign', () => {
    expect([1.26, -0.5, 0.01].map((value) => signed(value, speaker.number))).toEqual([
      '+1.3',
      '−0.5',
      '0'
    ]);
  });
});

describe('lessons', () => {
  const lesson = (name: string, moment: string, asks = false): Lesson => ({
    name,
    text: `About ${name}`,
    moment,
    asks
  });
  const at = (change: object = {}) =>
    ({
      choice: null,
      selected: null,
      seat: 1,
      decision: {},
      animating: false,
      pending: null,
      phase: 'laying',
      byCard: new Map([[7, []]]),
      hand: [7, 8],
      pack: { deck: {}, names: { 99: 'x2' } },
      log: [{ key: 1, text: 'Bo adds 6.', event: 'place' }],
      places: { 'row 1': [5], 'x row 1': [3], 'x row 0': [] },
      facts: { played: 0, bulls: [0, 2] },
      offers: [
        { action: 1, card: 7, origin: 'hand 1' },
        { action: 2, card: null, origin: null, place: 'row 1' }
      ],
      ...change
    }) as unknown as Table;

  it('come in order, each once', () => {
    const all = [lesson('a', 'start'), lesson('b', 'phase taking'), lesson('c', 'start')];
    expect(lessonNow(all, [], null, at())?.name).toBe('a');
    expect(lessonNow(all, ['a'], null, at())?.name).toBe('c');
    expect(lessonNow(all, ['a', 'c'], null, at())).toBeNull();
  });
  it('stay until they are understood, or until what they ask for is done', () => {
    const told = lesson('a', 'phase taking');
    const asked = lesson('b', 'phase taking', true);
    expect(lessonNow([told, asked], [], told, at())).toBe(told);
    expect(lessonNow([told, asked], [], asked, at())).toBeNull();
  });
  it.each([
    ['start', {}, { decision: null, animating: true }],
    ['picking', {}, { selected: 7 }],
    ['picked', { selected: 7 }, {}],
    ['phase taking', { phase: 'taking' }, {}],
    ['event place', {}, { animating: true }],
    ['event x_flush', { log: [{ event: 'x_flush' }] }, {}],
    [
      'cards row 2',
      { places: { 'row 2': [5, 6] } },
      { places: { 'row 2': [5], 'x row 1': [1, 2] } }
    ],
    [
      'cards row 2',
      { places: { 'row 2': [5, 6, 99] } },
      { places: { 'row 2': [5, 99] } } // a special card fills nothing
    ],
    ['own x row', {}, { seat: 0 }],
    ['hand 2', {}, { hand: [1, 2, 3] }],
    ['fact played', { facts: { played: 1 } }, {}],
    ['fact bulls', {}, { seat: 0 }]
  ])('of the moment “%s” come then', (moment, now, later) => {
    expect(isNow(lesson('a', moment), at(now))).toBe(true);
    expect(isNow(lesson('a', moment), at(later))).toBe(moment === 'start');
  });
  it('of a moment that nobody knows never come', () => {
    expect(isNow(lesson('a', 'toString'), at())).toBe(false);
  });
  it('are passed by whoever just plays', () => {
    const all = [
      lesson('goal', 'start'),
      lesson('pick', 'picking', true),
      lesson('play', 'picked', true),
      lesson('order', 'event place')
    ];
    expect(passedBy(all, all[0], at())).toEqual([]);
    expect(passedBy(all, all[0], at({ selected: 7 }))).toEqual(['goal', 'pick']);
    expect(passedBy(all, all[3], at({ choice: 1 }))).toEqual(['goal', 'pick', 'play', 'order']);
    expect(passedBy(all, all[3], at({ choice: 2 }))).toEqual(['order']);
  });
});

describe('what the server promised', () => {
  it('is kept as it was first seen, and not for ever', () => {
    keepCommitment('one', 'aa');
    keepCommitment('one', 'bb');
    expect(promised('one').commitment).toBe('aa');
    expect(shareFor('one')).toMatch(/^[0-9a-f]{64}$/);
    expect(shareFor('one')).toBe(shareFor('one'));
    for (let table = 0; table < 60; table++) keepCommitment(`t${table}`, 'cc');
    expect(promised('one')).toEqual({});
    expect(promised('t59').commitment).toBe('cc');
  });
});
