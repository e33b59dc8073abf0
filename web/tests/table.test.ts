import { fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { speaker } from '../src/lib/i18n.svelte';
import { renewal } from '../src/lib/renewed.svelte';
import { settings } from '../src/lib/settings.svelte';
import { Table } from '../src/lib/table.svelte';
import type { ClientMessage, TableFacts, Taking, View, Welcome } from '../src/lib/wire';
import Playing from '../src/pages/Playing.svelte';
import Coach from '../src/ui/Coach.svelte';
import Join from '../src/pages/Join.svelte';
import Seats from '../src/ui/Seats.svelte';
import Chat from '../src/ui/Chat.svelte';
import Hand from '../src/ui/Hand.svelte';
import Memory from '../src/ui/Memory.svelte';
import Rows from '../src/ui/Rows.svelte';
import { rowsOf } from '../src/games/placed';
import { progressOf } from '../src/games/generic';
import Result from '../src/ui/Result.svelte';
import RoundEnd from '../src/ui/RoundEnd.svelte';
import { offers, place, plays } from './offered';

const ROWS = ['row 1', 'row 2', 'row 3', 'row 4'];
const heads = Array.from({ length: 104 }, () => 1);

function view(change: Partial<View> = {}): View {
  return {
    type: 'view',
    turn: 1,
    steps: [],
    phase: 'laying',
    actor: null,
    places: {
      'row 1': [3, 8],
      'row 2': [10],
      'row 3': [20, 21, 22, 23, 24],
      'row 4': [51],
      'hand 0': [2, 12, 30],
      'laid 0': [],
      'hand 1': 3,
      'laid 1': 0,
      'taken 0': 0,
      'taken 1': 0
    },
    remembered: null,
    facts: { heads_taken: [0, 0] },
    waiting: [0, 1],
    chosen: [],
    decision: {
      ...offers(
        plays(2, 'play 2', { action: 2, effect: 'chooses', next: ROWS }),
        plays(12, 'play 12', { action: 12, place: 'row 2' }),
        plays(30, 'play 30', {
          action: 30,
          place: 'row 3',
          effect: 'takes',
          taken: [20, 21, 22, 23, 24],
          points: 5,
          tone: 'bad'
        })
      ),
      unusable: []
    },
    scores: [0, 0],
    rounds: [],
    pace: { pause: 0, seconds: null },
    can_undo: false,
    ...change
  };
}

function seated(
  now: View | null = view(),
  facts: Partial<TableFacts> = {}
): { table: Table; sent: ClientMessage[]; line: { isDead: boolean } } {
  const table = new Table('abc');
  const sent: ClientMessage[] = [];
  const line = { isDead: false };
  table.link.say = (message) => !line.isDead && sent.push(message) > 0;
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
  table.hear({
    type: 'welcome',
    version: 2,
    seat: 0,
    language: 'en',
    table: {
      id: 'abc',
      game: 'six-nimmt',
      title: '6 nimmt!',
      options: {},
      basis: 'established',
      deck: { heads },
      card_names: {},
      clock: null,
      coach: false,
      memory_aid: false,
      practice: false,
      listed: false,
      spectators: true,
      stand_in: 'medium',
      best: 'fewest',
      places: [
        place('row', 'number', { count: 4, room: [6, 6, 6, 6] }),
        place('hand', 'seat', { sight: 'held' }),
        place('laid', 'seat', { tray: 'hand' }),
        place('taken', 'seat', { sight: 'face down' })
      ],
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
    view: now,
    left: null,
    result: null
  } satisfies Welcome);
  return { table, sent, line };
}

beforeEach(() => {
  settings.kept.speed = 'instant';
});

const PATIENCE = 180_000; // ms: a limit for what hangs, as in tests/patience.py
/** Whatever happens without time going by has happened. */
const settled = async () => {
  for (let at = 0; at < 100; at++) await tick();
  await new Promise((done) => setImmediate(done)); // however many promises wait for one another
};

test('a look at what was, answered while cards fly, does not bring it back', async () => {
  const { table } = seated();
  const happened = (text: string) => [
    { event: { event: 'place', seat: 0 }, text, moves: [], tally: null }
  ];
  table.hear(view({ turn: 2, steps: happened('first') }));
  expect(table.animating).toBe(true);
  table.hear(view({ turn: 2 }));
  table.hear(view({ turn: 3, steps: happened('second') }));
  await vi.waitFor(() => expect(table.animating).toBe(false), PATIENCE);
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
  [12, ['row 2'], 'add', 'plain'],
  [30, ['row 3'], 'take', 'bad'],
  [2, ROWS, 'choose', 'plain']
])('the picked %i shows where it would go', (card, places, kind, tone) => {
  const { table } = seated();
  table.select(card);
  expect(table.preview).toMatchObject({ places, kind, tone });
  expect(table.preview!.text).not.toBe('');
});

test('a row that would be taken is marked, and said', async () => {
  const { table } = seated();
  const { container } = render(Rows, { table, rows: rowsOf(table.places) });
  table.select(30);
  await tick();
  expect(container.querySelectorAll('.full')).toHaveLength(1);
  expect(table.preview!.text).toBe('It would take row 3: 5 bull heads!');
  expect(container.querySelectorAll('.row:first-child .slot')).toHaveLength(6);
});

test('while cards fly it is not said where a picked one would go: the table is another one then', async () => {
  const { table } = seated();
  const steps = [{ event: { event: 'place', seat: 1 }, text: 'first', moves: [], tally: null }];
  table.hear(view({ turn: 2, steps }));
  table.select(12);
  expect(table.animating).toBe(true);
  expect(table.preview).toBeNull();
  await expect.poll(() => table.preview?.places).toEqual(['row 2']);
});

/** The view, with another word on what takes row 3. */
const said = (tone: 'good' | 'bad'): View => {
  const { decision, ...rest } = view();
  const moves = decision!.moves.map((offer) => (offer.tone ? { ...offer, tone } : offer));
  return { ...rest, decision: { ...decision!, moves } };
};

test('where the most points win, what takes a row is good, and the result says so', async () => {
  const { table } = seated(said('good'), { best: 'most' });
  const { container } = render(Rows, { table, rows: rowsOf(table.places) });
  table.select(30);
  await tick();
  expect(table.preview?.tone).toBe('good');
  expect(container.querySelectorAll('.full')).toHaveLength(0);
  table.hear({
    type: 'result',
    scores: [3, 12],
    rounds: [[3, 12]],
    winners: [1],
    played_for: [0, 0],
    text: 'Bo wins.',
    fair: table.welcome!.fair,
    replay: '',
    tally: [[], [{ name: 'taken', text: 'taken', cards: [55], points: '+12', tone: 'good' }]]
  });
  render(Result, { table, open: true });
  expect(screen.getByText('Points: the highest score wins.')).toBeInTheDocument();
  const shown = [...document.querySelectorAll('dialog li b[title]')];
  expect(shown.map((one) => one.getAttribute('title'))).toEqual(['12 points', '3 points']);
  expect(document.querySelectorAll('dialog h4')[0]).toHaveTextContent('Bo');
});

test('what was told before is told again in the language of now', async () => {
  const { table, sent } = seated();
  const place = { event: 'place', seat: 1 };
  const told = { event: place, text: 'Bo adds 12.', moves: [], tally: null };
  table.hear(view({ turn: 2, steps: [told] }));
  await expect.poll(() => table.log.at(-1)?.text).toBe('Bo adds 12.');
  await speaker.speak('pl');
  table.followLanguage();
  expect(sent.slice(-2)).toEqual([{ type: 'language', language: 'pl' }, { type: 'story' }]);
  const lines = [{ event: 'place', text: 'Bo dokłada 12.' }];
  const story = { type: 'story' as const, phrases: [], chat: [], result: null };
  table.hear({ ...story, language: 'pl', lines });
  await expect.poll(() => table.log.map((line) => line.text)).toEqual(['Bo dokłada 12.']);
  await speaker.speak('en'); // what comes now is old
  table.hear({ ...story, language: 'pl', lines: [] });
  expect(table.log).toHaveLength(1);
});

test('where several games are played in a row, it is a game that is over', async () => {
  const { table } = seated(view(), { options: { games: 2 } });
  table.roundEnd = { rounds: [[3, 1]], scores: [3, 1], tally: [[], []] };
  render(RoundEnd, { table });
  expect(screen.getByText('Game 1 is over')).toBeInTheDocument();
  expect(progressOf(table)).toBe('Game 1 of 2');
});

test('cards that move after the last event move without a line in the log', async () => {
  const { table } = seated();
  const steps = [
    { event: { event: 'place', seat: 1 }, text: 'first', moves: [], tally: null },
    {
      event: null,
      text: '',
      moves: [{ cards: [51], from: 'row 4', to: 'taken 1' }],
      tally: null
    }
  ];
  table.hear(view({ turn: 2, steps }));
  await expect.poll(() => table.animating).toBe(false);
  expect(table.log.map((line) => line.text)).toEqual(['first']);
});

test('why a card cannot be played is said as the server says it', async () => {
  const { moves } = view().decision!;
  const decision = {
    number: 4,
    choice: null,
    moves: moves.slice(1),
    unusable: [{ card: 2, why: 'The 2 is too low (SN-3).' }]
  };
  const { table } = seated(view({ decision }));
  render(Hand, { table, play: () => {} });
  await fireEvent.click(screen.getByRole('button', { name: /^Card 2,/ }));
  expect(table.complaint).toBe('The 2 is too low (SN-3).');
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
  table.hear({
    type: 'refused',
    decision: 4,
    key: 'x',
    rule: 'SN-3',
    message: 'Not possible (SN-3).'
  });
  expect(table.places['laid 0']).toEqual([]);
  expect(table.complaint).toBe('Not possible (SN-3).');
  expect(sent.at(-1)).toEqual({ type: 'look' });
});

test('a refusal stays while the table is the same, and goes when something is done or happens', async () => {
  const { table } = seated();
  await table.choose(12);
  table.hear({
    type: 'refused',
    decision: 4,
    key: 'x',
    rule: 'SN-3',
    message: 'Not possible (SN-3).'
  });
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
  ['playing', 1],
  ['waiting', 2]
] as const)(
  'a table that lets nobody watch says so, and opens no socket; %s, it is looked at %i times',
  async (status, looks) => {
    vi.useFakeTimers();
    const table = new Table('abc');
    const close = vi.spyOn(table.link, 'close');
    const told = vi.spyOn(globalThis, 'fetch').mockImplementation(
      async () =>
        new Response(
          JSON.stringify({
            seat: null,
            table: { spectators: false },
            lobby: { status, seats: [] }
          })
        )
    );
    table.link.failed();
    await vi.advanceTimersByTimeAsync(6000);
    expect(table.gone).toBe('This table lets nobody watch.');
    expect(close).toHaveBeenCalled();
    expect(told).toHaveBeenCalledTimes(looks);
    table.close();
    told.mockRestore();
    vi.useRealTimers();
  }
);

test('who has lost a seat at a table that is played may watch', async () => {
  const table = new Table('abc');
  const told = vi.spyOn(globalThis, 'fetch').mockImplementation(
    async () =>
      new Response(
        JSON.stringify({
          seat: null,
          table: { spectators: true },
          lobby: { status: 'playing', seats: [] }
        })
      )
  );
  expect(table.link.url()).toContain('explain=yes');
  expect(table.link.url()).not.toContain('watch');
  table.link.failed();
  await expect.poll(() => table.link.url()).toContain('watch=yes');
  told.mockRestore();
});

test('a page that is older than its server is loaded again, once', async () => {
  const reload = vi
    .spyOn(renewal, 'load')
    .mockImplementation(() => sessionStorage.setItem('bullpen.renewed', String(Date.now())));
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
])(
  'a server that %s is no newer one; when it is back, the page is loaded and nothing is said any more',
  async (_, answer) => {
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
  }
);

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

test.each([
  [404, 'No such table.'],
  [429, '']
])('after a refusal with %i the table is gone: "%s"', async (status, gone) => {
  const { table } = seated(null);
  const body = JSON.stringify({ key: 'x', message: 'No such table.' });
  const told = vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(async () => new Response(body, { status }));
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
  table.hear({ ...welcome, view: view({ turn: 2, decision: null }) });
  expect(sent.filter((message) => message.type === 'move')).toHaveLength(3); // and then no more
  expect(table.pending).toBeNull();
});

test('steps are shown one after the other, and end where the server says', async () => {
  const { table } = seated();
  await table.choose(12);
  const after = view({
    turn: 2,
    steps: [
      {
        event: { event: 'reveal', cards: [12, 60] },
        text: 'You play 12, Bo 60.',
        moves: [
          { cards: [12], from: 'laid 0', to: 'laid 0' },
          { cards: [60], from: 'laid 1', to: 'laid 1' }
        ]
      },
      {
        event: { event: 'place', seat: 0, card: 12, row: 2 },
        text: 'You add 12 to row 2.',
        moves: [{ cards: [12], from: 'laid 0', to: 'row 2' }]
      },
      {
        event: { event: 'place', seat: 1, card: 60, row: 4 },
        text: 'Bo adds 60 to row 4.',
        moves: [{ cards: [60], from: 'laid 1', to: 'row 4' }]
      }
    ].map((step) => ({ ...step, tally: null })),
    places: {
      ...view().places,
      'row 2': [10, 12],
      'row 4': [51, 60],
      'hand 0': [2, 30],
      'hand 1': 2
    },
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
  const tally = [
    [{ name: 'taken', text: 'taken', cards: [24, 51], points: '2', tone: 'bad' as const }],
    []
  ];
  const moves = [{ cards: [24, 51], from: 'taken 0', to: 'taken 0' }];
  const steps = [
    { event: { event: 'round_end' }, text: 'The round is over.', moves, tally },
    { event: { event: 'deal' }, text: '', moves: [], tally: null }
  ];
  table.hear(view({ turn: 2, steps: steps, rounds: [[2, 0]], scores: [2, 0] }));
  await expect.poll(() => table.roundEnd).not.toBeNull();
  expect(table.roundEnd).toEqual({ rounds: [[2, 0]], scores: [2, 0], tally });
  table.goOn();
  await expect.poll(() => table.animating).toBe(false);
});

test('whose seat was freed before the start sees the lobby without it', async () => {
  const { table } = seated(null);
  const lobby = table.lobby!;
  const free = {
    ...lobby,
    status: 'waiting',
    seats: lobby.seats.map((seat) =>
      seat.seat === 0 ? { ...seat, kind: 'open' as const, name: '' } : seat
    )
  };
  const told = vi.spyOn(globalThis, 'fetch').mockImplementation(
    async () =>
      new Response(JSON.stringify({ lobby: free }), {
        headers: { 'content-type': 'application/json' }
      })
  );
  table.link.failed();
  await expect.poll(() => table.seat).toBeNull();
  expect(table.lobby).toEqual(free);
  expect(table.gone).toBe('');
  told.mockRestore();
});

test('who was sent away from a game is told so, and watches it like anybody', () => {
  const { table } = seated();
  const open = vi.spyOn(table.link, 'open').mockImplementation(() => {});
  table.hear({ type: 'closing', key: 'sent_away', message: 'The host has sent you away.' });
  expect(table.sentAway).toBe('The host has sent you away.');
  expect(table.gone).toBe('');
  expect(open).toHaveBeenCalledOnce();
  expect(table.link.url()).toContain('watch=yes');
});

test.each([
  ['six-nimmt', 'hand 1', 'seat', 'Bo: surely in hand'],
  ['six-nimmt', 'taken 0', 'seat', 'You: taken'],
  ['x-nimmt', 'x pile 1', 'seat', 'Bo: taken'],
  ['baron-oxx', 'draw 0', 'seat', 'You: put under the draw pile'],
  ['bullenparty', 'draw', 'one', 'Draw pile'],
  ['bullenparty', 'discard', 'one', 'Discard pile'],
  ['eleven-nimmt', 'stack 2', 'heap', 'In the stack under the 51'],
  ['new-game', 'well 1', 'seat', 'Bo: taken']
] as const)('the memory aid of %s says what it knows of %s', (game, name, kind, title) => {
  const places = [place(name.replace(/ \d$/, ''), kind, {})];
  const now = view({ places: { 'stack 2': [51] }, remembered: { [name]: [0, 17] } });
  const { table } = seated(now, { game, places });
  render(Memory, { table });
  expect(screen.getByText(title)).toBeVisible();
});

const spoken = (text: string, at = '2026-11-16T12:00:00Z') => ({
  type: 'chat' as const,
  seat: 0,
  name: 'Ann',
  text,
  phrase: null,
  at
});

test('what is said on a dead line is said again on the next one, and only what was not heard', () => {
  const { table, sent, line } = seated();
  table.say('Heard');
  table.hear(spoken('Heard'));
  line.isDead = true;
  table.say('Heard, but it never came back');
  table.say('Not  heard');
  line.isDead = false;
  sent.length = 0;
  const chat = [spoken('Heard'), spoken('Heard, but it never came back', '2026-11-16T12:00:05Z')];
  table.hear({ ...table.welcome!, chat });
  expect(sent).toEqual([{ type: 'chat', text: 'Not  heard' }]);
  table.hear(spoken('Not heard'));
  expect(table.unsaid).toEqual([]);
});

test('what is said and not sent yet is shown as such', () => {
  const { table, line } = seated();
  line.isDead = true;
  table.link.tries = 1;
  table.say('Are you there?');
  render(Chat, { table });
  expect(screen.getByText(/Are you there/)).toHaveTextContent('Not sent yet.');
});

test('what the server will not have said is not said again and again', () => {
  const { table } = seated();
  table.say('Shh');
  table.hear({ type: 'error', key: 'muted', message: 'The host has muted you.' });
  expect(table.unsaid).toEqual([]);
  expect(table.complaint).toBe('The host has muted you.');
});

test('a question to the coach that was lost is asked again; one that is past is not', () => {
  const { table, sent, line } = seated();
  line.isDead = true;
  table.askHint();
  expect(table.hinting).toBe(true);
  line.isDead = false;
  table.hear(table.welcome!);
  const asked = { type: 'hint', decision: table.decision!.number };
  expect(sent).toContainEqual(asked);
  sent.length = 0;
  const later = view({ turn: 2 });
  later.decision = { ...later.decision!, number: later.decision!.number + 1 };
  table.hear({ ...table.welcome!, view: later });
  expect(sent).not.toContainEqual(asked);
  expect(table.hinting).toBe(false);
});

test('a move of which nobody knows whether it was heard is sent again, though the table has gone on', () => {
  const { table, sent, line } = seated();
  line.isDead = true;
  const { number } = table.decision!;
  void table.choose(12);
  line.isDead = false;
  const later = view({ turn: 2 });
  later.decision = { ...later.decision!, number: number + 1 };
  table.hear({ ...table.welcome!, view: later });
  expect(sent).toContainEqual({ type: 'move', decision: number, action: 12 });
  const message = 'decision 1 was already answered with another move';
  table.hear({ type: 'refused', decision: number, key: 'decision_answered', rule: null, message });
  expect(table.complaint).toBe(message);
});

test('to take back is not asked later, when it would mean something else: it is said to be lost', () => {
  const { table, line } = seated();
  line.isDead = true;
  table.askUndo();
  expect(table.complaint).toContain('was not sent');
});

const step = (
  event: string,
  seat: number | null,
  moves: [number[], string, string][],
  taking?: Taking
) => ({
  event: { event, seat },
  text: event,
  moves: moves.map(([cards, from, to]) => ({ cards, from, to, taking })),
  tally: null
});
const revealing = () =>
  view({
    turn: 2,
    steps: [
      step('reveal', null, [
        [[30], 'laid 0', 'laid 0'],
        [[9], 'laid 1', 'laid 1']
      ]),
      step('place', 1, [[[9], 'laid 1', 'row 1']]),
      step('take', 0, [[[20, 21, 22, 23, 24], 'row 3', 'taken 0']], {
        seat: 0,
        heads: 5,
        tone: 'bad'
      }),
      step('place', 0, [[[30], 'laid 0', 'row 3']])
    ]
  });

test('the cards of a turn stand as they are placed, with where they went and what they took', async () => {
  const { table } = seated();
  table.hear(revealing());
  expect(table.revealed.map(({ card }) => card)).toEqual([9, 30]);
  expect(table.revealed.map(({ place }) => place)).toEqual([null, null]);
  await vi.waitFor(() => expect(table.animating).toBe(false), PATIENCE);
  expect(table.revealed).toMatchObject([
    { seat: 1, card: 9, place: 'row 1', took: null },
    { seat: 0, card: 30, place: 'row 3', took: 5, tone: 'bad' }
  ]);
});

test('while cards fly there is a way to skip, though a card may be chosen already; a tap steps on', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }); // no time goes by
  // Flights have a clock of their own: where the board is there in time, they would go on by it.
  const flights = vi.spyOn(Element.prototype, 'animate');
  flights.mockReturnValue({ finished: Promise.resolve() } as unknown as Animation);
  onTestFinished(() => {
    vi.useRealTimers();
    flights.mockRestore();
  });
  settings.kept.speed = 'relaxed';
  const { table } = seated();
  render(Playing, { table });
  expect(screen.queryByRole('button', { name: 'Skip' })).toBeNull();
  table.hear(revealing());
  await tick();
  expect(table.byCard.size).toBeGreaterThan(0);
  expect(screen.getByRole('list', { name: 'Cards of this turn' })).toHaveTextContent(/9.*30/);
  const told = table.log.length;
  await fireEvent.click(screen.getByRole('main'));
  await settled();
  expect(table.log.length).toBeGreaterThan(told);
  expect(table.animating).toBe(true);
  await fireEvent.click(screen.getByRole('button', { name: 'Skip' }));
  for (let ms = 0; ms < 600; ms += 60) {
    await vi.advanceTimersByTimeAsync(60); // all of it would take five seconds
    await settled();
  }
  expect(table.animating).toBe(false);
});

test('what is collected and not counted yet is no loss: no points fly, and nothing is red', async () => {
  const { table } = seated(view(), {
    places: [
      place('row', 'number', { count: 4, room: [6, 6, 6, 6] }),
      place('hand', 'seat', { sight: 'held' }),
      place('laid', 'seat', { tray: 'hand' }),
      place('collected', 'one')
    ]
  });
  settings.kept.speed = 'normal';
  const looked = { seat: null, heads: 2, tone: 'plain' as const };
  const collects = step('collect', 0, [[[20, 21], 'row 3', 'collected']], looked);
  table.hear(view({ turn: 2, steps: [collects] }));
  expect(table.spot).toEqual({ place: 'row 3', tone: 'add' });
  await vi.waitFor(() => expect(table.animating).toBe(false), PATIENCE);
  expect(table.burst).toBeNull();
});

const MORE = ['Ann', 'Bo'].map((name, seat) => ({
  seat,
  kind: 'person' as const,
  name,
  level: null,
  connected: true,
  stand_in: false,
  left: false,
  sent_away: false,
  muted: false,
  reserved_for: null
}));
const remarks = (table: Table) =>
  table.log.filter(({ event }) => event === 'remark').map(({ text }) => text);

test('who is away, back, gone or sent away has a line in the story, each another one', () => {
  const { table } = seated();
  const presence = (connected: boolean, left: boolean, stand_in = false) =>
    table.hear({ type: 'presence', seat: 1, connected, stand_in, left });
  presence(false, false);
  presence(false, false, true);
  presence(true, false);
  presence(false, true);
  presence(false, true, true);
  const seats = MORE.map((one) => ({ ...one, left: one.seat === 1, sent_away: one.seat === 1 }));
  table.hear({ type: 'lobby', lobby: { ...table.lobby!, seats } });
  expect(remarks(table)).toEqual([
    'Bo is away.',
    'Bo is away for long: a bot plays on.',
    'Bo is back.',
    'Bo has left; a bot plays on.',
    'The host has sent Bo away; a bot plays on.'
  ]);
});

test('the clocks of the others are seen beside their names', async () => {
  const { table } = seated();
  render(Seats, { table });
  const bo = screen.getByText('Bo').closest('li')!;
  expect(bo).toHaveTextContent('thinking…');
  table.hear({ type: 'clocks', left: [30, 20] });
  await tick();
  expect(bo).toHaveTextContent('thinking… 20 s');
});

const ROUND = {
  ...step('round_end', null, []),
  tally: [[], []]
};

test('alone with bots a counted round stays until one goes on, and can be looked at again', async () => {
  vi.useFakeTimers();
  try {
    const { table } = seated();
    table.lobby = { ...table.lobby!, seats: [MORE[0], { ...MORE[1], kind: 'bot' }] };
    table.hear(view({ turn: 2, steps: [ROUND], rounds: [[3, 4]], scores: [3, 4] }));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(table.roundEnd).not.toBeNull();
    table.goOn();
    await vi.advanceTimersByTimeAsync(1000);
    expect([table.roundEnd, table.animating]).toEqual([null, false]);
    render(Playing, { table });
    table.looksBack = true;
    await tick();
    expect(document.querySelector('dialog[open]')).toHaveTextContent('Round 1 is over');
  } finally {
    vi.useRealTimers();
  }
});

test('where others wait, a counted round goes by itself', async () => {
  vi.useFakeTimers();
  try {
    const { table } = seated();
    table.hear(view({ turn: 2, steps: [ROUND], rounds: [[3, 4]], scores: [3, 4] }));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(table.roundEnd).toBeNull();
  } finally {
    vi.useRealTimers();
  }
});

test('who is sent away from a game that waits is told so, and asks for nothing more', () => {
  const { table } = seated();
  const close = vi.spyOn(table.link, 'close');
  const open = vi.spyOn(table.link, 'open').mockImplementation(() => {});
  table.lobby = { ...table.lobby!, status: 'waiting' };
  table.hear({ type: 'closing', key: 'sent_away', message: 'The host has sent you away.' });
  expect(table.gone).toBe('The host has sent you away.');
  expect(table.about?.title).toBe('6 nimmt!');
  expect(close).toHaveBeenCalled();
  expect(open).not.toHaveBeenCalled();
});

test('“Do that” plays what the coach says, and there is nothing more to read', async () => {
  const { table, sent } = seated(view(), { coach: true });
  const done = vi.fn();
  render(Coach, { table, done });
  const { number } = table.decision!;
  table.hear({ type: 'hint', decision: number, action: 12, message: 'Play the 12.', details: {} });
  await tick();
  await fireEvent.click(screen.getByRole('button', { name: 'Do that' }));
  expect(sent).toContainEqual({ type: 'move', decision: number, action: 12 });
  expect(done).toHaveBeenCalled();
});

test('before one sits down one reads what was agreed, and who is a bot', () => {
  const { table } = seated(null, { clock: 30, options: { limit: 66, deck: 'tactical' } });
  table.lobby = { ...table.lobby!, seats: [MORE[0], { ...MORE[1], kind: 'bot' }] };
  render(Join, { table, join: async () => {} });
  const form = document.querySelector('form')!;
  expect(form).toHaveTextContent('6 nimmt!');
  expect(form).toHaveTextContent('Bo (bot)');
  expect(form).toHaveTextContent('Time for a decision: 30 seconds');
  expect(form).toHaveTextContent('Points that end the game: 66');
  expect(form).toHaveTextContent('Cards in play: only as many as are dealt');
});

test('less than nothing has a minus before it, and no hyphen', () => {
  expect(speaker.number(-5)).toBe('−5');
});

test('the coach says why, and the card is marked in the hand', async () => {
  const { table } = seated(view(), { coach: true });
  render(Hand, { table, play: () => {} });
  render(Coach, { table });
  const why = ['In about 60 % of 400 imagined turns you take nothing with it.'];
  const { number } = table.decision!;
  table.hear({
    type: 'hint',
    decision: number,
    action: 12,
    message: 'Play the 12.',
    details: { why }
  });
  await tick();
  expect(screen.getByText(why[0])).toBeInTheDocument();
  const marked = document.querySelectorAll('.advised [data-card]');
  expect([...marked].map((one) => one.getAttribute('data-card'))).toEqual(['12']);
  expect(marked[0]).toHaveAccessibleName(/the coach would play it/);
});
