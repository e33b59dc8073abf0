import { cardsIn, countIn, headsOf } from '../../lib/cards';
import { t } from '../../lib/i18n.svelte';
import { numberAfter, type Kit } from '../kit';
import { previewInRows } from '../rows';

const LONGEST = 5; // cards in a row; whoever brings one more takes it

export const sixNimmt: Kit = {
  tray: 'laid',
  best: 'fewest',
  cardOf: (offer) => numberAfter(offer.move, 'play'),
  placeOf: (offer) => (offer.move.startsWith('row ') ? offer.move : null),
  isPlain: () => false,
  prompt: (table) => (!table.decision ? null : table.phase === 'taking' ? t('games.take_a_row') : table.choice === null ? t('games.six_lay') : null),
  costs: (table, place) => t('common.heads', { n: headsOf(table.pack, cardsIn(table.places[place])) }),
  preview: (table, card) => previewInRows(table, card, () => LONGEST),
  stats(table, seat) {
    // When the game is over, this round has been added to the scores already.
    const now = (table.phase === 'over' ? 0 : (table.facts as { heads_taken?: number[] }).heads_taken?.[seat] ?? 0) + (table.shown?.scores[seat] ?? 0);
    return [
      { icon: 'pip', value: now, label: t('common.heads', { n: now }), place: `taken ${seat}` },
      { icon: 'cards', value: countIn(table.places[`hand ${seat}`]), label: t('common.cards_in_hand', { n: countIn(table.places[`hand ${seat}`]) }) }
    ];
  },
  progress: (table) => (table.phase === 'over' ? '' : t('games.round_cards', { round: (table.shown?.rounds.length ?? 0) + 1, n: cardsIn(table.places[`hand ${table.seat ?? 0}`]).length }))
};
