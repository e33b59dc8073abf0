/** Rows on the screen, and where a card would go if it came alone: a picture of what the server will do, not its word. */
import { cardsIn, headsOf } from '../lib/cards';
import { t } from '../lib/i18n.svelte';
import type { Places } from '../lib/places';
import type { Table } from '../lib/table.svelte';
import type { Preview } from './kit';

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

/** A row is taken with the card that would be one more than `longest`. */
export function previewInRows(table: Table, card: number, longest: (row: Row) => number): Preview {
  const rows = rowsOf(table.view!.places);
  const row = nearestRow(rows, card);
  if (!row) return { place: null, kind: 'choose', places: rows.map((one) => one.place), text: t('games.too_low', { card }) };
  if (row.cards.length < longest(row)) return { place: row.place, kind: 'add', text: t('games.would_land', { row: row.number }) };
  const heads = t('common.heads', { n: headsOf(table.pack, row.cards) });
  return { place: row.place, kind: 'take', text: t('games.would_take', { row: row.number, heads }) };
}
