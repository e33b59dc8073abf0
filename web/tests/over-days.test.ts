/** Tables over days: clocks in words, what waits for me, and what the service worker does with a push. */
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, test, vi } from 'vitest';
import { clockCalled, CLOCKS, timeCalled } from '../src/lib/conditions';
import { speaker } from '../src/lib/i18n.svelte';
import { stateOf, type RunningTable } from '../src/lib/mine';
import { waiting } from '../src/lib/waiting.svelte';

const HOUR = 3600;
const DAY = 24 * HOUR;

afterEach(async () => {
  waiting.see([]);
  vi.unstubAllGlobals();
  await speaker.speak('en');
});

test.each([
  ['en', ['12 hours', '1 day', '3 days', '7 days']],
  ['de', ['12 Stunden', '1 Tag', '3 Tage', '7 Tage']],
  ['pl', ['12 godzin', '1 dzień', '3 dni', '7 dni']]
])('clocks of hours and days are called so in %s', async (language, words) => {
  await speaker.speak(language);
  expect(CLOCKS.filter((one) => (one ?? 0) > HOUR).map(clockCalled)).toEqual(words);
});

test('what is left is said as exactly as anybody needs it', () => {
  const cases: [number, string][] = [
    [7 * DAY, '7 days'],
    [2.6 * DAY, '3 days'],
    [1.4 * DAY, '34 hours'],
    [2 * HOUR, '2 hours'],
    [80 * 60, '80 minutes'],
    [20, '1 minute']
  ];
  for (const [seconds, words] of cases) expect(timeCalled(seconds)).toBe(words);
  expect(timeCalled(3 * DAY, 'narrow')).toBe('3d');
});

const mine = (change: Partial<RunningTable>): RunningTable => ({
  table: 'abc',
  game: 'six-nimmt',
  status: 'playing',
  seat: 0,
  seats: ['Ann', 'Bo'].map((name) => ({ kind: 'person', name })),
  waiting: [0],
  your_turn: true,
  clock: 3 * DAY,
  left: 2 * DAY,
  alone: false,
  daily: null,
  touched: 0,
  ...change
});

test('a table that waits for me says how long', () => {
  expect(stateOf(mine({}))).toBe('Your turn · 2 days left');
  expect(stateOf(mine({ left: null, clock: 60 }))).toBe('Your turn');
  expect(stateOf(mine({ your_turn: false, waiting: [1] }))).toBe('Waiting for Bo');
});

test('tables that wait for me are counted in the tab and on the icon, bots that wait are not', () => {
  const setAppBadge = vi.fn(() => Promise.resolve());
  const clearAppBadge = vi.fn(() => Promise.resolve());
  vi.stubGlobal('navigator', { setAppBadge, clearAppBadge });
  const patient = mine({ alone: true, clock: null, left: null });
  waiting.see([mine({}), mine({ clock: 60, left: null }), mine({ your_turn: false }), patient]);
  expect(waiting.mark).toBe('(2) ');
  expect(setAppBadge).toHaveBeenLastCalledWith(2);
  expect(waiting.overDays).toBe(true);
  waiting.see([patient]);
  expect(waiting.mark).toBe('');
  expect(clearAppBadge).toHaveBeenCalledOnce();
  expect(waiting.overDays).toBe(false);
});

test('a browser without badges counts in the tab', () => {
  vi.stubGlobal('navigator', {});
  waiting.see([mine({})]);
  expect(waiting.mark).toBe('(1) ');
});

// -- The service worker ---------------------------------------------------------------------------

interface Shown {
  title: string;
  options: { body: string; tag: string; data: { table: string } };
}

/** public/sw.js in a world of its own: what it does when something happens there. */
function worker(windows: { url: string; focus: () => void }[] = []) {
  const heard: Record<string, (event: unknown) => void> = {};
  const shown: Shown[] = [];
  const opened: string[] = [];
  const badges: unknown[] = [];
  runInNewContext(readFileSync('public/sw.js', 'utf8'), {
    URL,
    Promise,
    addEventListener: (name: string, listener: (event: unknown) => void) =>
      (heard[name] = listener),
    registration: {
      showNotification: (title: string, options: Shown['options']) => {
        shown.push({ title, options });
        return Promise.resolve();
      }
    },
    navigator: { setAppBadge: (count?: number) => badges.push(count) },
    clients: {
      matchAll: () => Promise.resolve(windows),
      openWindow: (url: string) => opened.push(url)
    }
  });
  const happens = async (name: string, event: Record<string, unknown>) => {
    const work: Promise<unknown>[] = [];
    heard[name]({ ...event, waitUntil: (one: Promise<unknown>) => work.push(one) });
    await Promise.all(work);
  };
  return { happens, shown, opened, badges };
}

test('a push is shown in the words in which it came', async () => {
  const { happens, shown, badges } = worker();
  const text = { title: 'Twoja kolej', body: '6 nimmt!', table: 'abc' };
  await happens('push', { data: { json: () => text } });
  expect(shown).toHaveLength(1);
  expect(shown[0].title).toBe('Twoja kolej');
  expect(shown[0].options).toMatchObject({ body: '6 nimmt!', tag: 'abc', data: { table: 'abc' } });
  expect(badges).toHaveLength(1);
});

test('a tap on it opens the table, or goes to where it is open already', async () => {
  const close = vi.fn();
  const notification = { data: { table: 'abc' }, close };
  const nowhere = worker([{ url: 'https://bulls.example/table/other', focus: vi.fn() }]);
  await nowhere.happens('notificationclick', { notification });
  expect(nowhere.opened).toEqual(['/table/abc#mine']);
  const focus = vi.fn();
  const there = worker([{ url: 'https://bulls.example/table/abc', focus }]);
  await there.happens('notificationclick', { notification });
  expect(there.opened).toEqual([]);
  expect(focus).toHaveBeenCalledOnce();
  expect(close).toHaveBeenCalledTimes(2);
});
