import { render, screen } from '@testing-library/svelte';
import { beforeEach, expect, test } from 'vitest';
import { faceOf, headsOf, labelOf, type Pack } from '../src/lib/cards';
import { speaker, t } from '../src/lib/i18n.svelte';
import Card from '../src/ui/Card.svelte';

const heads = Array.from({ length: 104 }, (_, at) =>
  at + 1 === 55 ? 7 : (at + 1) % 11 === 0 ? 5 : (at + 1) % 10 === 0 ? 3 : (at + 1) % 5 === 0 ? 2 : 1
);
const six: Pack = { deck: { heads }, names: {} };

beforeEach(() => {
  speaker.language = 'en';
});

test('a card is announced with its number and heads', () => {
  render(Card, { card: 55, pack: six });
  expect(screen.getByRole('img', { name: 'Card 55, 7 bull heads' })).toBeInTheDocument();
});

test('a card face down says nothing of its number, and nothing of it is in the page', () => {
  const { container } = render(Card, { card: 0, pack: six });
  expect(screen.getByRole('img')).toHaveAccessibleName('Face-down card');
  expect(container.querySelector('text')).toBeNull();
});

test('the heads of several cards add up', () => {
  expect(headsOf(six, [55, 11, 10, 5, 1])).toBe(7 + 5 + 3 + 2 + 1);
});

test('green and red heads of Hornochsen! differ in words, sign and shape', () => {
  const pack: Pack = {
    deck: { heads: [1, -5] },
    names: { 99: 'x2', 105: '+5' }
  };
  expect(labelOf(faceOf(pack, 1))).toBe('Card 1, 1 green head, good');
  expect(labelOf(faceOf(pack, 2))).toBe('Card 2, 5 red heads, bad');
  expect(faceOf(pack, 99)).toEqual({ kind: 'special', name: '×2' });
  const { container } = render(Card, { card: 2, pack });
  expect(container.querySelectorAll('use[href="#head-bad"]')).toHaveLength(5);
  expect(container.textContent).toContain('−');
});

test('bulls of Baron Oxx carry a mark as well as a colour', () => {
  const pack: Pack = { deck: { colours: [[2, 0, 0, 1, 0, 0]] }, names: {} };
  expect(labelOf(faceOf(pack, 1))).toBe('Card 1, 2 blue bulls and 1 red bull');
  const { container } = render(Card, { card: 1, pack });
  expect(container.querySelectorAll('use[href="#mark-blue"]')).toHaveLength(2);
  expect(container.querySelectorAll('use[href="#mark-red"]')).toHaveLength(1);
});

test('cards without a number have names', () => {
  const pack: Pack = {
    deck: { heads: [1], bulls: [4, 7] },
    names: { 101: 'A', 106: 'bull1', 107: 'bull2' }
  };
  expect(labelOf(faceOf(pack, 101))).toBe('Zero card A');
  expect(labelOf(faceOf(pack, 107))).toBe('Bull card, 7 bull heads');
});

test('Polish counts as Polish does', () => {
  speaker.language = 'pl';
  expect([1, 2, 5, 12, 22, 25].map((n) => t('common.cards', { n }))).toEqual([
    '1 karta',
    '2 karty',
    '5 kart',
    '12 kart',
    '22 karty',
    '25 kart'
  ]);
});
