import { cardsIn, countIn, headsOf } from '../../lib/cards';
import { speaker, t } from '../../lib/i18n.svelte';
import type { Places } from '../../lib/places';
import type { Table } from '../../lib/table.svelte';
import { numberAfter, type Kit } from '../kit';

const FURTHEST = 10; // above the top card
const CYCLE = 100; // after 100 comes 1
const BULL_CARDS = 10;

export interface Stack {
  place: string;
  top: number;
  /** The card on its top when the turn began: it names the stack. */
  name: number;
}

interface Facts {
  bulls?: number[];
  served?: [number, number][];
}
const factsOf = (table: Table): Facts => table.facts as Facts;
export const bullsOf = (table: Table, seat: number): number => factsOf(table).bulls?.[seat] ?? 0;
export const bullsLeft = (table: Table): number => BULL_CARDS - (factsOf(table).bulls ?? []).reduce((sum, n) => sum + n, 0);
const servedIn = (table: Table): [number, number][] => factsOf(table).served ?? [];

const numberOf = (place: string): number => Number(place.slice('stack '.length));
const stackPlaces = (places: Places): string[] =>
  Object.keys(places).filter((place) => /^stack \d+$/.test(place) && cardsIn(places[place]).length).sort((a, b) => numberOf(a) - numberOf(b));

export function stacksOf(table: Table): Stack[] {
  const names = new Map(servedIn(table));
  return stackPlaces(table.places).map((place) => {
    const top = cardsIn(table.places[place]).at(-1) ?? 0;
    return { place, top, name: names.get(numberOf(place) - 1) ?? top };
  });
}

/** How far a card lies above another one. */
export const stepsTo = (card: number, name: number): number => (((card - name) % CYCLE) + CYCLE) % CYCLE;
/** The cards that fit: "32–41". */
export const spanOf = (name: number): string => `${(name % CYCLE) + 1}–${((name + FURTHEST - 1) % CYCLE) + 1}`;

function play(move: string): { card: number; name: number } | null {
  const found = /^play (\d+) on (\d+)$/.exec(move);
  return found ? { card: Number(found[1]), name: Number(found[2]) } : null;
}

/** Only tops lie open, and what lies behind a taken stack moves up. */
function tidied(places: Places, taken: string | null): Places {
  const stacks = stackPlaces(places).filter((place) => place !== taken);
  const others = Object.entries(places).filter(([place]) => !place.startsWith('stack '));
  return Object.fromEntries([...stacks.map((place, at): [string, number[]] => [`stack ${at + 1}`, cardsIn(places[place]).slice(-1)]), ...others]);
}

export const elevenNimmt: Kit = {
  tray: null,
  best: 'fewest',
  quiet: true,
  cardOf: (offer) => play(offer.move)?.card ?? null,
  placeOf(offer, selected, table) {
    const laid = play(offer.move);
    const name = laid ? laid.name : numberAfter(offer.move, 'take');
    if (name === null || (laid ? laid.card !== selected : selected !== null)) return null;
    return stacksOf(table).find((stack) => stack.name === name)?.place ?? null;
  },
  isPlain: (offer) => offer.move === 'end' || offer.move.startsWith('bull from'),
  button: (table, card) => ((table.byCard.get(card)?.length ?? 0) > 1 ? t('games.choose_where') : t('table.play', { card })),
  unusable(table, card) {
    if (table.phase !== 'playing') return null;
    return t(servedIn(table).length ? 'games.en_not_further' : 'games.en_fits_nowhere', { card });
  },
  prompt(table) {
    if (!table.decision) return null;
    if (table.phase === 'choosing_bull') return t('games.en_whose_bull');
    const armed = stacksOf(table).find((stack) => stack.place === table.armed);
    if (armed) return t('games.en_take_sure', { top: armed.top });
    const served = servedIn(table).length;
    if (served) return t('games.en_more', { n: bullsOf(table, table.seat ?? 0), left: bullsOf(table, table.seat ?? 0) - served });
    return t(table.byCard.size ? 'games.en_play_or_take' : 'games.en_must_take');
  },
  preview(table, card) {
    const stacks = stacksOf(table);
    const fitting = (table.byCard.get(card) ?? []).map((offer) => stacks.find((stack) => stack.name === play(offer.move)?.name)).filter((stack) => stack !== undefined);
    if (!fitting.length) return null;
    const places = fitting.map((stack) => stack.place);
    if (fitting.length > 1) return { place: null, kind: 'choose', places, text: t('games.en_fits_several', { card, tops: speaker.list(fitting.map((stack) => String(stack.top))) }) };
    return { place: places[0], kind: 'add', text: t('games.en_fits', { card, top: fitting[0].top }) };
  },
  stats(table, seat) {
    const [hand, bulls] = [countIn(table.places[`hand ${seat}`]), bullsOf(table, seat)];
    const points = table.shown?.scores[seat] ?? 0;
    return [
      { icon: 'cards', value: hand, label: t('common.cards_in_hand', { n: hand }), place: `hand ${seat}` },
      { icon: 'bull', value: bulls, label: t('games.en_bulls', { n: bulls }), place: `bulls ${seat}` },
      { icon: 'pip', value: points, label: t('common.minus_points', { n: points }) }
    ];
  },
  counting: { place: 'hand', title: () => t('games.en_left_in_hand') },
  progress(table) {
    const of = Number(table.welcome?.table.options.rounds ?? 1);
    return t('games.round_of', { round: Math.min((table.shown?.rounds.length ?? 0) + 1, of), of });
  },
  tidy: (places, step) => tidied(places, step.event.event === 'take' ? (step.moves[0]?.from ?? null) : null),
  /** Hands lie open when the last round is over. */
  tally: (table) =>
    table.seats.map(({ seat }) => {
      const hand = cardsIn(table.places[`hand ${seat}`]).filter(Boolean);
      return { seat, parts: hand.length ? [{ text: t('games.en_last_hand'), points: headsOf(table.pack, hand), cards: hand, tone: 'bad' as const }] : [] };
    })
};
