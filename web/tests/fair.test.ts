import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bytesOf, check, hashing, hexOf, shuffled, type Fairness, type Hashing, type Written } from '../src/lib/fair';
import * as own from '../src/lib/sha256';

interface Example { secret: string; commitment: string; contributions: string[]; shuffle: number; cards: Written[]; shuffled: Written[] }
const page = readFileSync('../docs/fair.md', 'utf8');
const examples = JSON.parse(page.split('```json')[1].split('```')[0]) as Example[];
const plain: Hashing = { sha256: async (message) => own.sha256(message), hmac: async (key, message) => own.hmac(key, message) };

describe.each([['the browser', hashing], ['our own', async () => plain]])('with the hashes of %s', (_, make) => {
  it.each(examples)('a deal comes out as docs/fair.md says: shuffle $shuffle', async (example) => {
    const hash = await make();
    expect(hexOf(await hash.sha256(bytesOf(example.secret)))).toBe(example.commitment);
    expect(await shuffled(example.cards, bytesOf(example.secret), example.contributions, example.shuffle, hash)).toEqual(example.shuffled);
  });
});

it('our own SHA-256 agrees with the browser on messages of every length', async () => {
  const hash = await hashing();
  for (let length = 0; length < 200; length++) {
    const message = Uint8Array.from({ length }, (_, at) => (at * 37 + length) % 256);
    expect(hexOf(own.sha256(message))).toBe(hexOf(await hash.sha256(message)));
    const key = message.length ? message : new Uint8Array(1);
    expect(hexOf(own.hmac(key, message))).toBe(hexOf(await hash.hmac(key, message)));
  }
});

describe('a record of a served game', () => {
  const record = JSON.parse(readFileSync('../tests/records/bullenparty-3-served-fair.json', 'utf8')) as { fair: Fairness; shuffles: Written[][] };
  it('is fair', async () => {
    const found = await check(record.fair, record.shuffles);
    expect(found.commitment).toBe(true);
    expect(found.shuffles.length).toBeGreaterThan(0);
    expect(found.shuffles.every(Boolean)).toBe(true);
  });
  it('is found out when two cards are exchanged, and only in that shuffle', async () => {
    const forged = record.shuffles.map((cards) => [...cards]);
    [forged[0][0], forged[0][1]] = [forged[0][1], forged[0][0]];
    const found = await check(record.fair, forged);
    expect(found.shuffles[0]).toBe(false);
    expect(found.shuffles.slice(1).every(Boolean)).toBe(true);
  });
  it('is found out when the secret was exchanged', async () => {
    const found = await check({ ...record.fair, secret: '00'.repeat(32) }, record.shuffles);
    expect(found.commitment).toBe(false);
    expect(found.shuffles.every((fits) => !fits)).toBe(true);
  });
  it('is found out when a contribution was left out', async () => {
    const found = await check({ ...record.fair, contributions: record.fair.contributions.map(() => 'x') }, record.shuffles);
    expect(found.commitment).toBe(true);
    expect(found.shuffles.some((fits) => !fits)).toBe(true);
  });
});
