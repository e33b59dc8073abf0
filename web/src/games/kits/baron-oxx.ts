import { cardsIn, COLOURS, countIn, faceOf, type Pack } from '../../lib/cards';
import { speaker, t } from '../../lib/i18n.svelte';
import type { Table } from '../../lib/table.svelte';
import { numberAfter, type Kit } from '../kit';
import { lastOf, rowsOf, type Row } from '../rows';

const LONGEST = 5;
const MOST_OF_A_COLOUR = 5;

const bullsOn = (pack: Pack, card: number): number[] => {
  const face = faceOf(pack, card);
  return COLOURS.map((colour) => (face.kind === 'colours' ? face.bulls.filter((bull) => bull === colour).length : 0));
};
const fits = (pack: Pack, row: Row, card: number): boolean => {
  const [a, b] = [bullsOn(pack, lastOf(row)), bullsOn(pack, card)];
  return a.some((count, colour) => count > 0 && b[colour] > 0);
};
/** How many bulls of each colour lie in a row. */
export const bullsIn = (pack: Pack, cards: number[]): number[] => COLOURS.map((_, colour) => cards.reduce((sum, card) => sum + bullsOn(pack, card)[colour], 0));

function bursts(table: Table, row: Row, card: number): boolean {
  const tooLong = table.welcome?.table.options.variant !== 'colour' && row.cards.length >= LONGEST;
  return tooLong || bullsIn(table.pack, [...row.cards, card]).some((count) => count > MOST_OF_A_COLOUR);
}

export const baronOxx: Kit = {
  tray: 'laid',
  best: 'fewest',
  cardOf: (offer) => numberAfter(offer.move, 'play'),
  placeOf: (offer) => (offer.move.startsWith('row ') ? offer.move : null),
  isPlain: () => false,
  prompt: (table) => (!table.decision ? null : table.phase === 'choosing' ? t('games.choose_a_row') : table.choice === null ? t('games.oxx_lay') : null),
  costs(table, place) {
    const row = rowsOf(table.places).find((one) => one.place === place);
    const [card] = cardsIn(table.places[`laid ${table.seat}`]);
    if (!row || !card || (fits(table.pack, row, card) && !bursts(table, row, card))) return null;
    return t('common.bulls', { n: bullsIn(table.pack, row.cards).reduce((a, b) => a + b, 0) });
  },
  preview(table, card) {
    const rows = rowsOf(table.view!.places);
    const fitting = rows.filter((row) => fits(table.pack, row, card));
    if (!fitting.length) {
      if (table.welcome?.table.options.variant === 'positive') return { place: null, kind: 'choose', places: [], text: t('games.goes_under', { card }) };
      return { place: null, kind: 'choose', places: rows.map((row) => row.place), text: t('games.fits_nowhere', { card }) };
    }
    const [only] = fitting;
    if (fitting.length === 1) {
      const bulls = t('common.bulls', { n: bullsIn(table.pack, only.cards).reduce((a, b) => a + b, 0) });
      if (bursts(table, only, card)) return { place: only.place, kind: 'take', text: t('games.would_take', { row: only.number, heads: bulls }) };
      return { place: only.place, kind: 'add', text: t('games.would_land', { row: only.number }) };
    }
    const safe = fitting.filter((row) => !bursts(table, row, card));
    const names = speaker.list(fitting.map((row) => String(row.number)));
    if (!safe.length) return { place: null, kind: 'take', places: fitting.map((row) => row.place), text: t('games.takes_any', { rows: names }) };
    return { place: null, kind: 'choose', places: fitting.map((row) => row.place), text: t('games.fits_rows', { rows: names }) };
  },
  stats(table, seat) {
    const points = table.shown?.scores[seat] ?? 0;
    const pile = countIn(table.places[`bull pile ${seat}`]);
    const left = countIn(table.places[`hand ${seat}`]) + countIn(table.places[`draw ${seat}`]);
    const several = Number(table.welcome?.table.options.games ?? 1) > 1 || table.phase === 'over';
    return [
      ...(several ? [{ icon: 'pip' as const, value: points, label: t('common.minus_points', { n: points }) }] : []),
      { icon: 'pile', value: pile, label: t('games.cards_taken', { n: pile }), place: `bull pile ${seat}` },
      { icon: 'cards', value: left, label: t('games.cards_left', { n: left }), place: `draw ${seat}` }
    ];
  },
  counting: { place: 'bull pile', title: () => t('table.taken') },
  progress: (table) => (table.seat === null ? '' : t('games.draw_left', { n: countIn(table.places[`draw ${table.seat}`]) }))
};
