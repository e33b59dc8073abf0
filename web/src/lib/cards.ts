/** What a card shows, from the deck that the server sends. */
import type { Deck } from './api';
import { speaker, t } from './i18n.svelte';

export const COLOURS = ['blue', 'yellow', 'green', 'red', 'black', 'white'] as const;
export type Colour = (typeof COLOURS)[number];
export type Mood = 'calm' | 'wary' | 'cross' | 'angry' | 'furious';

export type Face =
  | { kind: 'heads'; name: string; heads: number }
  | { kind: 'signed'; name: string; heads: number; good: boolean } // green ones good, red ones bad
  | { kind: 'colours'; name: string; bulls: Colour[] }
  | { kind: 'special'; name: string }
  | { kind: 'zero'; name: string }
  | { kind: 'bull'; name: string; heads: number | null }; // null: all alike

export interface Pack {
  deck: Deck;
  names: Record<string, string>;
}

/** Whether it has a name instead of a number. */
export const isNamed = (pack: Pack, card: number): boolean => String(card) in pack.names;
/** Whether heads are good or bad by their sign. */
export const isSigned = (pack: Pack): boolean =>
  pack.deck.heads?.some((heads) => heads < 0) ?? false;

const isBull = (name: string): boolean => name.startsWith('bull');

export function faceOf(pack: Pack, card: number): Face {
  const special = pack.names[String(card)];
  if (special !== undefined) return namedFace(pack, card, special);
  const name = String(card);
  const colours = pack.deck.colours?.[card - 1];
  if (colours)
    return {
      kind: 'colours',
      name,
      bulls: COLOURS.flatMap((colour, at) => Array<Colour>(colours[at]).fill(colour))
    };
  const heads = pack.deck.heads?.[card - 1] ?? 0;
  if (isSigned(pack)) return { kind: 'signed', name, heads: Math.abs(heads), good: heads > 0 };
  return { kind: 'heads', name, heads };
}

function namedFace(pack: Pack, card: number, name: string): Face {
  if (isBull(name)) {
    // The deck lists the heads of its bull cards in the order of their numbers.
    const before = Object.entries(pack.names).filter(
      ([number, other]) => Number(number) < card && isBull(other)
    );
    return { kind: 'bull', name: '', heads: pack.deck.bulls?.[before.length] ?? null };
  }
  if (/^\p{L}$/u.test(name)) return { kind: 'zero', name }; // one letter each
  return { kind: 'special', name: name.replace(/^x(?=\d)/, '×') };
}

/** Minus points on a card, or bulls; 0 for cards without a number. */
export function headsOn(pack: Pack, card: number): number {
  const face = faceOf(pack, card);
  if (face.kind === 'colours') return face.bulls.length;
  if (face.kind === 'signed') return face.good ? face.heads : -face.heads;
  return face.kind === 'heads' || face.kind === 'bull' ? (face.heads ?? 0) : 0;
}

export const headsOf = (pack: Pack, cards: number[]): number =>
  cards.reduce((sum, card) => sum + headsOn(pack, card), 0);

export function moodOf(heads: number): Mood {
  return heads >= 7
    ? 'furious'
    : heads >= 4
      ? 'angry'
      : heads === 3
        ? 'cross'
        : heads === 2
          ? 'wary'
          : 'calm';
}

/** The card in words, for those who listen. */
export function labelOf(face: Face): string {
  switch (face.kind) {
    case 'heads':
      return t('common.card', { card: face.name, shows: t('common.heads', { n: face.heads }) });
    case 'signed':
      return t('common.card', {
        card: face.name,
        shows: t(face.good ? 'common.green_heads' : 'common.red_heads', { n: face.heads })
      });
    case 'colours':
      return t('common.card', { card: face.name, shows: coloursInWords(face.bulls) });
    case 'special':
      return t('common.special_card', { card: face.name });
    case 'zero':
      return t('common.zero_card', { card: face.name });
    case 'bull':
      return face.heads === null
        ? t('common.bull_card')
        : t('common.bull_card_with', { shows: t('common.heads', { n: face.heads }) });
  }
}

export function coloursInWords(bulls: Colour[]): string {
  const counts = new Map<Colour, number>();
  for (const bull of bulls) counts.set(bull, (counts.get(bull) ?? 0) + 1);
  return speaker.list([...counts].map(([colour, n]) => t(`common.${colour}`, { n })));
}

/** The cards of a place: those that lie face down are 0. */
export function cardsIn(place: number[] | number | undefined): number[] {
  return typeof place === 'number' ? Array<number>(place).fill(0) : (place ?? []);
}

export const countIn = (place: number[] | number | undefined): number =>
  typeof place === 'number' ? place : (place?.length ?? 0);
