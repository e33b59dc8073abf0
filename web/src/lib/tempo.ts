/** How long what happened is shown, in ms at the usual speed; and that a turn of ten players is no longer than one
 *  likes to watch. */
import type { Step } from './wire';

export const STEP = 480; // for a card to fly
export const TURN = 620; // … for chosen cards to be turned up and read
export const TAKE = 340; // … for a row to glow before it is taken
export const BREATH = 90; // … between two steps
const LEAVING = 1.5; // a row flies one card after the other
const MOST = 4600; // for one view: two of them, the second one after a choice, are a turn

export const isTurned = ({ moves }: Step): boolean =>
  moves.length > 0 && moves.every((move) => move.from === move.to);

/** If nothing were hurried. */
export function lengthOf(step: Step, takes: boolean): number {
  if (step.tally) return 0;
  if (isTurned(step)) return STEP * 0.5 + TURN;
  return takes ? TAKE + STEP * LEAVING + BREATH : STEP + BREATH;
}

/** By how much everything is quicker, so that it is shown in time. */
export const tempoFor = (length: number): number => Math.min(1, MOST / Math.max(1, length));
