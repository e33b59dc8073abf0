/** The first game: what is said when.  A lesson is told once, as soon as its moment has come; its words come with the
 *  rules from the server. */
import { cardsIn, countIn } from './cards';
import type { Table } from './table.svelte';

export interface Lesson {
  name: string;
  /** Whether its moment is now. */
  when(table: Table): boolean;
  /** It asks for something: it goes by itself when that is done. */
  asks?: boolean;
}

const always = () => true;
const waits = (table: Table) => table.decision !== null && !table.animating && !table.pending;
const picking = (table: Table) => waits(table) && table.choice === null && table.selected === null && table.byCard.size > 0;
const picked = (table: Table) => waits(table) && table.selected !== null;
const phase = (name: string) => (table: Table) => waits(table) && table.phase === name;
const happened = (event: string) => (table: Table) => !table.animating && table.log.some((line) => line.event === event);
const rowOf = (cards: number) => (table: Table) => waits(table) && Object.entries(table.places).some(([place, lying]) => /^row \d+$/.test(place) && countIn(lying) >= cards);
const has = (place: string) => (table: Table) => !table.animating && cardsIn(table.places[`${place} ${table.seat}`]).length > 0;
const fact = (table: Table, name: string) => (table.facts as Record<string, unknown>)[name];
const bulls = (table: Table) => waits(table) && ((fact(table, 'bulls') as number[] | undefined)?.[table.seat ?? 0] ?? 0) > 0;

const ask = (name: string, when: Lesson['when']): Lesson => ({ name, when, asks: true });
const tell = (name: string, when: Lesson['when'] = always): Lesson => ({ name, when });

/** Earlier ones come first where several moments have come. */
const LESSONS: Record<string, Lesson[]> = {
  'six-nimmt': [tell('goal'), tell('hand'), ask('pick', picking), ask('play', picked), ask('low', phase('taking')), tell('order', happened('place')), tell('full', rowOf(5)), tell('taken', has('taken'))],
  'x-nimmt': [tell('goal'), tell('hand'), ask('pick', picking), ask('play', picked), ask('keep', phase('keeping')), ask('low', phase('taking')), tell('order', happened('place')), tell('row', has('x row')), tell('end', (table) => waits(table) && table.hand.length <= 4)],
  'baron-oxx': [tell('goal'), tell('colours'), ask('pick', picking), ask('play', picked), ask('choose', phase('choosing')), tell('order', happened('place')), tell('full', rowOf(4)), tell('taken', has('bull pile'))],
  hornochsen: [tell('goal'), tell('ring'), ask('pick', picking), ask('play', picked), tell('more', (table) => waits(table) && Number(fact(table, 'played') ?? 0) > 0), tell('specials', happened('place')), tell('ripe', rowOf(4)), tell('taken', has('pile'))],
  'eleven-nimmt': [tell('goal'), tell('turn'), ask('pick', picking), ask('play', picked), tell('take', happened('place')), tell('open', happened('open')), tell('bull', bulls)],
  bullenparty: [tell('goal'), tell('rows'), ask('bid', (table) => picking(table) && table.phase === 'bidding'), ask('play', picked), ask('take', phase('taking')), ask('extend', phase('extending')), tell('zero', happened('reveal')), ask('pile', phase('piling')), tell('piles', happened('pile'))]
};

export const lessonsOf = (game: string): Lesson[] => LESSONS[game] ?? [];

/** What the player has gone past by playing instead of reading: nobody is told to pick a card who has played one. */
export function passedBy(lessons: Lesson[], current: Lesson | null, table: Table): string[] {
  const names = lessons.map((lesson) => lesson.name);
  const play = names.indexOf('play');
  if (table.choice === null) return table.selected === null ? [] : names.slice(0, play);
  const offer = table.offers.find((one) => one.action === table.choice);
  const isCard = offer !== undefined && (table.kit?.cardOf(offer, table) ?? null) !== null;
  return [...names.slice(0, isCard ? play + 1 : 0), ...(current ? [current.name] : [])];
}

/** The one to tell now: the one that is being told as long as it holds, else the first new one. */
export function lessonNow(lessons: Lesson[], told: string[], current: Lesson | null, table: Table): Lesson | null {
  if (current && !told.includes(current.name) && (!current.asks || current.when(table))) return current;
  return lessons.find((lesson) => !told.includes(lesson.name) && lesson.when(table)) ?? null;
}

export const PRACTICE: Record<string, { seed: number; options: Record<string, number> }> = {
  'six-nimmt': { seed: 7, options: { rounds: 1 } },
  'x-nimmt': { seed: 7, options: { rounds: 1 } },
  'baron-oxx': { seed: 7, options: {} },
  hornochsen: { seed: 7, options: {} },
  'eleven-nimmt': { seed: 8, options: { rounds: 1 } },
  bullenparty: { seed: 7, options: {} }
};
