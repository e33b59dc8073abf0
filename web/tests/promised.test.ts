import { afterEach, describe, expect, test, vi } from 'vitest';
import * as api from '../src/lib/api';
import { copied } from '../src/lib/copied';
import { inviteFor, keepInvite } from '../src/lib/invites';
import { commitmentOf } from '../src/lib/fair';
import { keep, keepCommitment, promised } from '../src/lib/promises';
import { fateOf, markOpened, sealedFor, shareFor, takenFor, toOpen } from '../src/lib/share';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** A server that tells of a table, and keeps what it is asked, with what the device knows at that moment. */
function server(table: string, status: string) {
  const asked: { what: string; body: unknown; seal?: string }[] = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, wish) => {
    const path = new URL(url instanceof Request ? url.url : url).pathname;
    asked.push({
      what: `${wish?.method} ${path}`,
      body: typeof wish?.body === 'string' ? JSON.parse(wish.body) : null,
      seal: promised(table).commitment
    });
    return new Response(JSON.stringify({ fair: { commitment: 'aa' }, lobby: { status }, seat: 1 }));
  });
  return asked;
}

test.each([
  ['start', api.start],
  ['begin', api.begin]
])('%s: the host commits when the seal is known, and the share stays here', async (table, act) => {
  const asked = server(table, 'waiting');
  await act(table);
  expect(asked.map((one) => one.what)).toEqual([
    `GET /api/tables/${table}`,
    `POST /api/tables/${table}/commit`,
    `POST /api/tables/${table}/start`
  ]);
  expect(asked[1].seal).toBe('aa');
  const { share } = promised(table);
  expect(asked[1].body).toEqual({ commitment: commitmentOf(table, 1, share!) });
  expect(promised(table).taken).toBe(true);
  expect(JSON.stringify(asked)).not.toContain(share);
});

test('the seal of a game that runs already promises nothing', async () => {
  server('late', 'playing');
  await api.start('late');
  expect(promised('late')).toEqual({});
});

describe('one’s own share', () => {
  const other = 'ee'.repeat(32);
  function sealed(table: string) {
    keepCommitment(table, 'aa');
    const mine = sealedFor(table, 0);
    takenFor(table, mine);
    return { mine, list: [mine, other, null] };
  }
  function openedAt(table: string) {
    const { mine, list } = sealed(table);
    const share = toOpen(table, 0, 'aa', list);
    markOpened(table);
    return { mine, list, share: share! };
  }
  const end = (list: (string | null)[], share: string, change = {}) => ({
    commitment: 'aa',
    commitments: list,
    shares: [share, other, null],
    unopened: [],
    ...change
  });

  test('is opened under the list that holds its commitment', () => {
    const { list, share } = openedAt('t1');
    expect(share).toBe(promised('t1').share);
    expect(toOpen('t1', 0, 'aa', list)).toBe(share); // once more, after an interruption
    expect(fateOf('t1', end(list, share))).toBe('in');
  });
  test('is not opened where the list does not hold it, or the seal is another one', () => {
    const { mine, list } = sealed('t2');
    expect(toOpen('t2', 0, 'aa', [other, other, null])).toBeNull();
    expect(toOpen('t2', 1, 'aa', list)).toBeNull();
    expect(toOpen('t2', 0, 'bb', list)).toBeNull();
    expect(toOpen('t2', 0, 'aa', [null, mine, null])).toBeNull();
    expect(toOpen('nowhere', 0, 'aa', list)).toBeNull();
  });
  test('is not opened under a second list: somebody could choose theirs when they know ours', () => {
    const { mine, share } = openedAt('t3');
    const second = [mine, 'dd'.repeat(32), null];
    expect(toOpen('t3', 0, 'aa', second)).toBeNull();
    expect(fateOf('t3', end(second, share))).toBe('exchanged');
  });
  test('that was opened and is told as not opened was dropped', () => {
    const { list, share } = openedAt('t4');
    expect(fateOf('t4', end(list, share, { unopened: [0] }))).toBe('dropped');
    expect(fateOf('t4', end(list, share, { unopened: [1] }))).toBe('in');
    expect(fateOf('t4', end(list, other))).toBe('exchanged');
    expect(fateOf('t4', end(list, share, { commitment: 'bb' }))).toBe('exchanged');
  });
  test('that this device could not open was missed; one that the server never took is none', () => {
    const { mine, list } = sealed('t5');
    expect(fateOf('t5', end(list, other, { unopened: [0] }))).toBe('missed');
    takenFor('t5', other); // by another device at this seat
    expect(fateOf('t5', end([other, other, null], other))).toBe('none');
    expect(takenFor('t5', mine)).toBe(true);
    expect(
      fateOf('t5', { commitment: 'aa', commitments: null, shares: null, unopened: null })
    ).toBe('none');
  });
  test('that is known to others is not used again', () => {
    const { share } = openedAt('t6');
    const another = shareFor('t6');
    expect(another).not.toBe(share);
    expect(promised('t6')).toMatchObject({ commitment: 'aa', share: another });
    expect(promised('t6').list).toBeUndefined();
  });
  test('is kept as long as the page is open where the device keeps nothing', () => {
    const forbidden = () => {
      throw new DOMException('', 'SecurityError');
    };
    vi.stubGlobal('localStorage', { getItem: forbidden, setItem: forbidden });
    const share = shareFor('t7');
    keep('t7', { seat: 1 });
    expect(shareFor('t7')).toBe(share);
  });
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
