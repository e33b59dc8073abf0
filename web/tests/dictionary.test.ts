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
