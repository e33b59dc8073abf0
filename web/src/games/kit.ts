/** What a game may add to what the server tells of it (`generic.ts`): its own words, and which number has which sign.
 *
 *  Every part may be missing, and a game without a file here is shown with the words of `generic.ts`.  There are no
 *  rules: what an offer plays, where it leads and what it brings stands in the offer. */
import type { Table } from '../lib/table.svelte';
import type { Meant, Shown } from './generic';

/** A small number beside a seat's name. */
export interface SeatStat {
  icon: 'pip' | 'cards' | 'pile' | 'bull' | 'x';
  value: number | string;
  label: string;
  /** The place that cards fly to when this grows. */
  place?: string;
}

export interface Kit {
  /** What to do now, where the usual words are too few. */
  prompt?(table: Table): string | null;
  /** What would happen with the picked card: its offers, and where they lead on the screen. */
  says?(table: Table, offers: Meant[], shown: Shown): string | null;
  /** What the button beside the hand says for the picked card; `Play 43`, if nothing else. */
  button?(table: Table, card: number): string;
  /** What one does with a row that one may choose to take; `Take`, if nothing else. */
  take?(): string;
  /** What it says while no card is picked; `Play`, if nothing else. */
  verb?(table: Table): string;
  stats?(table: Table, seat: number): SeatStat[];
  /** How high its board must be at least on a narrow screen, in px, for its cards to be read. */
  least?(table: Table): number;
  /** How far the game is: "Round 2 of 4". */
  progress?(table: Table): string;
}
