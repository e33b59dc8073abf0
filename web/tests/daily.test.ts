import { expect, test } from 'vitest';
import type { Entry } from '../src/i18n/shape';
import {
  compared,
  pictureOf,
  placeOf,
  textOf,
  type DailyGame,
  type Told
} from '../src/later/daily';
import { speakerOf } from '../src/later/words';
import { words as english } from '../src/later/words/daily.en';

const files = import.meta.glob<{ words: Record<string, Entry> }>('../src/later/words/*.ts', {
  eager: true
});
const facts = (entry: Entry) =>
  [
    ...new Set(
      (typeof entry === 'string' ? [entry] : Object.values(entry)).flatMap(
        (text) => text.match(/\{\w+\}/g) ?? []
      )
    )
  ].sort();
const inEnglish = (path: string) => files[path.replace(/\.\w+\.ts$/, '.en.ts')].words;

test.each(Object.entries(files))(
  '%s says what English says, with the same facts',
  (path, { words }) => {
    expect(Object.keys(words).sort()).toEqual(Object.keys(inEnglish(path)).sort());
    for (const [key, entry] of Object.entries(words)) {
      expect(facts(entry), key).toEqual(facts(inEnglish(path)[key]));
      expect(typeof entry, key).toBe(typeof inEnglish(path)[key]);
    }
  }
);

test('a page says a plural by the rules of its language', async () => {
  const fetched = {
    './words/daily.en.ts': () => Promise.resolve({ words: english }),
    './words/daily.pl.ts': () => Promise.resolve(files['../src/later/words/daily.pl.ts'])
  };
  const polish = await speakerOf<typeof english>(fetched, 'pl');
  expect([1, 3, 5].map((n) => polish('points', { n }))).toEqual([
    '1 punkt',
    '3 punkty',
    '5 punktów'
  ]);
  const other = await speakerOf<typeof english>(fetched, 'sv');
  expect(other('points', { n: 1 })).toBe('1 point');
});

const game: DailyGame = {
  game: 'six-nimmt',
  best: 'fewest',
  status: 'finished',
  table: 'a',
  score: 12,
  counted: true,
  expert: 15,
  scores: [
    { score: 3, players: 1 },
    { score: 12, players: 2 },
    { score: 30, players: 4 }
  ],
  line: null
};

test('one is better than those who did worse, and oneself is no other', () => {
  expect(placeOf(game)).toEqual({ ahead: 4, others: 6 });
  expect(placeOf({ ...game, best: 'most' })).toEqual({ ahead: 1, others: 6 });
  expect(placeOf({ ...game, counted: false })).toEqual({ ahead: 4, others: 7 });
  expect([compared('fewest', 1, 2), compared('most', 1, 2), compared('most', 2, 2)]).toEqual([
    1, -1, 0
  ]);
});

const told: Told = {
  app: 'Bullpen',
  title: '6 nimmt! <&>',
  day: '17 Nov 2026',
  you: 'You',
  expert: 'The expert',
  score: 12,
  expertScore: 15,
  verdict: 'Better than the expert!',
  place: '',
  streak: '3 days in a row',
  scores: game.scores,
  address: 'https://example.org/daily'
};

test('a text to share has the score and leaves out what is not known', () => {
  expect(textOf(told).split('\n')).toEqual([
    'Bullpen · 6 nimmt! <&> · 17 Nov 2026',
    'You: 12 – The expert: 15',
    'Better than the expert!',
    '3 days in a row',
    'https://example.org/daily'
  ]);
  expect(textOf({ ...told, expertScore: null })).toContain('You: 12\n');
});

test('the picture is drawn of numbers and words alone, and is well formed whatever a title says', () => {
  const drawn = new DOMParser().parseFromString(pictureOf(told), 'image/svg+xml');
  expect(drawn.querySelector('parsererror')).toBeNull();
  expect(drawn.querySelectorAll('rect').length).toBe(1 + game.scores.length);
  expect(drawn.documentElement.textContent).toContain('6 nimmt! <&>');
  expect(pictureOf(told)).not.toMatch(/<image|href|url\(/);
});
