/** How a game shows itself on the first page; one that says nothing of it shows cards from its whole deck. */
import type { Cover, GameFacts } from '../lib/api';

export const coverOf = (game: GameFacts): Cover =>
  game.cover ?? {
    cards: fanOf(game),
    glow: '#4f87a8',
    minutes: null,
    bots: Math.max(game.least, Math.min(3, game.most)) - 1
  };

/** Five cards from the whole deck. */
function fanOf({ deck }: GameFacts): number[] {
  const count = (deck.heads ?? deck.colours ?? []).length;
  return [0.1, 0.3, 0.5, 0.7, 0.95].map((part) => Math.max(1, Math.ceil(part * count)));
}
