/** What the page must know of a game to show it: which offer means which card and which place.
 *
 *  No rules, with two exceptions that only draw, and that tests compare with the real rules: where a picked card would
 *  land (`preview`, tests/landings.json), and how counted points came about (`tally`, `counting`, tests/tallies.json). */
import type { Places } from '../lib/places';
import type { Table } from '../lib/table.svelte';
import type { Offer, Step } from '../lib/wire';

/** What would happen if the picked card were the only one: in words, and where on the screen. */
export interface Preview {
  /** Where it would land; null where no place can be named yet. */
  place: string | null;
  /** `take`: the place would be taken; `add`: the card joins it; `choose`: several are possible. */
  kind: 'add' | 'take' | 'choose';
  /** All places that are possible, where there are several. */
  places?: string[];
  text: string;
}

/** A small number beside a seat's name. */
export interface SeatStat {
  icon: 'pip' | 'cards' | 'pile' | 'bull' | 'x';
  value: number | string;
  label: string;
  /** The place that cards fly to when this grows. */
  place?: string;
}

/** One part of what a seat's points are made of: cards, and what they count. */
export interface TallyPart {
  text: string;
  points: number | string;
  cards: number[];
  tone: 'good' | 'bad' | 'plain';
}
export interface SeatTally {
  seat: number;
  parts: TallyPart[];
}

export interface Kit {
  /** The place by seat where a secretly chosen card lies: `laid` for `laid 0`. */
  tray: string | null;
  /** Whether the most points win, or the fewest. */
  best: 'most' | 'fewest';
  /** The card of the hand that an offer plays. */
  cardOf(offer: Offer, table: Table): number | null;
  /** The place on the screen that an offer means; `selected` is the card picked in the hand. */
  placeOf(offer: Offer, selected: number | null, table: Table): string | null;
  /** Offers that are shown as buttons with their label. */
  isPlain(offer: Offer): boolean;
  /** What the button beside the hand says for the picked card; `Play 43`, if nothing else. */
  button?(table: Table, card: number): string;
  /** What it says while no card is picked; `Play`, if nothing else. */
  verb?(table: Table): string;
  /** Why a card of the hand cannot be played now, with the rule: told when somebody tries. */
  unusable?(table: Table, card: number): string | null;
  /** How the points came about, by seat, once they are counted. */
  tally?(table: Table): SeatTally[];
  /** Whether cards that are taken are no points yet, so that no number rises over a head. */
  quiet?: boolean;
  /** What to do now, in words, where the usual words are too few. */
  prompt?(table: Table): string | null;
  /** What choosing this place would cost, in words; null where it costs nothing. */
  costs?(table: Table, place: string): string | null;
  preview?(table: Table, card: number): Preview | null;
  stats(table: Table, seat: number): SeatStat[];
  /** The place by seat whose cards count when the round is over; `taken` if nothing is said. */
  counting?: { place: string; title: () => string; rest?: (points: number, cards: number[], table: Table) => string };
  /** How far the game is: "Round 2 of 4". */
  progress?(table: Table): string;
  /** After a step's cards have moved: rows that close up, and so on. */
  tidy?(places: Places, step: Step): Places;
}

/** `play 43` with prefix `play` is 43. */
export function numberAfter(move: string, prefix: string): number | null {
  const found = new RegExp(`^${prefix} (\\d+)$`).exec(move);
  return found ? Number(found[1]) : null;
}
