/** Rows on the screen, and where a card would go if it came alone: a picture of what the server will do, not its word. */
import { cardsIn } from '../lib/cards';
import type { Places } from '../lib/table.svelte';

export interface Row {
  place: string;
  number: number;
  cards: number[];
}

export function rowsOf(places: Places): Row[] {
  return Object.keys(places)
    .filter((place) => /^row \d+$/.test(place))
    .map((place) => ({ place, number: Number(place.slice(4)), cards: cardsIn(places[place]) }))
    .sort((a, b) => a.number - b.number);
}

export const lastOf = (row: Row): number => row.cards[row.cards.length - 1] ?? 0;

/** The row whose last card is the nearest lower one; null where the card is lower than all. */
export function nearestRow(rows: Row[], card: number): Row | null {
  const lower = rows.filter((row) => lastOf(row) < card);
  return lower.length ? lower.reduce((best, row) => (lastOf(row) > lastOf(best) ? row : best)) : null;
}
