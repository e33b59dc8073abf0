/** The places of a table by their names: `row 2`, `hand 0`, `pile 3 of 1`; and what is declared of them. */
import { cardsIn } from '../lib/cards';
import { speaker, t } from '../lib/i18n.svelte';
import type { Places } from '../lib/places';
import type { PlaceShown } from '../lib/wire';

export interface Row {
  place: string;
  number: number;
  cards: number[];
}
/** A place's name, taken apart. */
interface Named {
  family: PlaceShown;
  number: number | null;
  seat: number | null;
}

export function namedIn(declared: PlaceShown[], place: string): Named | null {
  const found = /^(.*?)(?: (\d+))?(?: of (\d+))?$/.exec(place);
  const of = (name: string) => declared.find((one) => one.name === name);
  const family = of(place) ?? of(found?.[1] ?? '');
  if (!family) return null;
  const number = found?.[2] === undefined ? null : Number(found[2]);
  if (family.kind === 'seat') return { family, number: null, seat: number };
  return { family, number, seat: found?.[3] === undefined ? null : Number(found[3]) };
}

/** The places `name 1`, `name 2`, …; of one seat where they belong to seats. */
export function rowsOf(places: Places, name = 'row', seat: number | null = null): Row[] {
  const end = seat === null ? '' : ` of ${seat}`;
  return Object.keys(places)
    .filter((place) => place.startsWith(`${name} `) && place.endsWith(end))
    .map((place) => ({
      place,
      number: Number(place.slice(name.length + 1, place.length - end.length)),
      cards: cardsIn(places[place])
    }))
    .filter((row) => Number.isInteger(row.number))
    .sort((a, b) => a.number - b.number);
}

/** How many cards a numbered place has room for, the one that fills it among them; null where there is no end. */
export function roomOf(declared: PlaceShown[], place: string): number | null {
  const named = namedIn(declared, place);
  const room = named?.family.room;
  return room?.length ? room[Math.min(named?.number ?? 1, room.length) - 1] : null;
}

/** How many places the longest of these rows shows; where there is no end, one more than it has cards. */
export function longestOf(declared: PlaceShown[], rows: Row[]): number {
  return Math.max(6, ...rows.map((row) => roomOf(declared, row.place) ?? row.cards.length + 1));
}

/** In the middle, for all: rows and heaps that nobody owns. */
export function isShared(declared: PlaceShown[], place: string): boolean {
  const named = namedIn(declared, place);
  return (named?.family.kind === 'number' || named?.family.kind === 'heap') && named.seat === null;
}

/** What a family of places is called; its own name where the dictionary has no other. */
export function familyCalled(name: string): string {
  const key = speaker.keyFor(`place_${name.replaceAll(' ', '_')}`);
  return key === null ? name : t(key);
}

export function placeCalled(declared: PlaceShown[], place: string): string {
  const named = namedIn(declared, place);
  if (!named) return place;
  const name = familyCalled(named.family.name);
  return named.number === null ? name : `${name} ${named.number}`;
}
