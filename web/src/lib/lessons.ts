/** The first game: what is said when.  Lessons come with the rules from the server; a lesson is told once, as soon as
 *  its moment has come. */
import { cardOf } from '../games/generic';
import { rowsOf } from '../games/placed';
import { countIn } from './cards';
import type { Table } from './table.svelte';

export interface Lesson {
  name: string;
  text: string;
  /** When it is told: docs/wire.md lists the moments. */
  moment: string;
  /** It asks for something: it goes by itself when that is done. */
  asks: boolean;
}

const waits = (table: Table): boolean =>
  table.decision !== null && !table.animating && !table.pending;

/** Special cards lie there, too, but fill nothing. */
const numbersIn = (table: Table, cards: number[]): number =>
  cards.filter((card) => !(card in table.pack.names)).length;

type Moment = (table: Table, name: string) => boolean;
/** By the first word; the rest says which. */
const MOMENTS: Record<string, Moment> = {
  start: () => true,
  picking: (table) =>
    waits(table) && table.choice === null && table.selected === null && table.byCard.size > 0,
  picked: (table) => waits(table) && table.selected !== null,
  phase: (table, name) => waits(table) && table.phase === name,
  event: (table, name) => !table.animating && table.log.some((line) => line.event === name),
  cards(table, told) {
    const [, name, least] = /^(.+) (\d+)$/.exec(told) ?? [];
    const places = name ? rowsOf(table.places, name) : [];
    return waits(table) && places.some((place) => numbersIn(table, place.cards) >= Number(least));
  },
  own: (table, name) => !table.animating && countIn(table.places[`${name} ${table.seat}`]) > 0,
  hand: (table, most) => waits(table) && table.hand.length <= Number(most),
  fact(table, name) {
    const fact = (table.facts as Record<string, unknown>)[name];
    return waits(table) && Boolean(Array.isArray(fact) ? fact[table.seat ?? 0] : fact);
  }
};

/** Whether a lesson's moment is now; one that is not known here never comes. */
export function isNow({ moment }: Lesson, table: Table): boolean {
  const [word, ...rest] = moment.split(' ');
  return Object.hasOwn(MOMENTS, word) && MOMENTS[word](table, rest.join(' '));
}

/** What the player has gone past by playing instead of reading: nobody is told to pick a card who has played one. */
export function passedBy(lessons: Lesson[], current: Lesson | null, table: Table): string[] {
  const names = lessons.map((lesson) => lesson.name);
  const play = lessons.findIndex((lesson) => lesson.moment === 'picked');
  if (table.choice === null)
    return table.selected === null ? [] : names.slice(0, Math.max(0, play));
  const offer = table.offers.find((one) => one.action === table.choice);
  const isCard = offer !== undefined && cardOf(offer, table.seat) !== null;
  return [...names.slice(0, isCard ? play + 1 : 0), ...(current ? [current.name] : [])];
}

/** The one to tell now: the one that is being told as long as it holds, else the first new one. */
export function lessonNow(
  lessons: Lesson[],
  told: string[],
  current: Lesson | null,
  table: Table
): Lesson | null {
  if (current && !told.includes(current.name) && (!current.asks || isNow(current, table)))
    return current;
  return lessons.find((lesson) => !told.includes(lesson.name) && isNow(lesson, table)) ?? null;
}
