import { expect, test } from 'vitest';
import { en } from '../src/i18n/en';
import { pl } from '../src/i18n/pl';
import type { Entry } from '../src/i18n/shape';

type Dictionary = Record<string, Record<string, Entry>>;
const words = (entry: Entry) => [...new Set((typeof entry === 'string' ? [entry] : Object.values(entry)).flatMap((text) => text.match(/\{\w+\}/g) ?? []))].sort();

test('every sentence names the same facts in both languages', () => {
  for (const [area, entries] of Object.entries(en as Dictionary))
    for (const [key, entry] of Object.entries(entries)) expect(words((pl as Dictionary)[area][key]), `${area}.${key}`).toEqual(words(entry));
});

test('Polish plurals have all their forms', () => {
  for (const [area, entries] of Object.entries(pl as Dictionary))
    for (const [key, entry] of Object.entries(entries)) if (typeof entry !== 'string') expect(Object.keys(entry).sort(), `${area}.${key}`).toEqual(['few', 'many', 'one', 'other']);
});

test('no sentence is left over that no page says', () => {
  const files = import.meta.glob<string>(['../src/**/*.{ts,svelte}', '!../src/i18n/**'], { query: '?raw', import: 'default', eager: true });
  const code = Object.values(files).join('\n');
  const joined = [...code.matchAll(/`(\w+\.\w*)\$\{/g)].map((found) => found[1]);
  const keys = Object.entries(en).flatMap(([area, entries]) => Object.keys(entries).map((key) => `${area}.${key}`));
  expect(keys.filter((key) => !code.includes(key) && !joined.some((start) => key.startsWith(start)))).toEqual([]);
});
