import { afterEach, expect, test, vi } from 'vitest';
import * as api from '../src/lib/api';
import { copied } from '../src/lib/copied';
import { inviteFor, keepInvite } from '../src/lib/invites';
import { promised } from '../src/lib/promises';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** A server that tells of a table, and keeps what it is asked, with what the device knows at that moment. */
function server(table: string, status: string) {
  const asked: { what: string; body: unknown; seal?: string }[] = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, wish) => {
    const path = new URL(String(url)).pathname;
    asked.push({ what: `${wish?.method} ${path}`, body: JSON.parse(String(wish?.body ?? 'null')), seal: promised(table).commitment });
    return new Response(JSON.stringify({ fair: { commitment: 'aa' }, lobby: { status } }));
  });
  return asked;
}

test.each([
  ['start', () => api.start('start')],
  ['join', () => api.join('join', { name: 'Ann', invite: null })]
])('%s: the share is sent when the seal is known', async (table, act) => {
  const asked = server(table, 'waiting');
  await act();
  expect(asked.map((one) => one.what)).toEqual([`GET /api/tables/${table}`, `POST /api/tables/${table}/${table}`]);
  expect(asked[1].seal).toBe('aa');
  expect(asked[1].body).toMatchObject({ contribution: promised(table).share });
});

test('the seal of a game that runs already promises nothing', async () => {
  server('late', 'playing');
  await api.join('late', { name: 'Ann', invite: null });
  expect(promised('late').commitment).toBeUndefined();
});

test('what could not be copied is not called copied', async () => {
  vi.stubGlobal('navigator', {}); // as over plain HTTP
  expect(await copied('x')).toBe(false);
  const writeText = vi.fn(async () => {});
  vi.stubGlobal('navigator', { clipboard: { writeText } });
  expect(await copied('x')).toBe(true);
  expect(writeText).toHaveBeenCalledWith('x');
});

test('an invitation is kept where the device lets us', () => {
  keepInvite('one', 'abc');
  expect(inviteFor('one')).toBe('abc');
  keepInvite('one', null);
  expect(inviteFor('one')).toBe('abc');
  const forbidden = () => {
    throw new DOMException('', 'SecurityError');
  };
  vi.stubGlobal('sessionStorage', { getItem: forbidden, setItem: forbidden });
  keepInvite('one', 'xyz');
  expect(inviteFor('one')).toBeNull();
});
