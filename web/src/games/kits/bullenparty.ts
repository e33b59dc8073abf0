import { cardsIn, countIn, headsOf } from '../../lib/cards';
import { t } from '../../lib/i18n.svelte';
import type { Places } from '../../lib/places';
import type { Table } from '../../lib/table.svelte';
import { numberAfter, type Kit, type TallyPart } from '../kit';
import { rowsOf } from '../rows';

const LAST_NUMBER = 100;
const KEPT = 5; // number cards in hand after laying, except in the last round
export const FULL_ROW = 5;
export const NEW_PILE = 'new pile';

export interface Pile {
  place: string;
  cards: number[];
  heads: number;
}

interface Facts {
  bidders?: number[];
  takers?: number[];
  zeros?: number[];
  emptied?: number;
}
const factsOf = (table: Table): Facts => (table.view?.facts ?? {}) as Facts;
export const isLastRound = (table: Table): boolean => (factsOf(table).emptied ?? 0) > 0;
export const isNumber = (card: number): boolean => card > 0 && card <= LAST_NUMBER;

export function pilesOf(table: Table, places: Places, seat: number): Pile[] {
  return Object.keys(places)
    .filter((place) => new RegExp(`^pile \\d+ of ${seat}$`).test(place))
    .sort((a, b) => Number(a.split(' ')[1]) - Number(b.split(' ')[1]))
    .map((place) => ({ place, cards: cardsIn(places[place]), heads: headsOf(table.pack, cardsIn(places[place])) }))
    .filter((pile) => pile.cards.length);
}

/** The one pile that counts for its owner. */
export const richest = (piles: Pile[]): Pile | null => (piles.length ? piles.reduce((best, pile) => (pile.heads > best.heads ? pile : best)) : null);

const worth = (heads: number[]): number => 2 * Math.max(0, ...heads) - heads.reduce((sum, n) => sum + n, 0);

/** What laying these heads on a pile, or on a new one (null), would change. */
export function change(piles: Pile[], onto: string | null, heads: number): number {
  const after = piles.map((pile) => pile.heads + (pile.place === onto ? heads : 0));
  if (onto === null) after.push(heads);
  return worth(after) - worth(piles.map((pile) => pile.heads));
}

export const signed = (points: number): string => (points > 0 ? `+${points}` : points < 0 ? `−${-points}` : '±0');

/** How many cards one still has to lay down now. */
export function toLay(table: Table): number {
  return table.hand.filter(isNumber).length - (isLastRound(table) ? 0 : KEPT);
}

function laying(move: string): { card: number; onto: number | null } | null {
  const found = /^pile (\d+) (?:new|on (\d+))$/.exec(move);
  return found ? { card: Number(found[1]), onto: found[2] ? Number(found[2]) : null } : null;
}

const zeroOf = (table: Table): number => factsOf(table).zeros?.[table.seat ?? 0] ?? 0;
const nameOf = (table: Table, card: number): string => (isNumber(card) ? String(card) : t('games.bp_zero', { letter: table.pack.names[String(card)] ?? '' }));

function chosen(table: Table): number | null {
  const offer = table.offers.find((one) => one.action === table.choice);
  return offer ? bullenparty.cardOf(offer, table) : null;
}

function bidding(table: Table): string {
  const card = chosen(table);
  if (card !== null) return t('games.bp_bid_chosen', { card: nameOf(table, card) });
  return t('games.bp_bid', { n: rowsOf(table.places).filter((row) => row.cards.length).length });
}

function partsOf(table: Table, seat: number): TallyPart[] {
  const piles = pilesOf(table, table.places, seat);
  const main = richest(piles);
  const bulls = cardsIn(table.places[`bulls ${seat}`]);
  const parts: TallyPart[] = [];
  if (main) parts.push({ text: t('games.bp_main_pile'), points: `+${main.heads}`, cards: main.cards, tone: 'good' });
  if (bulls.length) parts.push({ text: t('games.bp_bulls_won'), points: `+${headsOf(table.pack, bulls)}`, cards: bulls, tone: 'good' });
  const others = piles.filter((one) => one !== main).flatMap((pile) => pile.cards);
  if (others.length) parts.push({ text: t('games.bp_other_piles'), points: `−${headsOf(table.pack, others)}`, cards: others, tone: 'bad' });
  return parts;
}

