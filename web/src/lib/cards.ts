/** What a card shows, from the deck that the server sends. */
import type { Deck } from './api';
import { speaker, t } from './i18n.svelte';

export const COLOURS = ['blue', 'yellow', 'green', 'red', 'black', 'white'] as const;
export type Colour = (typeof COLOURS)[number];
export type Mood = 'calm' | 'wary' | 'cross' | 'angry' | 'furious';

export type Face =
  | { kind: 'heads'; name: string; heads: number }
  | { kind: 'signed'; name: string; heads: number; good: boolean } // Hornochsen!: green ones good, red ones bad
  | { kind: 'colours'; name: string; bulls: Colour[] }
  | { kind: 'special'; name: string }
  | { kind: 'zero'; name: string }
  | { kind: 'bull'; name: string; heads: number | null }; // null: one of 11 nimmt!'s, all alike

export interface Pack {
  game: string;
  deck: Deck;
  names: Record<string, string>;
}

const FIRST_BULL = 106; // Bullenparty's bull cards are 106 to 115, fewest heads first

export function faceOf(pack: Pack, card: number): Face {
  const special = pack.names[String(card)];
  if (special !== undefined) return namedFace(pack, card, special);
  const name = String(card);
  const colours = pack.deck.colours?.[card - 1];
  if (colours) return { kind: 'colours', name, bulls: COLOURS.flatMap((colour, at) => Array<Colour>(colours[at]).fill(colour)) };
  const heads = pack.deck.heads?.[card - 1] ?? 0;
  if (pack.game === 'hornochsen') return { kind: 'signed', name, heads: Math.abs(heads), good: heads > 0 };
  return { kind: 'heads', name, heads };
}

function namedFace(pack: Pack, card: number, name: string): Face {
  if (pack.game === 'hornochsen') return { kind: 'special', name: name.startsWith('x2') ? '×2' : '+5' };
  if (name.startsWith('bull')) return { kind: 'bull', name: '', heads: pack.deck.bulls?.[card - FIRST_BULL] ?? null };
  return { kind: 'zero', name };
}

/** Minus points on a card, or bulls; 0 for cards without a number. */
export function headsOn(pack: Pack, card: number): number {
  const face = faceOf(pack, card);
  if (face.kind === 'colours') return face.bulls.length;
  if (face.kind === 'signed') return face.good ? face.heads : -face.heads;
  return face.kind === 'heads' || face.kind === 'bull' ? (face.heads ?? 0) : 0;
}

export const headsOf = (pack: Pack, cards: number[]): number => cards.reduce((sum, card) => sum + headsOn(pack, card), 0);

export function moodOf(heads: number): Mood {
  return heads >= 7 ? 'furious' : heads >= 4 ? 'angry' : heads === 3 ? 'cross' : heads === 2 ? 'wary' : 'calm';
}

/** The card in words, for those who listen. */
export function labelOf(face: Face): string {
  switch (face.kind) {
    case 'heads':
      return t('common.card', { card: face.name, shows: t('common.heads', { n: face.heads }) });
    case 'signed':
      return t('common.card', { card: face.name, shows: t(face.good ? 'common.green_heads' : 'common.red_heads', { n: face.heads }) });
    case 'colours':
      return t('common.card', { card: face.name, shows: coloursInWords(face.bulls) });
    case 'special':
      return t('common.special_card', { card: face.name });
    case 'zero':
      return t('common.zero_card', { card: face.name });
    case 'bull':
      return face.heads === null ? t('common.bull_card') : t('common.bull_card_with', { shows: t('common.heads', { n: face.heads }) });
  }
}

export function coloursInWords(bulls: Colour[]): string {
  const counts = new Map<Colour, number>();
  for (const bull of bulls) counts.set(bull, (counts.get(bull) ?? 0) + 1);
  return speaker.list([...counts].map(([colour, n]) => `${n} ${t(`common.${colour}`)}`));
}

/** The cards of a place: those that lie face down are 0. */
export function cardsIn(place: number[] | number | undefined): number[] {
  return typeof place === 'number' ? Array<number>(place).fill(0) : (place ?? []);
}

export const countIn = (place: number[] | number | undefined): number => (typeof place === 'number' ? place : (place?.length ?? 0));
