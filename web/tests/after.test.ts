import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FedTable, standings, turnOfDecision, viewOf, welcomeOf, type Replayed, type Turn } from '../src/lib/fed.svelte';
import { scaled, signed, whichOf, type Candidate, type Judged } from '../src/lib/judged';
import { kitOf } from '../src/games/kits';
import { lessonNow, lessonsOf, passedBy, PRACTICE, type Lesson } from '../src/lib/lessons';
import { speaker } from '../src/lib/i18n.svelte';
import { keepCommitment, promised } from '../src/lib/promises';
import { shareFor } from '../src/lib/share';
import { settings } from '../src/lib/settings.svelte';
import type { Table } from '../src/lib/table.svelte';

const turn = (decisions: number, places: Turn['places'], steps: Turn['steps'] = []): Turn => ({
  decisions: Array.from({ length: decisions }, (_, seat) => ({ seat, by: 'person', action: 1, move: 'play 1', label: 'Play the 1' })),
  steps, phase: 'laying', places, facts: {}, scores: [0, 0], rounds: []
});
const dealt = { 'row 1': [5], 'row 2': [60], 'row 3': [70], 'row 4': [80], 'hand 0': [7, 9], 'laid 0': [], 'hand 1': [6, 8], 'laid 1': [] };
const replay = {
  table: { id: 'x', game: 'six-nimmt', title: '6 nimmt!', options: {}, deck: { heads: Array(104).fill(1) as number[] }, card_names: {} },
  players: [0, 1].map((seat) => ({ seat, kind: 'person', name: `P${seat}`, level: null, connected: false, stand_in: false, sent_away: false, muted: false, reserved_for: null })),
  result: { fair: {} },
  turns: [
    turn(0, dealt),
    turn(2, { ...dealt, 'row 1': [5, 6, 7], 'hand 0': [9], 'hand 1': [8] }, [
      { event: { event: 'reveal', cards: [7, 6] }, text: 'both', moves: [{ cards: [7], from: 'laid 0', to: 'laid 0' }, { cards: [6], from: 'laid 1', to: 'laid 1' }] },
      { event: { event: 'place', seat: 1, card: 6, row: 1 }, text: 'six', moves: [{ cards: [6], from: 'laid 1', to: 'row 1' }] },
      { event: { event: 'place', seat: 0, card: 7, row: 1 }, text: 'seven', moves: [{ cards: [7], from: 'laid 0', to: 'row 1' }] }
    ])
  ]
} as unknown as Replayed;

describe('a replay', () => {
  it('shows a turn at once, or lets its cards fly to the same places', async () => {
    settings.kept.speed = 'instant';
    const jumped = new FedTable('x');
    jumped.hear(welcomeOf(replay, 1, null, 'en'));
    const stepped = new FedTable('x');
    stepped.hear(welcomeOf(replay, 0, null, 'en'));
    expect(stepped.places['hand 1']).toEqual([6, 8]);
    stepped.hear(viewOf(replay, 1));
    while (stepped.animating) await new Promise((done) => setTimeout(done, 5));
    expect(stepped.places).toEqual(jumped.places);
    expect(stepped.log.map((line) => line.text)).toEqual(['both', 'six', 'seven']);
  });
  it('never holds a card at two places while cards fly', async () => {
    settings.kept.speed = 'brisk';
    const table = new FedTable('x');
    table.hear(welcomeOf(replay, 0, null, 'en'));
    table.hear(viewOf(replay, 1));
    for (let look = 0; look < 400 && table.animating; look++) {
      const lying = Object.values(table.places).flatMap((place) => (typeof place === 'number' ? [] : place));
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
    expect(standings([[3, 0], [4, 10]], 2)).toEqual([[0, 0], [3, 0], [7, 10]]);
  });
});

describe('what the coach says', () => {
  const candidate = (lead: number, error: number): Candidate => ({ move: `${lead}`, lead, error, behind: 0, behind_error: 0 });
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
    const all = [0, 1, 0, 1].map((seat, at) => ({ number: at + 1, round: 1, seat })) as Judged[];
    expect(whichOf(all[2], all, 0, 'You')).toBe('Round 1, your decision 2 of 2');
    expect(whichOf(all[1], all, 0, 'Bo')).toBe('Round 1, Bo, decision 1 of 2');
  });
  it('has a sign', () => {
    expect([1.26, -0.5, 0.01].map((value) => signed(value, speaker.number))).toEqual(['+1.3', '−0.5', '0']);
  });
});

describe('lessons', () => {
  const lesson = (name: string, when: boolean, asks = false): Lesson => ({ name, when: () => when, asks });
  const table = {} as Table;
  it('come in order, each once', () => {
    const all = [lesson('a', true), lesson('b', false), lesson('c', true)];
    expect(lessonNow(all, [], null, table)?.name).toBe('a');
    expect(lessonNow(all, ['a'], null, table)?.name).toBe('c');
    expect(lessonNow(all, ['a', 'c'], null, table)).toBeNull();
  });
  it('stay until they are understood, or until what they ask for is done', () => {
    const told = lesson('a', false);
    const asked = lesson('b', false, true);
    expect(lessonNow([told, asked], [], told, table)).toBe(told);
    expect(lessonNow([told, asked], [], asked, table)).toBeNull();
  });
  it('are passed by whoever just plays', () => {
    const all = lessonsOf('six-nimmt');
    const at = (change: object) => ({ choice: null, selected: null, offers: [{ action: 1, move: 'play 1', label: '' }, { action: 2, move: 'row 1', label: '' }], kit: kitOf('six-nimmt'), ...change }) as unknown as Table;
    const [order] = all.filter((one) => one.name === 'order');
    expect(passedBy(all, all[0], at({}))).toEqual([]);
    expect(passedBy(all, all[0], at({ selected: 1 }))).toEqual(['goal', 'hand', 'pick']);
    expect(passedBy(all, order, at({ choice: 1 }))).toEqual(['goal', 'hand', 'pick', 'play', 'order']);
    expect(passedBy(all, order, at({ choice: 2 }))).toEqual(['order']);
  });
  it.each(Object.keys(PRACTICE))('of %s are all written down', (game) => {
    const pages = ['en', 'pl'].map((language) => readFileSync(`../src/bullpen/locale/${language}.lessons.toml`, 'utf8'));
    const names = lessonsOf(game).map((one) => one.name);
    expect(names.length).toBeGreaterThanOrEqual(6);
    for (const page of pages) {
      const told = page.split(`[lessons.${game}]\n`)[1].split('\n[')[0];
      expect([...told.matchAll(/^(\w+) = ".+"$/gm)].map((line) => line[1]).sort()).toEqual([...names].sort());
    }
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
