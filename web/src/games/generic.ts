/** What every game has without a word of its own: what an offer means on the screen, as the server tells it
 *  (docs/wire.md), and in words; and the numbers beside the seats, from the places that the game declares. */
import { countIn, headsOf, type Pack } from '../lib/cards';
import { speaker, t } from '../lib/i18n.svelte';
import type { Table } from '../lib/table.svelte';
import type { Offer, PlaceShown } from '../lib/wire';
import type { SeatStat } from './kit';
import { familyCalled, isShared, namedIn, placeCalled, rowsOf } from './placed';

/** An offer with what it means; one that was not explained is just something that can be said. */
export interface Meant extends Offer {
  card: number | null;
  origin: string | null;
  place: string | null;
  effect: 'takes' | 'joins' | 'chooses' | 'says';
  taken: number[];
  next: string[];
  then: string[];
  points: number | null;
  tone: Tone;
}

/** Where the picked card would lead to. */
export interface Shown {
  /** `take`: what lies there would be taken; `add`: the card joins it; `choose`: several are possible. */
  kind: 'add' | 'take' | 'choose';
  places: string[];
  tone: Tone;
}
export type Preview = Shown & { text: string };
export type Tone = 'good' | 'bad' | 'plain';
export type Best = 'most' | 'fewest';

export const HAND = 'hand';
export const NEW = 'new'; // the place of a heap that is not there yet

const UNEXPLAINED = {
  card: null,
  origin: null,
  place: null,
  taken: [],
  next: [],
  then: [],
  points: null
};
export const meant = (offer: Offer): Meant => ({
  ...UNEXPLAINED,
  ...offer,
  effect: offer.effect ?? 'says',
  tone: offer.tone ?? 'plain'
});

/** The card of one's hand that an offer plays. */
export const cardOf = (offer: Meant, seat: number | null): number | null =>
  offer.origin === `${HAND} ${seat}` ? offer.card : null;

/** A single card that lies on the table, where it is the card that one presses. */
export const cardAt = (place: string, card: number): string => `${place}#${card}`;

/** What could be pressed for an offer that plays no card of the hand. */
const targetsOf = (offer: Meant): string[] => [
  ...(offer.card !== null && offer.origin !== null ? [cardAt(offer.origin, offer.card)] : []),
  ...(offer.place !== null ? [offer.place] : [])
];

/** By what can be pressed: the offer that means it.  What could mean several is none of them. */
export function byTarget(offers: Meant[], seat: number | null): Map<string, Meant> {
  const found = new Map<string, Meant | null>();
  for (const offer of offers) {
    const inHand = cardOf(offer, seat) !== null;
    for (const target of inHand && offer.place !== null ? [offer.place] : targetsOf(offer))
      found.set(target, found.has(target) ? null : offer);
  }
  return new Map([...found].flatMap(([target, offer]) => (offer ? [[target, offer]] : [])));
}

/** A button beside the hand: what means no card and no place, or a place that lies before somebody else. */
export function isPlain(offer: Meant, seat: number | null, declared: PlaceShown[]): boolean {
  if (offer.card !== null) return false;
  const owner = offer.place === null ? seat : namedIn(declared, offer.place)?.seat;
  return offer.place === null || (owner !== null && owner !== undefined && owner !== seat);
}

/** Where others choose too, a card is laid face down first; that it would go to somebody is not known before. */
const isUncertain = (table: Table, { place, effect, next }: Meant): boolean =>
  table.isSecret &&
  effect === 'joins' &&
  place !== null &&
  !next.length &&
  !isShared(table.declared, place);

export function shownOf(table: Table, offers: Meant[]): Shown | null {
  const places = offers.flatMap((offer) => offer.place ?? []);
  const offer = offers.at(0);
  if (!offer) return null;
  if (offers.length > 1) return { kind: 'choose', places, tone: 'plain' };
  if (isUncertain(table, offer)) return { kind: 'add', places: [], tone: 'plain' };
  const { tone } = offer;
  if (offer.effect === 'takes') return { kind: 'take', places, tone };
  if (offer.effect === 'chooses' || offer.next.length)
    return { kind: 'choose', places: offer.next, tone: 'plain' };
  return { kind: 'add', places, tone };
}

// -- In words -------------------------------------------------------------------------------------

export const signed = (points: number): string =>
  points > 0 ? `+${points}` : points < 0 ? `−${-points}` : '±0';

export const pointsInWords = (points: number, best: Best): string =>
  t(best === 'fewest' ? 'common.minus_points' : 'common.points', { n: points });

/** What lies there, in heads or bulls; how many cards, where not all of them can be seen. */
export function costsOf(pack: Pack, cards: number[]): string {
  if (cards.includes(0)) return t('common.cards', { n: cards.length });
  return t(pack.deck.colours ? 'common.bulls' : 'common.heads', { n: headsOf(pack, cards) });
}

