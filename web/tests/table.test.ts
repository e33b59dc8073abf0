import { fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { beforeEach, expect, test, vi } from 'vitest';
import { renewal } from '../src/lib/renewed.svelte';
import { settings } from '../src/lib/settings.svelte';
import { Table } from '../src/lib/table.svelte';
import type { ClientMessage, View, Welcome } from '../src/lib/wire';
import Hand from '../src/ui/Hand.svelte';
import Memory from '../src/ui/Memory.svelte';
import Rows from '../src/ui/Rows.svelte';
import { rowsOf } from '../src/games/rows';

const heads = Array.from({ length: 104 }, () => 1);

function view(change: Partial<View> = {}): View {
  return {
    type: 'view', turn: 1, steps: [], phase: 'laying', actor: null,
    places: { 'row 1': [3, 8], 'row 2': [10], 'row 3': [20, 21, 22, 23, 24], 'row 4': [51], 'hand 0': [2, 12, 30], 'laid 0': [], 'hand 1': 3, 'laid 1': 0, 'taken 0': 0, 'taken 1': 0 },
    remembered: null, facts: { heads_taken: [0, 0] }, waiting: [0, 1], chosen: [],
    decision: { number: 4, choice: null, moves: [2, 12, 30].map((card) => ({ action: card, move: `play ${card}`, label: `Play the ${card}` })) },
    scores: [0, 0], rounds: [], pace: { pause: 0, seconds: null }, can_undo: false, ...change
  };
}

function seated(now: View | null = view()): { table: Table; sent: ClientMessage[] } {
  const table = new Table('abc');
  const sent: ClientMessage[] = [];
  table.link.say = (message) => sent.push(message) > 0;
  const seats = ['Ann', 'Bo'].map((name, seat) => ({ seat, kind: 'person' as const, name, level: null, connected: true, stand_in: false, sent_away: false, muted: false, reserved_for: null }));
  table.hear({
    type: 'welcome', version: 2, seat: 0, language: 'en',
    table: { id: 'abc', game: 'six-nimmt', title: '6 nimmt!', options: {}, basis: 'established', deck: { heads }, card_names: {}, clock: null, coach: false, memory_aid: false, practice: false, listed: false, spectators: true, stand_in: 'medium' },
    lobby: { status: 'playing', host: 0, spectators: 0, rematch: null, seats }, fair: { scheme: null, commitment: null, commitments: null, unopened: null, secret: null, shares: null },
    phrases: [], chat: [], view: now, left: null, result: null
  } satisfies Welcome);
  return { table, sent };
}

beforeEach(() => {
  settings.kept.speed = 'instant';
});

test('a look at what was, answered while cards fly, does not bring it back', async () => {
  const { table } = seated();
  const happened = (text: string) => [{ event: { event: 'place', seat: 0 }, text, moves: [] }];
  table.hear(view({ turn: 2, steps: happened('first') }));
  expect(table.animating).toBe(true);
  table.hear(view({ turn: 2 }));
  table.hear(view({ turn: 3, steps: happened('second') }));
  await vi.waitFor(() => expect(table.animating).toBe(false));
  expect(table.shown?.turn).toBe(3);
});

test('arrows go through the hand, a click picks a card, Enter plays it', async () => {
  const { table } = seated();
  const played: number[] = [];
  render(Hand, { table, play: (card: number) => played.push(card) });
  const cards = screen.getAllByRole('button');
  expect(cards.filter((card) => card.tabIndex === 0)).toHaveLength(1);
  cards[0].focus();
  await fireEvent.keyDown(cards[0], { key: 'ArrowRight' });
  expect(document.activeElement).toBe(cards[1]);
  await fireEvent.click(cards[1]);
  expect(cards[1]).toHaveAttribute('aria-pressed', 'true');
  expect(table.selected).toBe(12);
  await fireEvent.keyDown(cards[1], { key: 'Enter' });
  expect(played).toEqual([12]);
  await fireEvent.keyDown(cards[1], { key: 'Escape' });
  expect(table.selected).toBeNull();
});

test.each([
  [12, 'row 2', 'add'],
  [30, 'row 3', 'take'],
  [2, null, 'choose']
])('the picked %i shows where it would go', (card, place, kind) => {
  const { table } = seated();
  table.select(card);
  expect(table.preview).toMatchObject({ place, kind });
  expect(table.preview!.text).not.toBe('');
});

test('a row that would be taken is marked, and said', async () => {
  const { table } = seated();
  const { container } = render(Rows, { table, rows: rowsOf(table.places), slots: () => 6 });
  table.select(30);
  await tick();
  expect(container.querySelectorAll('.full')).toHaveLength(1);
  expect(table.preview!.text).toBe('It would take row 3: 5 bull heads!');
});

test('a secret choice lies on the table at once, and can be changed until all have chosen', async () => {
  const { table, sent } = seated();
  await table.choose(12);
  expect(sent).toEqual([{ type: 'move', decision: 4, action: 12 }]);
  expect(table.places['laid 0']).toEqual([12]);
  expect(table.hand).toEqual([2, 30]);
  table.hear({ type: 'accepted', decision: 4, action: 12, next: 5 });
  expect(table.choice).toBe(12);
  await table.choose(30);
  expect(sent.at(-1)).toEqual({ type: 'move', decision: 5, action: 30 });
  expect(table.places['laid 0']).toEqual([30]);
  expect(table.hand).toEqual([2, 12]);
});

test('a refused move is taken back and explained', async () => {
  const { table, sent } = seated();
  await table.choose(12);
  table.hear({ type: 'refused', decision: 4, key: 'x', rule: 'SN-3', message: 'Not possible (SN-3).' });
  expect(table.places['laid 0']).toEqual([]);
  expect(table.complaint).toBe('Not possible (SN-3).');
  expect(sent.at(-1)).toEqual({ type: 'look' });
});

test('a refusal stays while the table is the same, and goes when something is done or happens', async () => {
  const { table } = seated();
  await table.choose(12);
  table.hear({ type: 'refused', decision: 4, key: 'x', rule: 'SN-3', message: 'Not possible (SN-3).' });
  table.hear(view()); // what the refusal asked for
  expect(table.complaint).toBe('Not possible (SN-3).');
  table.select(30);
  expect(table.complaint).toBe('');
  table.complain('No.');
  table.hear(view({ turn: 2 }));
  expect(table.complaint).toBe('');
});

test('after a while it is said again what to do', () => {
  vi.useFakeTimers();
  const { table } = seated();
  table.complain('No.');
  vi.advanceTimersByTime(60_000);
  expect(table.complaint).toBe('');
  vi.useRealTimers();
});

test.each([
  ['playing', true],
  ['waiting', false]
] as const)('a table that lets nobody watch says so; when it is %s, it is not asked again: %s', async (status, closed) => {
  const table = new Table('abc');
  const close = vi.spyOn(table.link, 'close');
  const told = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(JSON.stringify({ seat: null, table: { spectators: false }, lobby: { status, seats: [] } })));
  table.link.failed();
  await expect.poll(() => table.gone).toBe('This table lets nobody watch.');
  expect(close.mock.calls.length > 0).toBe(closed);
  told.mockRestore();
});

