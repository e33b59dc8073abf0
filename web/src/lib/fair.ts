/** The deal of a finished game, computed once more in this browser: docs/fair.md, byte by byte. */
import { hmac, joined, sha256 } from './sha256';

export type Written = number | string; // a card as a record writes it

/** Lists are by seat; null for a seat without a share. */
export interface Fairness {
  scheme: 'bullpen-fair-2';
  table: string;
  commitment: string;
  secret: string;
  commitments: (string | null)[];
  /** As they counted. */
  shares: (string | null)[];
  unopened: number[];
}

/** By the older scheme, where everybody contributed in clear. */
export interface OldFairness {
  scheme: 'bullpen-fair-1';
  commitment: string;
  secret: string;
  contributions: string[];
}

export interface Checked {
  /** SHA-256 of the secret is what was published. */
  commitment: boolean;
  /** By seat: the share is what was committed to, or, where it was not opened, what the rule says; null without one. */
  shares: (boolean | null)[];
  /** By shuffle: it comes out the same, and no card is there twice. */
  shuffles: boolean[];
}

const SCHEMES = ['bullpen-fair-1', 'bullpen-fair-2'];
const WORD = 2 ** 32;

// -- Shares -------------------------------------------------------------------------------------

/** What a player publishes of a share before the start. */
export function commitmentOf(table: string, seat: number, share: string): string {
  return hexOf(
    sha256(joined(text('bullpen-fair-2/share'), sized(text(table)), big(seat, 4), bytesOf(share)))
  );
}

/** What counts for a share that was not opened. */
export function replacementOf(commitment: string): string {
  return hexOf(sha256(joined(text('bullpen-fair-2/unopened'), bytesOf(commitment))));
}

// -- Checking -----------------------------------------------------------------------------------

export function check(fair: Fairness | OldFairness, shuffles: Written[][]): Checked {
  const commitment =
    hexOf(sha256(bytesOf(fair.secret))) === fair.commitment && SCHEMES.includes(fair.scheme);
  const fits = shuffles.map((told, number) => {
    const again = shuffled(told, fair, number);
    return new Set(told).size === told.length && again.every((card, at) => card === told[at]);
  });
  return {
    commitment,
    shares: fair.scheme === 'bullpen-fair-2' ? sharesFit(fair) : [],
    shuffles: fits
  };
}

function sharesFit(fair: Fairness): (boolean | null)[] {
  return fair.commitments.map((commitment, seat) => {
    const share = fair.shares[seat] ?? null;
    if (commitment === null || share === null) return commitment === share ? null : false;
    if (fair.unopened.includes(seat)) return share === replacementOf(commitment);
    return commitment === commitmentOf(fair.table, seat, share);
  });
}

// -- The shuffle --------------------------------------------------------------------------------

/** The cards in dealing order, whatever order they come in. */
export function shuffled(
  cards: Written[],
  fair: Fairness | OldFairness,
  number: number
): Written[] {
  const order = [...cards].sort(byWriting);
  const words = stream(fair, number);
  for (let last = order.length - 1; last > 0; last--) {
    const other = below(last + 1, words);
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}

/** Numbers first, ascending; then names, by their characters. */
function byWriting(one: Written, other: Written): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (typeof one !== typeof other) return typeof one === 'number' ? -1 : 1;
  const [a, b] = [characters(one), characters(other)];
  const at = a.findIndex((character, index) => character !== b[index]);
  return at < 0 ? a.length - b.length : a[at] - (b[at] ?? -1);
}

const characters = (written: Written): number[] =>
  Array.from(String(written), (letter) => letter.codePointAt(0) ?? 0);

function stream(fair: Fairness | OldFairness, number: number): () => number {
  const { key, beginning } = fair.scheme === 'bullpen-fair-1' ? oldKey(fair) : keyOf(fair);
  let block = 0;
  let words: number[] = [];
  let next = 0;
  return () => {
    if (next === words.length) {
      const digest = new DataView(
        hmac(key, joined(beginning, big(number, 8), big(block++, 8))).buffer
      );
      words = Array.from({ length: 8 }, (_, at) => digest.getUint32(at * 4));
      next = 0;
    }
    return words[next++];
  };
}

interface Key {
  key: Uint8Array;
  beginning: Uint8Array;
}

function keyOf(fair: Fairness): Key {
  const listed = [...fair.commitments, ...fair.shares].map((one) => sized(bytesOf(one ?? '')));
  const agreed = joined(
    text('bullpen-fair-2'),
    bytesOf(fair.commitment),
    sized(text(fair.table)),
    big(fair.commitments.length, 4),
    ...listed
  );
  return { key: hmac(bytesOf(fair.secret), agreed), beginning: new Uint8Array() };
}

function oldKey(fair: OldFairness): Key {
  const texts = fair.contributions.map((one) => sized(text(one)));
  const contributions = sha256(joined(big(texts.length, 4), ...texts));
  return { key: bytesOf(fair.secret), beginning: joined(text('bullpen-fair-1'), contributions) };
}

/** From 0, below the limit, each as likely: words that would favour some are left out. */
function below(limit: number, next: () => number): number {
  const fair = WORD - (WORD % limit);
  let word = next();
  while (word >= fair) word = next();
  return word % limit;
}

// -- Bytes --------------------------------------------------------------------------------------

const text = (written: string): Uint8Array => new TextEncoder().encode(written);
/** With its length: nothing can pass for a part of what stands beside it. */
const sized = (bytes: Uint8Array): Uint8Array => joined(big(bytes.length, 4), bytes);

/** The most significant byte first. */
function big(value: number, bytes: number): Uint8Array {
  return Uint8Array.from(
    { length: bytes },
    (_, at) => Math.floor(value / 256 ** (bytes - 1 - at)) % 256
  );
}

export const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
export const hexOf = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
