/** What lies where: the cards of a place, or how many lie there face down. */
import { cardsIn } from './cards';
import type { Step } from './wire';

export type Places = Record<string, number[] | number>;

/** After a step's cards have gone where they go; cards that stay where they are have been turned up. */
export function moved(places: Places, step: Step): Places {
  const next: Places = { ...places };
  for (const { cards, from, to } of step.moves) {
    const going = cardsIn(cards);
    if (from === to) {
      const wasEmpty = cardsIn(next[to]).length === 0;
      const hand = to.replace(/^\w+/, 'hand');
      if (wasEmpty && next[hand] !== undefined) next[hand] = without(next[hand], going); // an open hand, as in a replay, too
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
