import { expect, test } from 'vitest';
import { lengthOf, tempoFor } from '../src/lib/tempo';
import type { Step } from '../src/lib/wire';

const flight = (from: string, to: string): Step => ({
  event: { event: 'place' },
  text: '…',
  moves: [{ cards: [7], from, to }],
  tally: null
});
const reveal: Step = {
  ...flight('laid 0', 'laid 0'),
  moves: Array.from({ length: 10 }, (_, seat) => ({
    cards: [seat + 1],
    from: `laid ${seat}`,
    to: `laid ${seat}`
  }))
};
const shown = (lengths: number[]): number => {
  const whole = lengths.reduce((sum, one) => sum + one, 0);
  return whole * tempoFor(whole);
};

test.each([0, 3, 10])('a turn of ten, %i of whom take a row, is shown in six seconds', (takers) => {
  const placed = Array.from({ length: 10 }, () => lengthOf(flight('laid 0', 'row 1'), false));
  const taken = Array.from({ length: takers }, () => lengthOf(flight('row 1', 'taken 0'), true));
  const turnedUp = lengthOf(reveal, false);
  expect(shown([turnedUp, ...placed, ...taken])).toBeLessThan(6000);
  // The lowest may have to choose a row first: then it is shown in two pieces.
  expect(shown([turnedUp]) + shown([...placed, ...taken])).toBeLessThan(6000);
});

test('a turn of two is not hurried', () => {
  const lengths = [
    lengthOf(reveal, false),
    ...[1, 2].map(() => lengthOf(flight('laid 0', 'row 1'), false))
  ];
  expect(tempoFor(lengths.reduce((sum, one) => sum + one, 0))).toBe(1);
});
