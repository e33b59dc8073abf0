/** Clubs: months are counted as the server counts them, and nobody is asked while nobody looks. */
import { expect, test, vi } from 'vitest';
import { monthFrom, watched } from '../src/later/clubs';

test.each([
  ['2026-11', -1, '2026-10'],
  ['2026-01', -1, '2025-12'],
  ['2026-12', 1, '2027-01'],
  ['2026-03', 0, '2026-03']
])('from %s by %i it is %s', (month, by, expected) => {
  expect(monthFrom(month, by)).toBe(expected);
});

test('a page asks again as long as it is seen, and no more when it is left', () => {
  vi.useFakeTimers();
  const look = vi.fn();
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(false);
  const stop = watched(look, 1000);
  expect(look).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(2000);
  expect(look).toHaveBeenCalledTimes(3);
  hidden.mockReturnValue(true);
  vi.advanceTimersByTime(5000);
  expect(look).toHaveBeenCalledTimes(3);
  hidden.mockReturnValue(false);
  document.dispatchEvent(new Event('visibilitychange'));
  expect(look).toHaveBeenCalledTimes(4);
  stop();
  vi.advanceTimersByTime(5000);
  document.dispatchEvent(new Event('visibilitychange'));
  expect(look).toHaveBeenCalledTimes(4);
  vi.useRealTimers();
  hidden.mockRestore();
});
