import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  check,
  commitmentOf,
  hexOf,
  shuffled,
  type Fairness,
  type OldFairness,
  type Written
} from '../src/lib/fair';
import { hmac, sha256 } from '../src/lib/sha256';

type Example = (Fairness | OldFairness) & {
  shuffle: number;
  cards: Written[];
  shuffled: Written[];
};
const page = readFileSync('../docs/fair.md', 'utf8');
const blocks = page
  .split('```json')
  .slice(1)
  .map((block) => JSON.parse(block.split('```')[0]) as Example[]);
const examples = ['bullpen-fair-2', 'bullpen-fair-1'].flatMap((scheme, at) =>
  blocks[at].map((example) => ({ ...example, scheme }) as Example)
);

it.each(examples)('a deal comes out as docs/fair.md says: $scheme, shuffle $shuffle', (example) => {
  const { commitment, shares } = check(example, []);
  expect(commitment).toBe(true);
  expect(shares).not.toContain(false);
  expect(shuffled(example.cards, example, example.shuffle)).toEqual(example.shuffled);
});

it('a share that is not the one committed to is found out, and so is a replacement', () => {
  const example = examples[1] as Fairness; // its seat 1 has not opened its share
  const fits = (change: Partial<Fairness>) => check({ ...example, ...change }, []).shares;
  const [mine, replaced, theirs] = example.shares;
  expect(fits({})).toEqual([true, true, true]);
  expect(fits({ shares: [mine, theirs, theirs] })).toEqual([true, false, true]);
  expect(fits({ shares: [theirs, replaced, theirs] })).toEqual([false, true, true]);
  expect(fits({ unopened: [] })).toEqual([true, false, true]);
  expect(fits({ shares: [mine, null, theirs] })).toEqual([true, false, true]);
  expect(fits({ table: 'another' })).toEqual([false, true, false]);
  expect(commitmentOf(example.table, 0, mine!)).toBe(example.commitments[0]);
});

it('our own SHA-256, which pages over plain HTTP need, agrees with the browser on every length', async () => {
  const { subtle } = crypto;
  for (let length = 0; length < 200; length++) {
    const message = Uint8Array.from({ length }, (_, at) => (at * 37 + length) % 256);
    expect(hexOf(sha256(message))).toBe(
      hexOf(new Uint8Array(await subtle.digest('SHA-256', message)))
    );
    const key = message.length ? message : new Uint8Array(1);
    const imported = await subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, [
      'sign'
    ]);
    expect(hexOf(hmac(key, message))).toBe(
      hexOf(new Uint8Array(await subtle.sign('HMAC', imported, message)))
    );
  }
});

describe('an older record of a served game', () => {
  const record = JSON.parse(
    readFileSync('../tests/records/bullenparty-3-served-fair.json', 'utf8')
  ) as { fair: OldFairness; shuffles: Written[][] };
  it('is fair', () => {
    const found = check(record.fair, record.shuffles);
    expect(found.commitment).toBe(true);
    expect(found.shuffles.length).toBeGreaterThan(0);
    expect(found.shuffles.every(Boolean)).toBe(true);
  });
  it('is found out when two cards are exchanged, and only in that shuffle', () => {
    const forged = record.shuffles.map((cards) => [...cards]);
    [forged[0][0], forged[0][1]] = [forged[0][1], forged[0][0]];
    const found = check(record.fair, forged);
    expect(found.shuffles[0]).toBe(false);
    expect(found.shuffles.slice(1).every(Boolean)).toBe(true);
  });
  it('is found out when the secret was exchanged', () => {
    const found = check({ ...record.fair, secret: '00'.repeat(32) }, record.shuffles);
    expect(found.commitment).toBe(false);
    expect(found.shuffles.every((fits) => !fits)).toBe(true);
  });
  it('is found out when a contribution was left out', () => {
    const found = check(
      { ...record.fair, contributions: record.fair.contributions.map(() => 'x') },
      record.shuffles
    );
    expect(found.commitment).toBe(true);
    expect(found.shuffles.some((fits) => !fits)).toBe(true);
  });
});
