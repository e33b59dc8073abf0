/** How places share the room that there is: pure geometry, in px. */

export interface Room {
  width: number;
  height: number;
}
export interface Grid {
  columns: number;
  rows: number;
  /** Width of a card. */
  card: number;
}
export interface Cell {
  column: number;
  row: number;
}

export const TALL = 1.4; // a card's height to its width

/** What a place needs beside its card: `wide` times its width, and so many px around it. */
export interface Need {
  wide: number;
  beside: number;
  below: number;
  most: number;
}

function cardIn(room: Room, columns: number, rows: number, need: Need): number {
  const byWidth = (room.width / columns - need.beside) / need.wide;
  const byHeight = (room.height / rows - need.below) / TALL;
  return Math.max(12, Math.floor(Math.min(byWidth, byHeight, need.most)));
}

/** So many places in rows and columns, with the biggest cards. */
export function gridFor(count: number, room: Room, need: Need): Grid {
  const sizes = Array.from({ length: Math.max(1, count) }, (_, at) => at + 1);
  const grids = sizes.map((columns) => ({ columns, rows: Math.ceil(Math.max(1, count) / columns) }));
  return best(grids, room, need);
}

/** So many places around a rectangle, with the biggest cards; few of them lie side by side. */
export function ringFor(count: number, room: Room, need: Need): Grid {
  if (count < 4) return gridFor(count, room, need);
  const grids = Array.from({ length: Math.ceil(count / 2) }, (_, at) => at + 2).map((columns) => ({ columns, rows: Math.max(2, Math.ceil((count + 4) / 2) - columns) }));
  return best(grids, room, need);
}

function best(grids: { columns: number; rows: number }[], room: Room, need: Need): Grid {
  return grids.map((grid) => ({ ...grid, card: cardIn(room, grid.columns, grid.rows, need) })).reduce((a, b) => (b.card > a.card ? b : a));
}

/** The cells of a ring, clockwise from the left of its top row. */
export function ringCells(count: number, { columns, rows }: Grid): Cell[] {
  if (count < 4 || rows < 2) return Array.from({ length: count }, (_, at) => ({ column: (at % columns) + 1, row: Math.floor(at / columns) + 1 }));
  const cells: Cell[] = [];
  for (let column = 1; column <= columns; column++) cells.push({ column, row: 1 });
  for (let row = 2; row <= rows; row++) cells.push({ column: columns, row });
  for (let column = columns - 1; column >= 1; column--) cells.push({ column, row: rows });
  for (let row = rows - 1; row >= 2; row--) cells.push({ column: 1, row });
  return cells.slice(0, count);
}