test('who has lost a seat at a table that is played may watch', async () => {
  const table = new Table('abc');
  const told = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(JSON.stringify({ seat: null, table: { spectators: true }, lobby: { status: 'playing', seats: [] } })));
  expect(table.link.url()).not.toContain('watch');
  table.link.failed();
  await expect.poll(() => table.link.url()).toContain('watch=yes');
  told.mockRestore();
});

test('a page that is older than its server is loaded again, once', async () => {
  const reload = vi.spyOn(renewal, 'load').mockImplementation(() => sessionStorage.setItem('bullpen.renewed', String(Date.now())));
  const told = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('ok'));
  const { table } = seated();
  expect(told).not.toHaveBeenCalled();
  table.hear({ ...table.welcome!, version: 3 as never });
  await expect.poll(() => renewal.state).toBe('newer');
  dispatchEvent(new Event('vite:preloadError')); // a file of the old version is gone
  await expect.poll(() => told.mock.calls.length).toBe(2);
  expect(reload).toHaveBeenCalledTimes(1);
  vi.restoreAllMocks();
  sessionStorage.clear();
  renewal.state = '';
});

test.each([
  ['does not answer', () => Promise.reject(new Error())],
  ['answers 503', async () => new Response('', { status: 503 })]
])('a server that %s is no newer one; when it is back, the page is loaded and nothing is said any more', async (_, answer) => {
  vi.useFakeTimers();
  const reload = vi.spyOn(renewal, 'load').mockImplementation(() => {});
  const told = vi.spyOn(globalThis, 'fetch').mockImplementation(answer);
  dispatchEvent(new Event('vite:preloadError'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(renewal.state).toBe('silent');
  expect(reload).not.toHaveBeenCalled();
  told.mockImplementation(async () => new Response('ok'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(renewal.state).toBe('');
  expect(reload).toHaveBeenCalledTimes(1);
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test('where nothing can be remembered, the page is loaded by the button, and only by it', async () => {
  const refuse = () => {
    throw new DOMException('', 'SecurityError');
  };
  vi.stubGlobal('sessionStorage', { getItem: refuse, setItem: refuse });
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('ok'));
  await renewal.look();
  expect(renewal.state).toBe('newer');
  expect(reload).not.toHaveBeenCalled(); // it could turn in a circle
  renewal.load();
  expect(reload).toHaveBeenCalledTimes(1);
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  renewal.state = '';
});

test('advice is shown for the question it was asked about, and no longer', () => {
  const { table, sent } = seated();
  table.askHint();
  expect(sent.at(-1)).toEqual({ type: 'hint', decision: 4 });
  expect(table.hinting).toBe(true);
  table.hear({ type: 'hint', decision: 4, action: 12, message: 'Play the 12.', details: {} });
  expect(table.hinting).toBe(false);
  expect(table.currentHint?.message).toBe('Play the 12.');
  table.hear(view({ turn: 2, decision: { number: 6, choice: null, moves: [] } }));
  expect(table.currentHint).toBeNull();
});

test('who asks the coach while nobody listens does not wait for ever', () => {
  const { table } = seated();
  table.link.say = () => false;
  table.askHint();
  expect(table.hinting).toBe(false);
  table.link.say = () => true;
  table.askHint();
  table.hear(table.welcome!); // the connection was lost, and the question with it
  expect(table.hinting).toBe(false);
});

test.each([
  [404, 'No such table.'],
  [429, '']
])('after a refusal with %i the table is gone: "%s"', async (status, gone) => {
  const { table } = seated(null);
  const body = JSON.stringify({ key: 'x', message: 'No such table.' });
  const told = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(body, { status }));
  table.link.failed();
  await expect.poll(() => told.mock.results.length).toBe(1);
  await new Promise((done) => setTimeout(done, 20));
  expect(table.gone).toBe(gone);
  told.mockRestore();
});

test('a move that nobody acknowledged is sent again after the connection is back', async () => {
  const { table, sent } = seated();
  await table.choose(12);
  const welcome = table.welcome!;
  table.hear(welcome);
  expect(sent.filter((message) => message.type === 'move')).toHaveLength(2);
  table.hear({ ...welcome, view: view({ turn: 2, decision: null }) });
  expect(sent.filter((message) => message.type === 'move')).toHaveLength(2);
  expect(table.pending).toBeNull();
});

test('steps are shown one after the other, and end where the server says', async () => {
  const { table } = seated();
  await table.choose(12);
  const after = view({
    turn: 2,
    steps: [
      { event: { event: 'reveal', cards: [12, 60] }, text: 'You play 12, Bo 60.', moves: [{ cards: [12], from: 'laid 0', to: 'laid 0' }, { cards: [60], from: 'laid 1', to: 'laid 1' }] },
      { event: { event: 'place', seat: 0, card: 12, row: 2 }, text: 'You add 12 to row 2.', moves: [{ cards: [12], from: 'laid 0', to: 'row 2' }] },
      { event: { event: 'place', seat: 1, card: 60, row: 4 }, text: 'Bo adds 60 to row 4.', moves: [{ cards: [60], from: 'laid 1', to: 'row 4' }] }
    ] as never,
    places: { ...view().places, 'row 2': [10, 12], 'row 4': [51, 60], 'hand 0': [2, 30], 'hand 1': 2 },
    decision: { number: 6, choice: null, moves: [] }
  });
  table.hear(after);
  expect(table.animating).toBe(true);
  await expect.poll(() => table.animating).toBe(false);
  expect(table.places).toEqual(after.places);
  expect(table.log.map((line) => line.text)).toEqual(after.steps.map((step) => step.text));
});

test('a view that comes again is not shown again', () => {
  const { table } = seated();
  const lines = table.log.length;
  table.hear(view());
  expect(table.log).toHaveLength(lines);
  expect(table.animating).toBe(false);
});

test('a counted round shows all that counts, also to somebody who has just come back', async () => {
  const { table } = seated();
  const opened = [{ cards: [24, 51], from: 'taken 0', to: 'taken 0' }];
  const steps = [{ event: { event: 'round_end' }, text: 'The round is over.', moves: opened }, { event: { event: 'deal' }, text: '', moves: [] }];
  table.hear(view({ turn: 2, steps: steps as never, rounds: [[2, 0]], scores: [2, 0] }));
  await expect.poll(() => table.roundEnd).not.toBeNull();
  expect(table.roundEnd).toEqual({ rounds: [[2, 0]], scores: [2, 0], taken: [[24, 51], []] });
  table.goOn();
  await expect.poll(() => table.animating).toBe(false);
});

test('whose seat was freed before the start sees the lobby without it', async () => {
  const { table } = seated(null);
  const lobby = table.lobby!;
  const free = { ...lobby, status: 'waiting', seats: lobby.seats.map((seat) => (seat.seat === 0 ? { ...seat, kind: 'open' as const, name: '' } : seat)) };
  const told = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(JSON.stringify({ lobby: free }), { headers: { 'content-type': 'application/json' } }));
  table.link.failed();
  await expect.poll(() => table.seat).toBeNull();
  expect(table.lobby).toEqual(free);
  expect(table.gone).toBe('');
  told.mockRestore();
});

test('who was sent away from a game is told so, and has no seat there though it still shows their name', async () => {
  const { table } = seated();
  table.hear({ type: 'closing', key: 'sent_away', message: 'The host has sent you away.' });
  expect(table.complaint).toBe('The host has sent you away.');
  const shown = { lobby: table.lobby, table: table.welcome!.table, seat: null };
  const told = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(JSON.stringify(shown), { headers: { 'content-type': 'application/json' } }));
  table.link.failed();
  await expect.poll(() => table.seat).toBeNull();
  told.mockRestore();
});

test.each([
  ['hand 1', 'Bo: surely in hand'],
  ['taken 0', 'You: taken'],
  ['pile 1', 'Bo: taken'],
  ['x pile 1', 'Bo: taken'],
  ['bull pile 1', 'Bo: taken'],
  ['draw 0', 'You: put under the draw pile'],
  ['draw', 'In the draw pile'],
  ['discard', 'Discarded'],
  ['stack 2', 'In the stack under the 51']
])('the memory aid says what it knows of %s: "%s"', (place, title) => {
  const { table } = seated(view({ places: { 'stack 2': [51] }, remembered: { [place]: [0, 17] } }));
  render(Memory, { table });
  expect(screen.getByText(title)).toBeVisible();
});