export const bullenparty: Kit = {
  tray: 'bid',
  best: 'most',
  quiet: true,
  cardOf(offer, table) {
    const bid = numberAfter(offer.move, 'bid');
    return bid === 0 ? zeroOf(table) : (bid ?? laying(offer.move)?.card ?? null);
  },
  placeOf(offer, selected, table) {
    const row = numberAfter(offer.move, 'take') ?? numberAfter(offer.move, 'extend');
    if (row !== null) return `row ${row}`;
    const laid = laying(offer.move);
    if (!laid || laid.card !== selected) return null;
    if (laid.onto === null) return NEW_PILE;
    return pilesOf(table, table.places, table.seat ?? 0).find((pile) => pile.cards.at(-1) === laid.onto)?.place ?? null;
  },
  isPlain: () => false,
  verb: (table) => t(table.phase === 'piling' ? 'games.bp_lay_any' : 'games.bp_bid_any'),
  button(table, card) {
    if (table.phase !== 'piling') return isNumber(card) ? t('games.bp_bid_card', { card }) : t('games.bp_bid_zero');
    return (table.byCard.get(card)?.length ?? 0) > 1 ? t('games.choose_where') : t('games.bp_start_pile', { card });
  },
  unusable(table, card) {
    if (isNumber(card)) return null;
    if (table.phase === 'piling') return t('games.bp_zero_stays');
    if (table.phase !== 'bidding') return null;
    const full = rowsOf(table.places).filter((row) => row.cards.length).every((row) => row.cards.filter(isNumber).length >= FULL_ROW);
    return t(full ? 'games.bp_zero_full' : 'games.bp_zero_no_draw');
  },
  prompt(table) {
    if (!table.decision) return null;
    switch (table.phase) {
      case 'bidding':
        return bidding(table);
      case 'taking':
        return t('games.bp_take');
      case 'extending':
        return t('games.bp_extend', { card: cardsIn(table.places.drawn)[0] ?? '' });
      case 'piling':
        return t(isLastRound(table) ? 'games.bp_pile_all' : 'games.bp_pile', { n: toLay(table) });
    }
    return null;
  },
  preview(table, card) {
    if (table.phase !== 'piling') {
      return { place: null, kind: 'choose', places: [], text: isNumber(card) ? t('games.bp_would_bid', { card }) : t('games.bp_would_bid_zero') };
    }
    const places = (table.byCard.get(card) ?? []).map((offer) => bullenparty.placeOf(offer, card, table)).filter((place) => place !== null);
    return { place: null, kind: 'choose', places, text: t(places.length > 1 ? 'games.bp_lay_where' : pilesOf(table, table.places, table.seat ?? 0).length ? 'games.bp_lay_new' : 'games.bp_lay_first', { card }) };
  },
  stats(table, seat) {
    const points = table.shown?.scores[seat] ?? 0;
    const bulls = headsOf(table.pack, cardsIn(table.places[`bulls ${seat}`]));
    const hand = countIn(table.places[`hand ${seat}`]);
    return [
      { icon: 'pip', value: points, label: t('common.points', { n: points }) },
      { icon: 'bull', value: bulls, label: t('games.bp_bull_heads', { n: bulls }), place: `bulls ${seat}` },
      { icon: 'cards', value: hand, label: t('common.cards_in_hand', { n: hand }), place: `hand ${seat}` }
    ];
  },
  progress: (table) => (isLastRound(table) ? t('games.bp_last_round') : t('games.draw_left', { n: countIn(table.places.draw) })),
  tally: (table) => table.seats.map(({ seat }) => ({ seat, parts: partsOf(table, seat) }))
};
