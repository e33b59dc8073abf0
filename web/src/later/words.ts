/** The words of pages that are fetched only when somebody opens them: a file a language, typed by the English one. */
import { ENGLISH, speaker, type Language, type Words } from '../lib/i18n.svelte';
import type { Entry } from '../i18n/shape';

export type Dictionary = Record<string, Entry>;

/** How a page says something; the language's own file, else English.  `fetched`: by `import.meta.glob`.  Who chooses
 *  another language while the words come is told in that one: answers need not come in the order of the questions. */
export async function speakerOf<T extends Dictionary>(
  fetched: Record<string, () => Promise<{ words: Partial<T> }>>,
  language: Language = speaker.language
): Promise<(key: keyof T & string, facts?: Words) => string> {
  const isSpoken = language === speaker.language;
  const fetch = (one: Language) =>
    Object.entries(fetched).find(([path]) => path.endsWith(`.${one}.ts`))?.[1]();
  const [own, english] = await Promise.all([fetch(language), fetch(ENGLISH)]);
  if (isSpoken && language !== speaker.language) return speakerOf(fetched, speaker.language);
  const rules = new Intl.PluralRules(language);
  return (key, facts = {}) => {
    const entry: Entry = own?.words[key] ?? english?.words[key] ?? key;
    const text =
      typeof entry === 'string' ? entry : (entry[rules.select(Number(facts.n))] ?? entry.other);
    return text.replace(/\{(\w+)\}/g, (_, name: string) => String(facts[name] ?? `{${name}}`));
  };
}
