/** No words stand in a template: whatever is read comes from a dictionary, or from the server. */
import { parse } from 'svelte/compiler';
import { expect, test } from 'vitest';

const SPOKEN = new Set([
  'aria-label',
  'aria-description',
  'aria-valuetext',
  'alt',
  'placeholder',
  'title',
  'label'
]);
const WORD = /\p{L}{2,}/u;

interface Node {
  type?: string; // parts that hold only other parts have none
  data?: string;
  name?: string;
  start?: number;
  [key: string]: unknown;
}

/** The words in a value of an attribute, also within `{…}`, but not what is called or compared there. */
function literals(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(literals);
  if (!value || typeof value !== 'object') return [];
  const node = value as Node;
  switch (node.type) {
    case 'Text':
      return [String(node.data)];
    case 'ExpressionTag':
      return literals(node.expression);
    case 'Literal':
      return typeof node.value === 'string' ? [node.value] : [];
    case 'TemplateLiteral':
      return [
        ...(node.quasis as { value: { cooked: string } }[]).map((part) => part.value.cooked),
        ...literals(node.expressions)
      ];
    case 'ConditionalExpression':
      return [...literals(node.consequent), ...literals(node.alternate)];
    case 'LogicalExpression':
      return [...literals(node.left), ...literals(node.right)];
    case 'BinaryExpression':
      return node.operator === '+' ? [...literals(node.left), ...literals(node.right)] : [];
    default:
      return [];
  }
}

/** Everything in a template that somebody reads or hears. */
function* spoken(value: unknown): Generator<{ text: string; at: number }> {
  if (Array.isArray(value)) for (const one of value) yield* spoken(one);
  if (!value || typeof value !== 'object' || Array.isArray(value)) return;
  const node = value as Node;
  const at = node.start ?? 0;
  if (node.type === 'Attribute') {
    if (SPOKEN.has(String(node.name))) for (const text of literals(node.value)) yield { text, at };
    return;
  }
  if (node.type === 'Text' || node.type === 'ExpressionTag')
    for (const text of literals(node)) yield { text, at };
  if (node.type === 'ExpressionTag' || node.type?.endsWith('Directive')) return;
  for (const [key, child] of Object.entries(node))
    if (!['expression', 'test', 'context', 'metadata'].includes(key)) yield* spoken(child);
}

function wordsIn(source: string): string[] {
  const { fragment } = parse(source, { modern: true });
  return [...spoken(fragment)]
    .filter(({ text }) => WORD.test(text))
    .map(({ text, at }) => `${source.slice(0, at).split('\n').length}: ${text.trim()}`);
}

test('no template has words of its own', () => {
  const files = import.meta.glob<string>('../src/**/*.svelte', {
    query: '?raw',
    import: 'default',
    eager: true
  });
  const found = Object.entries(files).flatMap(([path, source]) =>
    wordsIn(source).map((words) => `${path}:${words}`)
  );
  expect(Object.keys(files).length).toBeGreaterThan(40);
  expect(found).toEqual([]);
});

test.each([
  ['<p>Hello</p>', ['1: Hello']],
  ['<p>{t("a.b")}, {n} · ×2</p>', []],
  ['<p>{n ? "yes" : t("common.no")}</p>', ['1: yes']],
  ['<img alt="A bull" src="/bull.png" class="big red" />', ['1: A bull']],
  ['<b aria-label={`Row ${n}`}></b>', ['1: Row']],
  ['{#if kind === "person"}<i class="me">{name}</i>{/if}', []],
  ['{#each list as one}<Page title="All games" id="home" />{/each}', ['1: All games']],
  ['<b style:left="{n}px" class:big={n > 2} use:flip></b>', []],
  ['<button onclick={() => (told = "done")}>{t("a.b", { name: "Bo" })}</button>', []]
])('finds what is meant: %s', (source, words) => {
  expect(wordsIn(source)).toEqual(words);
});
