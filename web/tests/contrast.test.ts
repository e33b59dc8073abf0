import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The themes as they stand in the file: name → variable → colour. */
function themes(): Map<string, Map<string, string>> {
  const css = readFileSync('src/themes.css', 'utf8');
  const found = new Map<string, Map<string, string>>();
  for (const [, name, body] of css.matchAll(/\[data-theme='(\w+)'\] \{([^}]*)\}/g))
    found.set(
      name,
      new Map(
        [...body.matchAll(/--([\w-]+): (#[0-9a-f]{6})\b/g)].map(([, key, colour]) => [key, colour])
      )
    );
  return found;
}

function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5]
    .map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

const GROUNDS = ['felt-1', 'felt-2', 'felt-3', 'panel', 'panel-solid', 'raised'];
const TEXTS = ['ink-on', 'muted', 'danger-ink'];

test('there are five themes', () => {
  expect([...themes().keys()]).toEqual(['meadow', 'dusk', 'barn', 'daylight', 'contrast']);
});

test.each([...themes()])('in %s every text can be read on every ground', (_, colours) => {
  for (const text of TEXTS)
    for (const ground of GROUNDS) {
      const ratio = contrast(colours.get(text)!, colours.get(ground)!);
      expect(ratio, `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
    }
  expect(
    contrast(colours.get('accent-ink')!, colours.get('accent')!),
    'a button'
  ).toBeGreaterThanOrEqual(4.5);
});

test.each([...themes()])('in %s signs and frames stand out from the ground', (_, colours) => {
  for (const sign of ['accent', 'danger', 'focus', 'good'])
    for (const ground of GROUNDS)
      expect(
        contrast(colours.get(sign)!, colours.get(ground)!),
        `${sign} on ${ground}`
      ).toBeGreaterThanOrEqual(3);
});

/** As color-mix does it, near enough: in sRGB. */
const mixed = (share: number, a: string, b: string): string =>
  '#' +
  [1, 3, 5]
    .map((at) => [a, b].map((one) => parseInt(one.slice(at, at + 2), 16)))
    .map(([x, y]) => Math.round(share * x + (1 - share) * y))
    .map((part) => part.toString(16).padStart(2, '0'))
    .join('');

test.each([...themes()])('in %s the ways into a game can be read', (_, colours) => {
  const lobby = readFileSync('src/pages/Lobby.svelte', 'utf8');
  const share = /\.learn \{[^}]*color: color-mix\(in oklab, var\(--accent\) (\d+)%/.exec(
    lobby
  )?.[1];
  const link = mixed(Number(share ?? 100) / 100, colours.get('accent')!, colours.get('ink-on')!);
  for (const ground of ['felt-1', 'felt-2', 'felt-3'])
    expect(contrast(link, colours.get(ground)!), ground).toBeGreaterThanOrEqual(4.5);
});

test('in high contrast text is as readable as can be', () => {
  const colours = themes().get('contrast')!;
  for (const text of TEXTS)
    for (const ground of GROUNDS)
      expect(contrast(colours.get(text)!, colours.get(ground)!)).toBeGreaterThanOrEqual(7);
});
