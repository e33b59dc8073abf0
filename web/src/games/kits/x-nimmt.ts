import { cardsIn, countIn, headsOf } from '../../lib/cards';
import { t } from '../../lib/i18n.svelte';
import type { Table } from '../../lib/table.svelte';
import { numberAfter, type Kit } from '../kit';
import { previewInRows, rowsOf } from '../rows';

export const FULL_AT: Record<string, number> = { 'row 1': 3, 'row 2': 4, 'row 3': 5 };

/** Whether one's X row cannot go on with any of these cards. */
const breaks = (table: Table, cards: number[]): boolean => {
  const end = cardsIn(table.places[`x row ${table.seat}`]).at(-1) ?? 0;
  return cards.every((card) => card < end);
};

export const xNimmt: Kit = {
  tray: 'laid',
  best: 'fewest',
  cardOf: (offer) => numberAfter(offer.move, 'play'),
  placeOf(offer) {
    const kept = numberAfter(offer.move, 'keep');
    return kept !== null ? `collected ${kept}` : offer.move.startsWith('row ') ? offer.move : null;
  },
  isPlain: () => false,
  prompt(table) {
    if (!table.decision) return null;
    if (table.phase === 'taking') return t('games.collect_a_row');
    if (table.phase === 'keeping') return t(breaks(table, cardsIn(table.places.collected)) ? 'games.keep_lower' : 'games.keep_one');
    return table.choice === null ? t('games.x_lay') : null;
  },
  costs: (table, place) => t('common.heads', { n: headsOf(table.pack, cardsIn(table.places[place])) }),
  preview(table, card) {
    const shown = previewInRows(table, card, (row) => FULL_AT[row.place] - 1);
    if (shown.kind === 'choose') return { ...shown, text: t('games.x_too_low', { card }) };
    const row = rowsOf(table.view!.places).find((one) => one.place === shown.place)!;
    if (shown.kind === 'add') return shown;
    const key = breaks(table, row.cards) ? 'games.x_fills_breaks' : 'games.x_fills';
    return { ...shown, text: t(key, { row: row.number, cards: t('common.cards', { n: row.cards.length }) }) };
  },
  stats(table, seat) {
    const points = table.shown?.scores[seat] ?? 0;
    const hand = countIn(table.places[`hand ${seat}`]);
    return [
      { icon: 'pip', value: points, label: t('common.minus_points', { n: points }), place: `x pile ${seat}` },
      { icon: 'cards', value: hand, label: t('common.cards_in_hand', { n: hand }), place: `hand ${seat}` }
    ];
  },
  counting: {
    place: 'x pile',
    title: () => t('table.x_piles'),
    rest: (points, cards, table) => t('table.in_hand', { n: points - 2 * headsOf(table.pack, cards) })
  },
  progress: (table) => t('games.round_of', { round: Math.min((table.shown?.rounds.length ?? 0) + 1, Number(table.welcome?.table.options.rounds ?? 1)), of: Number(table.welcome?.table.options.rounds ?? 1) })
};
