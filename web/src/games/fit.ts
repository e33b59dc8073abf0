/** How places share the room that there is: pure geometry, in px. */

export interface Room {
  width: number;
  height: number;
}
export interface Grid {
  columns: number;
  rows: number;
  /** Width of a card; at least so wide that its number can be read. */
  card: number;
  /** Whether all of it fits into the room. */
  fits: boolean;
}
export interface Cell {
  column: number;
  row: number;
}

export const TALL = 1.4; // a card's height to its width
export const NARROWEST = 34; // px: below that nobody can read its number

/** What a place needs beside its card: `wide` times its width, and so many px around it. */
export interface Need {
  wide: number;
  beside: number;
  below: number;
  most: number;
}

type Shape = Pick<Grid, 'columns' | 'rows'>;

const byWidth = (room: Room, { columns }: Shape, need: Need): number =>
  (room.width / columns - need.beside) / need.wide;
const byHeight = (room: Room, { rows }: Shape, need: Need): number =>
  (room.height / rows - need.below) / TALL;

/** So many places in rows and columns, with the biggest cards. */
export function gridFor(count: number, room: Room, need: Need): Grid {
  const sizes = Array.from({ length: Math.max(1, count) }, (_, at) => at + 1);
  const grids = sizes.map((columns) => ({
    columns,
    rows: Math.ceil(Math.max(1, count) / columns)
  }));
  return best(grids, room, need);
}

/** So many places around a rectangle, with the biggest cards; few of them lie side by side. */
export function ringFor(count: number, room: Room, need: Need): Grid {
  if (count < 4) return gridFor(count, room, need);
  const grids = Array.from({ length: Math.ceil(count / 2) }, (_, at) => at + 2).map((columns) => ({
    columns,
    rows: Math.max(2, Math.ceil((count + 4) / 2) - columns)
  }));
  return best(grids, room, need);
}

/** With the biggest cards; if they cannot be read so, then what is too high: a page can be scrolled down. */
function best(shapes: Shape[], room: Room, need: Need): Grid {
  const fit = (shape: Shape) =>
    Math.floor(Math.min(byWidth(room, shape, need), byHeight(room, shape, need)));
  const largest = shapes.reduce((a, b) => (fit(b) > fit(a) ? b : a));
  const card = Math.min(fit(largest), need.most);
  if (card >= NARROWEST) return { ...largest, card, fits: true };
  const narrow = shapes.filter((shape) => byWidth(room, shape, need) >= NARROWEST);
  const widest = narrow.reduce((a, b) => (b.columns > a.columns ? b : a), narrow[0] ?? largest);
  return { ...widest, card: NARROWEST, fits: false };
}

/** The cells of a ring, clockwise from the left of its top row. */
export function ringCells(count: number, { columns, rows }: Shape): Cell[] {
  if (count < 4 || rows < 2) return gridCells(count, { columns });
  const cells: Cell[] = [];
  for (let column = 1; column <= columns; column++) cells.push({ column, row: 1 });
  for (let row = 2; row <= rows; row++) cells.push({ column: columns, row });
  for (let column = columns - 1; column >= 1; column--) cells.push({ column, row: rows });
  for (let row = rows - 1; row >= 2; row--) cells.push({ column: 1, row });
  return cells.slice(0, count);
}

/** The cells of a grid, line by line. */
export const gridCells = (count: number, { columns }: Pick<Grid, 'columns'>): Cell[] =>
  Array.from({ length: count }, (_, at) => ({
    column: (at % columns) + 1,
    row: Math.floor(at / columns) + 1
  }));
