/** What a server says is said in the reader's language; and so it is when it says nothing. */
import { afterEach, expect, test, vi } from 'vitest';
import { openTables, Refusal } from '../src/lib/api';
import { t } from '../src/lib/i18n.svelte';

afterEach(() => vi.unstubAllGlobals());

test('a server that does not answer is told as any refusal is, not in the words of the browser', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  const refusal: unknown = await openTables().catch((one: unknown) => one);
  expect(refusal).toBeInstanceOf(Refusal);
  expect((refusal as Refusal).message).toBe(t('lobby.server_gone'));
});
