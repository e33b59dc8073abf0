import { cardsIn, countIn, headsOf } from '../../lib/cards';
import { t } from '../../lib/i18n.svelte';
import { numberAfter, type Kit } from '../kit';
import { previewInRows } from '../rows';

export const FULL_AT: Record<string, number> = { 'row 1': 3, 'row 2': 4, 'row 3': 5 };

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
    return table.phase === 'taking' ? t('games.collect_a_row') : table.phase === 'keeping' ? t('games.keep_one') : null;
  },
  costs: (table, place) => t('common.heads', { n: headsOf(table.pack, cardsIn(table.places[place])) }),
  preview: (table, card) => previewInRows(table, card, (row) => FULL_AT[row.place] - 1),
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
