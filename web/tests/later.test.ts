/** The words of pages that are fetched later: in every language the same keys and facts, and all forms of a plural. */
import { expect, test, vi } from 'vitest';
import { speakerOf } from '../src/later/words';
import { speaker } from '../src/lib/i18n.svelte';
import type { Entry } from '../src/i18n/shape';

const files = import.meta.glob<{ words: Record<string, Entry> }>('../src/later/words/*.ts', {
  eager: true
});
const texts = (entry: Entry) => (typeof entry === 'string' ? [entry] : Object.values(entry));
const facts = (entry: Entry) =>
  [...new Set(texts(entry).flatMap((text) => text.match(/\{\w+\}/g) ?? []))].sort();
const cases = Object.entries(files).map(([path, { words }]) => {
  const [page, language] = (path.split('/').at(-1) ?? '').split('.');
  return { page, language, words, english: files[path.replace(`.${language}.ts`, '.en.ts')].words };
});

test.each(cases)('$page in $language says all that it says in English', (one) => {
  expect(Object.keys(one.words).sort()).toEqual(Object.keys(one.english).sort());
  for (const [key, entry] of Object.entries(one.english))
    expect(facts(one.words[key]), key).toEqual(facts(entry));
});

test.each(cases)('plurals of $page in $language have all their forms', (one) => {
  const forms = new Intl.PluralRules(one.language).resolvedOptions().pluralCategories.sort();
  for (const [key, entry] of Object.entries(one.words))
    if (typeof entry !== 'string') expect(Object.keys(entry).sort(), key).toEqual(forms);
});

test('who chooses another language while the words come is told in that one', async () => {
  let come = (_: { words: { hello: string } }) => {};
  const polish = new Promise<{ words: { hello: string } }>((done) => (come = done));
  const fetched = {
    './words/any.pl.ts': () => polish,
    './words/any.en.ts': () => Promise.resolve({ words: { hello: 'Hello' } })
  };
  const language = vi.spyOn(speaker, 'language', 'get').mockReturnValue('pl');
  const asked = speakerOf(fetched, 'pl');
  language.mockReturnValue('en');
  come({ words: { hello: 'Dzień dobry' } });
  expect((await asked)('hello')).toBe('Hello');
  language.mockRestore();
});
