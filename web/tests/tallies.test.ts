/** How the points came about, as it is shown, compared with the points of real games (tests/tallies.py). */
import { expect, test } from 'vitest';
import { headsOf, type Pack } from '../src/lib/cards';
import { FedTable, viewOf, welcomeOf, type Replayed } from '../src/lib/fed.svelte';
import told from './tallies.json';

type Part = (typeof told)[number];
interface Last {
  places: Record<string, number[]>;
  scores: number[];
}

function lastOf(part: Part, { places, scores }: Last): FedTable {
  const table = new FedTable('x');
  const turn = { decisions: [], steps: [], phase: 'over', places, facts: {}, scores, rounds: [] };
  const players = scores.map((_, seat) => ({ seat, kind: 'person', name: `P${seat}`, level: null, connected: true, stand_in: false, sent_away: false, muted: false, reserved_for: null }));
  const replay = { table: { id: 'x', game: part.game, title: part.game, options: {}, deck: part.deck, card_names: part.card_names }, players, result: { fair: {} }, turns: [turn] } as unknown as Replayed;
  table.hear(welcomeOf(replay, 0, null, 'en'));
  table.hear(viewOf(replay, 0));
  return table;
}

const of = (...games: string[]) => told.filter((part) => games.includes(part.game)).map((part) => [part.game, part] as const);
/** `+7`, `−10`, `×4`: as somebody would add it up, from top to bottom. */
const counted = (sum: number, points: string): number => (points.startsWith('×') ? sum * Number(points.slice(1)) : sum + Number(points.replace('−', '-')));

test.each(of('hornochsen', 'bullenparty'))('%s: the parts of a tally add up to the points', (_, part) => {
  for (const position of part.positions as unknown as Last[]) {
    const table = lastOf(part, position);
    const sums = table.kit!.tally!(table).map(({ parts }) => parts.map((one) => String(one.points)).reduce(counted, 0));
    expect(sums, JSON.stringify(position)).toEqual(position.scores);
  }
});

test.each(of('x-nimmt'))('%s: what the X piles do not count is in the hand', (_, part) => {
  const pack = { game: part.game, deck: part.deck, names: {} } as Pack;
  for (const position of part.positions as unknown as Last[]) {
    const table = lastOf(part, position);
    const { place, rest } = table.kit!.counting!;
    for (const [seat, points] of position.scores.entries()) {
      expect(rest!(points, position.places[`${place} ${seat}`], table)).toBe(`left in hand: ${headsOf(pack, position.places[`hand ${seat}`])}`);
    }
  }
});
