// For tests/test_both_verifiers.py: deals come in line by line, and go out as the page of the browser computes them.
import { createInterface } from 'node:readline';

const { bytesOf, hashing, hexOf, shuffled } = await import(process.argv[2]);
const hash = await hashing();
for await (const line of createInterface({ input: process.stdin })) {
  const { secret, contributions, number, cards } = JSON.parse(line);
  const commitment = hexOf(await hash.sha256(bytesOf(secret)));
  console.log(JSON.stringify({ commitment, cards: await shuffled(cards, bytesOf(secret), contributions, number, hash) }));
}
