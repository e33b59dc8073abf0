/** What a server says of offers and places, for tests. */
import type { Offer, PlaceShown } from '../src/lib/wire';

type Kind = PlaceShown['kind'];

export const place = (name: string, kind: Kind, more: Partial<PlaceShown> = {}): PlaceShown => ({
  name,
  kind,
  sight: 'face up',
  count: null,
  room: null,
  tray: null,
  ...more
});

/** `action` is its place in the list, from 1, and its label `do play 43`. */
export const offers = (...told: (Partial<Offer> & { move: string })[]) => ({
  number: 4,
  choice: null,
  moves: told.map((offer, at): Offer => ({ action: at + 1, label: `do ${offer.move}`, ...offer }))
});

/** A card of the first seat's hand that joins, or takes, what lies at a place. */
export const plays = (card: number, move: string, more: Partial<Offer> = {}) => ({
  move,
  card,
  origin: 'hand 0',
  effect: 'joins' as const,
  ...more
});
