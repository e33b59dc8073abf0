/** What lies where: the cards of a place, or how many lie there face down. */
import { cardsIn } from './cards';
import type { PlaceShown, Step } from './wire';

export type Places = Record<string, number[] | number>;

/** After a step's cards have gone where they go; cards that stay where they are have been turned up. */
export function moved(places: Places, step: Step, declared: PlaceShown[] = []): Places {
  const next: Places = { ...places };
  for (const { cards, from, to } of step.moves) {
    const going = cardsIn(cards);
    if (from === to) {
      const wasEmpty = cardsIn(next[to]).length === 0;
      const tray = declared.find((one) => one.tray !== null && to.startsWith(`${one.name} `));
      // Out of an open hand, as in a replay, too.
      const hand = tray ? to.replace(tray.name, tray.tray ?? '') : '';
      if (wasEmpty && next[hand] !== undefined) next[hand] = without(next[hand], going);
      next[to] = going;
      continue;
    }
    next[from] = without(next[from], going);
    next[to] = joined(next[to], going);
  }
  return next;
}

function without(place: number[] | number | undefined, cards: number[]): number[] | number {
  if (place === undefined) return [];
  if (typeof place === 'number') return Math.max(0, place - cards.length);
  const left = [...place];
  for (const card of cards) {
    const at = left.includes(card) ? left.indexOf(card) : card ? left.indexOf(0) : left.length - 1;
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}

function joined(place: number[] | number | undefined, cards: number[]): number[] | number {
  if (typeof place === 'number' && cards.length) return place + cards.length;
  return [...cardsIn(place), ...cards];
}
