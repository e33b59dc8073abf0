import { countIn } from '../../lib/cards';
import { t } from '../../lib/i18n.svelte';
import { numberAfter, type Kit } from '../kit';

export const elevenNimmt: Kit = {
  tray: null,
  best: 'fewest',
  cardOf: (offer) => numberAfter(offer.move, 'play'),
  placeOf: () => null,
  isPlain: (offer) => numberAfter(offer.move, 'play') === null,
  stats(table, seat) {
    const hand = countIn(table.places[`hand ${seat}`]);
    return [{ icon: 'cards', value: hand, label: t('common.cards_in_hand', { n: hand }), place: `hand ${seat}` }];
  }
};
