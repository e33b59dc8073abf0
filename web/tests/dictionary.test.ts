import { expect, test } from 'vitest';
import { en } from '../src/i18n/en';
import type { Entry } from '../src/i18n/shape';
import { firstSpoken, LANGUAGES, ownName, speaker } from '../src/lib/i18n.svelte';

type Dictionary = Record<string, Record<string, Entry>>;
const english = en as Dictionary;
const folders = import.meta.glob<Record<string, Dictionary>>('../src/i18n/*/index.ts', {
  eager: true
});
const languages = Object.entries(folders).map(
  ([path, exported]) => [path.split('/')[3], Object.values(exported)[0]] as const
);

const words = (entry: Entry) =>
  [
    ...new Set(
      (typeof entry === 'string' ? [entry] : Object.values(entry)).flatMap(
        (text) => text.match(/\{\w+\}/g) ?? []
      )
    )
  ].sort();
const keys = (dictionary: Dictionary) =>
  Object.entries(dictionary).flatMap(([area, entries]) =>
    Object.keys(entries).map((key) => `${area}.${key}`)
  );
const entry = (dictionary: Dictionary, key: string): Entry | undefined => {
  const [area, name] = key.split('.', 2);
  return dictionary[area]?.[name];
};

test('a language is there where its folder is', () => {
  expect(LANGUAGES).toEqual(languages.map(([language]) => language).sort());
  expect(LANGUAGES).toEqual(expect.arrayContaining(['en', 'pl']));
  for (const [language] of languages)
    expect(Object.keys(folders[`../src/i18n/${language}/index.ts`])).toEqual([language]);
});

test('a language is called as its speakers call it', () => {
  expect(ownName('en')).toBe('English');
  expect(ownName('pl')).toBe('Polski');
});

test('the language is the first that a browser likes and that is ours', () => {
  expect(firstSpoken(['sv-SE', 'pl-PL', 'en'])).toBe('pl');
  expect(firstSpoken(['sv'])).toBe('en');
  expect(firstSpoken([])).toBe('en');
});

test.each(languages)('%s lacks no sentence, and has none too many', (_, dictionary) => {
  const own = keys(dictionary);
  const lacking = keys(english).filter((key) => !own.includes(key));
  expect(lacking, `${lacking.length} sentences are said in English`).toEqual([]);
  expect(own.filter((key) => entry(english, key) === undefined)).toEqual([]);
});

test.each(languages)('every sentence of %s names the same facts as in English', (_, dictionary) => {
  const wrong = keys(english).filter((key) => {
    const other = entry(dictionary, key);
    const wanted = words(entry(english, key) ?? '').join();
    return other !== undefined && words(other).join() !== wanted;
  });
  expect(wrong).toEqual([]);
});

test.each(languages)('plurals of %s have all their forms', (language, dictionary) => {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories.sort();
  for (const key of keys(dictionary)) {
    const said = entry(dictionary, key) ?? '';
    if (typeof said !== 'string') expect(Object.keys(said).sort(), key).toEqual(forms);
  }
});

test('what a language lacks is said in English, with English plurals', async () => {
  speaker.add('pl', { common: { name: 'Imię' } });
  speaker.language = 'pl';
  expect(speaker.t('common.name')).toBe('Imię');
  const lacking = keys(english).find((key) => typeof entry(english, key) !== 'string') ?? '';
  await expect
    .poll(() => speaker.t(lacking as Parameters<typeof speaker.t>[0], { n: 2 }))
    .toContain((entry(english, lacking) as { other: string }).other.split('{')[0]);
  speaker.add('pl', folders['../src/i18n/pl/index.ts'].pl);
  await speaker.speak('en');
});

test('no sentence is left over that no page says', () => {
  const files = import.meta.glob<string>(['../src/**/*.{ts,svelte}', '!../src/i18n/**'], {
    query: '?raw',
    import: 'default',
    eager: true
  });
  const code = Object.values(files).join('\n');
  const joined = [...code.matchAll(/`(\w+\.\w*)\$\{/g)].map((found) => found[1]);
  expect(
    keys(english).filter(
      (key) =>
        !code.includes(key) &&
        !joined.some((start) => key.startsWith(start)) &&
        !/\.(place_|about|option_|value_)|^(?!review)\w+\.memory_/.test(key)
    )
  ).toEqual([]);
});

test('no code asks for a language by its name', () => {
  const files = import.meta.glob<string>(['../src/**/*.{ts,svelte}', '!../src/i18n/**'], {
    query: '?raw',
    import: 'default',
    eager: true
  });
  const named = new RegExp(
    `['"](${LANGUAGES.filter((one) => one !== 'en').join('|')})(-[A-Z]+)?['"]`
  );
  const asking = Object.entries(files).filter(([, code]) => named.test(code));
  expect(asking.map(([path]) => path)).toEqual([]);
});
