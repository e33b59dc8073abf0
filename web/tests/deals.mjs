// For tests/test_both_verifiers.py: deals come in line by line, and go out as the page of the browser computes them.
import { createInterface } from 'node:readline';

const { check, commitmentOf, shuffled } = await import(process.argv[2]);
for await (const line of createInterface({ input: process.stdin })) {
  const { fair, number, cards, drawn } = JSON.parse(line);
  const committed = drawn.map((share, seat) => share && commitmentOf(fair.table, seat, share));
  console.log(
    JSON.stringify({ ...check(fair, []), committed, cards: shuffled(cards, fair, number) })
  );
}
