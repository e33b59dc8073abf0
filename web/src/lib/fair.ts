/** The deal of a finished game, computed once more in this browser: docs/fair.md, byte by byte. */
export type Written = number | string; // a card as a record writes it

export interface Fairness {
  scheme: string;
  commitment: string;
  secret: string;
  contributions: string[];
}

export interface Hashing {
  sha256(message: Uint8Array): Promise<Uint8Array>;
  hmac(key: Uint8Array, message: Uint8Array): Promise<Uint8Array>;
}

export interface Checked {
  /** SHA-256 of the secret is what was published. */
  commitment: boolean;
  /** By shuffle: it comes out the same, and no card is there twice. */
  shuffles: boolean[];
}

const SCHEME = 'bullpen-fair-1';
const WORD = 2 ** 32;

/** The browser's own where it has one: pages over plain HTTP get none. */
export async function hashing(): Promise<Hashing> {
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) {
    const own = await import('./sha256');
    return { sha256: async (message) => own.sha256(message), hmac: async (key, message) => own.hmac(key, message) };
  }
  return {
    sha256: async (message) => new Uint8Array(await subtle.digest('SHA-256', message as BufferSource)),
    hmac: async (key, message) => {
      const imported = await subtle.importKey('raw', key as BufferSource, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
      return new Uint8Array(await subtle.sign('HMAC', imported, message as BufferSource));
    }
  };
}

export async function check(fair: Fairness, shuffles: Written[][], how?: Hashing): Promise<Checked> {
  const hash = how ?? (await hashing());
  const secret = bytesOf(fair.secret);
  const commitment = hexOf(await hash.sha256(secret)) === fair.commitment && fair.scheme === SCHEME;
  const fits: boolean[] = [];
  for (const [number, told] of shuffles.entries()) {
    const again = await shuffled(told, secret, fair.contributions, number, hash);
    fits.push(new Set(told).size === told.length && again.every((card, at) => card === told[at]));
  }
  return { commitment, shuffles: fits };
}

/** The cards in dealing order, whatever order they come in. */
export async function shuffled(cards: Written[], secret: Uint8Array, contributions: string[], number: number, hash: Hashing): Promise<Written[]> {
  const order = [...cards].sort(byWriting);
  const words = await stream(secret, contributions, number, hash);
  for (let last = order.length - 1; last > 0; last--) {
    const other = await below(last + 1, words);
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}

/** Numbers first, ascending; then names, by their characters. */
function byWriting(one: Written, other: Written): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (typeof one !== typeof other) return typeof one === 'number' ? -1 : 1;
  const [a, b] = [[...String(one)], [...String(other)]];
  const at = a.findIndex((letter, index) => letter !== b[index]);
  return at < 0 ? a.length - b.length : a[at].codePointAt(0)! - (b[at]?.codePointAt(0) ?? -1);
}

async function stream(secret: Uint8Array, contributions: string[], number: number, hash: Hashing): Promise<() => Promise<number>> {
  const start = [...new TextEncoder().encode(SCHEME), ...(await hash.sha256(joined(contributions))), ...big(number, 8)];
  let block = 0;
  let waiting: number[] = [];
  return async () => {
    if (!waiting.length) {
      const digest = new DataView((await hash.hmac(secret, Uint8Array.from([...start, ...big(block++, 8)]))).buffer);
      waiting = Array.from({ length: 8 }, (_, at) => digest.getUint32(at * 4));
    }
    return waiting.shift()!;
  };
}

/** From 0, below the limit, each as likely: words that would favour some are left out. */
async function below(limit: number, next: () => Promise<number>): Promise<number> {
  const fair = WORD - (WORD % limit);
  let word = await next();
  while (word >= fair) word = await next();
  return word % limit;
}

function joined(contributions: string[]): Uint8Array {
  const texts = contributions.map((text) => new TextEncoder().encode(text));
  return Uint8Array.from([...big(texts.length, 4), ...texts.flatMap((text) => [...big(text.length, 4), ...text])]);
}

/** The most significant byte first. */
function big(value: number, bytes: number): number[] {
  return Array.from({ length: bytes }, (_, at) => Math.floor(value / 256 ** (bytes - 1 - at)) % 256);
}

export const bytesOf = (hex: string): Uint8Array => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
export const hexOf = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
