import { cardsIn, countIn, headsOf, headsOn } from '../../lib/cards';
import { t } from '../../lib/i18n.svelte';
import type { Places } from '../../lib/places';
import type { Table } from '../../lib/table.svelte';
import { numberAfter, type Kit, type TallyPart } from '../kit';
import { rowsOf, type Row } from '../rows';

const LAST_NUMBER = 98;
const X2 = 99; // X2 + seat and PLUS5 + seat: everybody has one of each
const PLUS5 = 105;
const FULL_AT = 5; // number cards
const CARDS_A_TURN = 3;

export const isNumber = (card: number): boolean => card <= LAST_NUMBER;
export const isX2 = (card: number): boolean => card >= X2 && card < PLUS5;
export const numbersIn = (row: Row): number[] => row.cards.filter(isNumber);
/** The last number card of a row: it names the row. */
export const endOf = (row: Row): number => numbersIn(row).at(-1) ?? 0;
export const isRipe = (row: Row): boolean => numbersIn(row).length === FULL_AT - 1;

export const playedIn = (table: Table): number => (table.facts as { played?: number }).played ?? 0;
export const leftIn = (table: Table): number => CARDS_A_TURN - playedIn(table);

/** The row with the highest end below the card; without one, the row with the highest end of all. */
export function landing(rows: Row[], card: number): Row | undefined {
  const below = rows.filter((row) => endOf(row) < card);
  const among = below.length ? below : rows;
  return among.length ? among.reduce((best, row) => (endOf(row) > endOf(best) ? row : best)) : undefined;
}

/** `x2 on 35` and `+5 on 35`: the kind and the end of the row. */
function special(move: string): { kind: 'x2' | '+5'; end: number } | null {
  const found = /^(x2|\+5) on (\d+)$/.exec(move);
  return found ? { kind: found[1] as 'x2' | '+5', end: Number(found[2]) } : null;
}

function closedUp(places: Places, gone: number): Places {
  const rows = rowsOf(places).filter((row) => row.number !== gone);
  const others = Object.entries(places).filter(([place]) => !/^row \d+$/.test(place));
  return Object.fromEntries([...rows.map((row, at): [string, number[]] => [`row ${at + 1}`, row.cards]), ...others]);
}

const signed = (points: number): string => (points > 0 ? `+${points}` : points < 0 ? `−${-points}` : '0');

function partsOf(table: Table, seat: number): TallyPart[] {
  const pile = cardsIn(table.places[`pile ${seat}`]);
  const left = cardsIn(table.places[`hand ${seat}`]).filter((card) => !isNumber(card));
  const green = pile.filter((card) => isNumber(card) && headsOn(table.pack, card) > 0);
  const red = pile.filter((card) => isNumber(card) && headsOn(table.pack, card) < 0);
  const fives = pile.filter((card) => card >= PLUS5);
  const doubles = pile.filter(isX2);
  const parts: TallyPart[] = [
    { text: t('games.ho_green'), points: signed(headsOf(table.pack, green)), cards: green, tone: 'good' },
    { text: t('games.ho_red'), points: signed(headsOf(table.pack, red)), cards: red, tone: 'bad' },
    { text: t('games.ho_fives'), points: `+${5 * fives.length}`, cards: fives, tone: 'good' },
    { text: t('games.ho_doubles'), points: `×${2 ** doubles.length}`, cards: doubles, tone: 'plain' },
    { text: t('games.ho_left'), points: `−${10 * left.length}`, cards: left, tone: 'bad' }
  ];
  return parts.filter((part) => part.cards.length);
}

export const hornochsen: Kit = {
  tray: null,
  best: 'most',
  cardOf(offer, table) {
    const laid = special(offer.move);
    return laid ? (laid.kind === 'x2' ? X2 : PLUS5) + (table.seat ?? 0) : numberAfter(offer.move, 'play');
  },
  placeOf(offer, selected, table) {
    if (selected === null || hornochsen.cardOf(offer, table) !== selected) return null;
    const rows = rowsOf(table.places);
    const laid = special(offer.move);
    const row = laid ? rows.find((one) => endOf(one) === laid.end) : landing(rows, selected);
    return row?.place ?? null;
  },
  isPlain: (offer) => offer.move === 'stop',
  button: (table, card) => (isNumber(card) ? t('table.play', { card }) : t('games.choose_where')),
  prompt(table) {
    if (!table.decision) return null;
    return playedIn(table) ? t('games.ho_more', { n: leftIn(table) }) : t('games.ho_begin');
  },
  preview(table, card) {
    const rows = rowsOf(table.view!.places);
    if (!isNumber(card)) {
      const places = (table.byCard.get(card) ?? []).map((offer) => hornochsen.placeOf(offer, card, table)).filter((place) => place !== null);
      return { place: null, kind: 'choose', places, text: t(isX2(card) ? 'games.ho_lay_x2' : 'games.ho_lay_five') };
    }
    const row = landing(rows, card);
    if (!row) return null;
    if (!isRipe(row)) {
      const low = endOf(row) > card;
      return { place: row.place, kind: 'add', text: t(low ? 'games.ho_lands_low' : 'games.ho_lands', { card, end: endOf(row) }) };
    }
    const points = headsOf(table.pack, [...numbersIn(row), card]) + 5 * row.cards.filter((one) => one >= PLUS5).length;
    const doubled = row.cards.some(isX2) ? t('games.ho_and_doubles') : '';
    return { place: row.place, kind: points < 0 ? 'take' : 'add', text: t('games.ho_takes', { card, end: endOf(row), points: signed(points), doubled }) };
  },
  stats(table, seat) {
    const [hand, pile] = [countIn(table.places[`hand ${seat}`]), countIn(table.places[`pile ${seat}`])];
    return [
      { icon: 'pile', value: pile, label: t('games.cards_taken', { n: pile }), place: `pile ${seat}` },
      { icon: 'cards', value: hand, label: t('common.cards_in_hand', { n: hand }), place: `hand ${seat}` }
    ];
  },
  progress: (table) => t('games.ho_rows_left', { n: rowsOf(table.places).length }),
  tidy: (places, step) => (step.event.event === 'take' ? closedUp(places, Number(step.moves[0]?.from.slice(4))) : places),
  tally: (table) => table.seats.map(({ seat }) => ({ seat, parts: partsOf(table, seat) }))
};
