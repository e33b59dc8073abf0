import { expect, test } from 'vitest';
import { gridCells, gridFor, NARROWEST, ringCells, ringFor, TALL } from '../src/games/fit';

const need = { wide: 1.96, beside: 10, below: 26, most: 96 };

test.each([
  [15, 374, 400],
  [15, 344, 280],
  [15, 720, 470],
  [12, 374, 420],
  [9, 374, 420],
  [7, 720, 470],
  [4, 374, 400],
  [3, 374, 400],
  [1, 374, 400]
])('%i rows lie in a ring of %i by %i px, each in a cell of its own', (count, width, height) => {
  const ring = ringFor(count, { width, height }, need);
  const cells = ringCells(count, ring);
  expect(cells).toHaveLength(count);
  expect(new Set(cells.map(({ column, row }) => `${column} ${row}`)).size).toBe(count);
  for (const { column, row } of cells) {
    expect(column).toBeLessThanOrEqual(ring.columns);
    expect(row).toBeLessThanOrEqual(ring.rows);
    if (count > 3)
      expect(column === 1 || row === 1 || column === ring.columns || row === ring.rows).toBe(true);
  }
  expect(ring.columns * (ring.card * need.wide + need.beside)).toBeLessThanOrEqual(width);
  expect(ring.rows * (ring.card * TALL + need.below) <= height).toBe(ring.fits);
});

test.each([
  [15, 304, 220],
  [12, 304, 120],
  [40, 640, 250]
])(
  '%i places in %i by %i px can be read, and only their height may be too much',
  (count, width, height) => {
    const grid = gridFor(count, { width, height }, { ...need, wide: 1.2 });
    expect(grid.card).toBe(NARROWEST);
    expect(grid.fits).toBe(false);
    expect(grid.columns * (grid.card * 1.2 + need.beside)).toBeLessThanOrEqual(width);
    expect(new Set(gridCells(count, grid).map(({ column, row }) => `${column} ${row}`)).size).toBe(
      count
    );
  }
);

test('neighbours in the ring lie side by side, clockwise', () => {
  const ring = ringFor(12, { width: 374, height: 420 }, need);
  const cells = ringCells(12, ring);
  for (let at = 1; at < cells.length; at++) {
    const apart =
      Math.abs(cells[at].column - cells[at - 1].column) +
      Math.abs(cells[at].row - cells[at - 1].row);
    expect(apart).toBe(1);
  }
  expect(cells[1].column).toBeGreaterThan(cells[0].column);
});

test('a wide room gets more columns than a high one', () => {
  const one = { wide: 1, beside: 4, below: 4, most: 200 };
  expect(gridFor(8, { width: 800, height: 300 }, one).columns).toBeGreaterThan(
    gridFor(8, { width: 300, height: 800 }, one).columns
  );
});