/** The number of a row, or the name of another place: for sentences about rows. */
export const numberOf = (table: Table, place: string): string =>
  String(namedIn(table.declared, place)?.number ?? placeCalled(table.declared, place));

export function inWords(table: Table, offers: Meant[], shown: Shown): string {
  const [offer] = offers;
  const place = shown.places.at(0) ?? '';
  const inRow = namedIn(table.declared, place)?.family.name === 'row';
  const words = { row: numberOf(table, place), place: placeCalled(table.declared, place) };
  if (shown.kind === 'choose') {
    const places = speaker.list(shown.places.map((one) => placeCalled(table.declared, one)));
    if (offers.length > 1) return t('games.choose_where');
    return places ? t('games.would_choose', { places }) : t('games.would_choose_then');
  }
  if (shown.kind === 'take')
    return t(inRow ? 'games.would_take' : 'games.would_take_from', {
      ...words,
      heads: costsOf(table.pack, offer.taken)
    });
  if (isUncertain(table, offer)) return t('games.would_lay');
  if (!place) return offer.label;
  if (place === NEW) return t('games.would_begin');
  return t(inRow ? 'games.would_land' : 'games.would_go', words);
}

export function buttonOf(table: Table, card: number): string {
  const own = table.kit.button?.(table, card);
  if (own !== undefined) return own;
  return (table.byCard.get(card)?.length ?? 0) > 1
    ? t('games.choose_where')
    : t('table.play', { card: table.pack.names[String(card)] ?? card });
}

/** What to do now, if there is something to do. */
export function promptOf(table: Table): string | null {
  if (!table.decision) return null;
  const own = table.kit.prompt?.(table);
  if (own) return own;
  if (table.chosenCard !== null) return t('table.chosen', { card: table.chosenCard });
  if (table.byCard.size) return t('table.pick_a_card');
  if (table.byPlace.size) return t('table.pick_a_place');
  return table.plainOffers.length ? t('table.pick_one') : null;
}

// -- From what is declared ------------------------------------------------------------------------

export function pointsStat(table: Table, seat: number, place?: string): SeatStat {
  const points = table.shown?.scores[seat] ?? 0;
  return { icon: 'pip', value: points, label: pointsInWords(points, table.best), place };
}
export function handStat(table: Table, seat: number): SeatStat {
  const place = `${HAND} ${seat}`;
  const held = countIn(table.places[place]);
  return { icon: 'cards', value: held, label: t('common.cards_in_hand', { n: held }), place };
}
/** A pile before a seat: how many cards. */
export function pileStat(table: Table, seat: number, name: string, label?: string): SeatStat {
  const n = countIn(table.places[`${name} ${seat}`]);
  return {
    icon: 'pile',
    value: n,
    label: label ?? `${familyCalled(name)}: ${t('common.cards', { n })}`,
    place: `${name} ${seat}`
  };
}

/** Points, cards in hand, and what else lies before a seat. */
export function statsOf(table: Table, seat: number): SeatStat[] {
  const own = table.kit.stats?.(table, seat);
  if (own) return own;
  const piles = table.declared
    .filter(({ kind, name, tray }) => kind === 'seat' && name !== HAND && tray === null)
    .map(({ name }) => pileStat(table, seat, name));
  const heaps = table.declared
    .filter(({ kind }) => kind === 'heap')
    .map(({ name }) => ({ name, heaps: rowsOf(table.places, name, seat) }))
    .filter((one) => one.heaps.length)
    .map(({ name, heaps }): SeatStat => {
      const n = heaps.reduce((sum, heap) => sum + heap.cards.length, 0);
      const label = `${familyCalled(name)}: ${t('common.cards', { n })}`;
      return { icon: 'pile', value: n, label };
    });
  return [pointsStat(table, seat), handStat(table, seat), ...piles, ...heaps];
}

/** What is counted one after the other: rounds, or whole games where several are played in a row. */
export type Span = 'round' | 'game';
export const spanOf = (table: { options: Record<string, unknown> } | undefined): Span =>
  table && 'games' in table.options ? 'game' : 'round';

/** So high are rows with the smallest cards that can be read, in px, and what is around them. */
export const LANE = 56;

/** How high the board must be at least, in px. */
export function leastOf(table: Table): number {
  const rows = table.declared
    .filter(({ kind }) => kind === 'number')
    .flatMap(({ name }) => rowsOf(table.places, name));
  return table.kit.least?.(table) ?? LANE * Math.max(4, rows.length);
}

export function progressOf(table: Table): string {
  const own = table.kit.progress?.(table);
  if (own !== undefined) return own;
  const { rounds, games } = table.welcome?.table.options ?? {};
  const n = (table.shown?.rounds.length ?? 0) + 1;
  if (typeof rounds === 'number')
    return t('games.round_of', { round: Math.min(n, rounds), of: rounds });
  if (typeof games === 'number')
    return games > 1 ? t('games.game_of', { round: Math.min(n, games), of: games }) : '';
  return n > 1 && table.phase !== 'over' ? t('table.round', { n }) : '';
}
