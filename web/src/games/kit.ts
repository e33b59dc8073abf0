/** What the page must know of a game to show it: which offer means which card and which place.  No rules. */
import type { Table, Places } from '../lib/table.svelte';
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

export interface Kit {
  /** The place by seat where a secretly chosen card lies: `laid` for `laid 0`. */
  tray: string | null;
  /** Whether the most points win, or the fewest. */
  best: 'most' | 'fewest';
  /** The card of the hand that an offer plays. */
  cardOf(offer: Offer): number | null;
  /** The place on the screen that an offer means; `selected` is the card picked in the hand. */
  placeOf(offer: Offer, selected: number | null, table: Table): string | null;
  /** Offers that are shown as buttons with their label. */
  isPlain(offer: Offer): boolean;
  /** What to do now, in words, where the usual words are too few. */
  prompt?(table: Table): string | null;
  preview?(table: Table, card: number): Preview | null;
  stats(table: Table, seat: number): SeatStat[];
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
