/** What lies on the screen just now, and how it came about, step by step: cards fly, rows glow, rounds are counted.
 *
 *  `places` runs behind what the server has told while cards fly; when they have landed, both are equal. */
import type { Kit } from '../games/kit';
import { cardsIn, headsOf, type Pack } from './cards';
import { fly, reducedMotion, wait, type Flight } from './flip';
import { moved, type Places } from './places';
import { settings } from './settings.svelte';
import * as sound from './sound';
import type { SeatShown, Step, View } from './wire';

export interface LogLine {
  key: number;
  text: string;
  event: string;
}
/** Where the eye should go while something happens. */
export interface Spot {
  place: string;
  tone: 'add' | 'take';
}
/** A round that has just been counted. */
export interface RoundOver {
  rounds: number[][];
  scores: number[];
  /** By seat: the cards that count, as the server opened them. */
  taken: number[][];
}
export interface Burst {
  seat: number;
  text: string;
  key: number;
}

const STEP = 480; // ms for a card to fly
const TURN = 620; // … for chosen cards to be turned up and read
const TAKE = 340; // … for a row to glow before it is taken
const ROUND_SHOWN = 12_000; // … for a counted round, unless somebody goes on
const LINES = 200; // of the log

export abstract class Showing {
  /** The view whose steps have all been shown. */
  shown = $state.raw<View | null>(null);
  places = $state.raw<Places>({});
  log = $state.raw<LogLine[]>([]);
  spot = $state.raw<Spot | null>(null);
  burst = $state.raw<Burst | null>(null);
  animating = $state(false);
  /** Shown until one goes on, or for a while. */
  roundEnd = $state.raw<RoundOver | null>(null);

  abstract readonly kit: Kit | null;
  abstract readonly pack: Pack;
  abstract readonly seats: SeatShown[];
  /** Where everything lies once the view's steps are over. */
  protected abstract placesOf(view: View): Places;

  #queue: View[] = [];
  #hurried = false;
  #after: (() => void)[] = [];
  #keys = 0;
  #gone: () => void = () => {};

  /** Show the rest of what happened quickly: somebody wants to go on. */
  hurry = (): void => {
    this.#hurried = true;
  };

  goOn = (): void => {
    this.roundEnd = null;
    this.#gone();
  };

  /** One view after the other, each with all its steps. */
  protected show(view: View): void {
    this.#queue.push(view);
    if (!this.animating) void this.#run();
  }

  /** Whatever waits to be shown is old. */
  protected skip(): void {
    this.#queue = [];
  }

  /** At once, or when the cards have landed. */
  protected whenLanded(then: () => void): void {
    if (this.animating) this.#after.push(then);
    else then();
  }

  protected settle(view: View): void {
    this.places = this.placesOf(view);
    this.shown = view;
    this.spot = null;
  }

  protected tell(steps: Step[]): void {
    const lines = steps.filter((step) => step.text).map((step) => ({ key: ++this.#keys, text: step.text, event: String(step.event.event) }));
    this.log = [...this.log, ...lines].slice(-LINES);
  }

  /** A card of the hand goes to the tray; the one that lay there comes back. */
  protected async lay(card: number, hand: string, tray: string): Promise<void> {
    const back = cardsIn(this.places[tray]);
    const held = [...cardsIn(this.places[hand]), ...back].filter((one) => one !== card).sort((a, b) => a - b);
    await fly(() => (this.places = { ...this.places, [hand]: held, [tray]: [card] }), [], this.#pace(STEP * 0.85));
  }

  #pace(ms: number): number {
    if (this.#hurried) return ms ? 60 : 0;
    return reducedMotion() ? Math.min(ms, 150) : ms * settings.pace;
  }

  async #run() {
    this.animating = true;
    this.#hurried = false;
    while (this.#queue.length) {
      const view = this.#queue.shift()!;
      if (this.#queue.length > 1) this.#hurried = true; // a page that was asleep catches up
      for (const step of view.steps) await this.#show(step, view);
      await fly(() => this.settle(view), [], this.#pace(STEP * 0.6));
      if (view.decision && !this.#queue.length) sound.play('yours');
    }
    this.animating = false;
    for (const then of this.#after.splice(0)) then();
  }

  async #show(step: Step, view: View) {
    if (step.event.event === 'round_end' || step.event.event === 'game_end') return this.#showRound(step, view);
    const turned = step.moves.length > 0 && step.moves.every((move) => move.from === move.to);
    if (turned) {
      this.tell([step]);
      sound.play('turn');
      const held = this.places;
      await fly(() => (this.places = this.#moved(held, step)), [], this.#pace(STEP * 0.5));
      return wait(this.#pace(TURN));
    }
    const flights = step.moves.map((move) => ({ cards: cardsIn(move.cards), from: move.from, to: move.to }));
    const takes = ['take', 'collect'].includes(String(step.event.event));
    // A bid may be laid aside before a row is taken: the eye goes to the row.
    const first = step.moves.find((move) => /^(row|stack) /.test(takes ? move.from : move.to)) ?? step.moves[0];
    if (first) this.spot = takes ? { place: first.from, tone: 'take' } : { place: first.to, tone: 'add' };
    if (takes) {
      sound.play('take');
      await wait(this.#pace(TAKE));
      this.#pop(step, flights);
    } else if (first) sound.play('lay');
    this.tell([step]);
    await fly(() => (this.places = this.#moved(this.places, step)), flights, this.#pace(STEP));
    await wait(this.#pace(step.moves.length ? 90 : 160));
  }

  #moved(places: Places, step: Step): Places {
    const next = moved(places, step);
    return this.kit?.tidy?.(next, step) ?? next;
  }

  /** The round as it was counted; the game's last one is shown with the result. */
  async #showRound(step: Step, view: View) {
    this.tell([step]);
    if (view.phase === 'over' || this.#hurried || !view.rounds.length) return;
    // What is turned up now is what counts.
    const opened = new Map(step.moves.map((move) => [move.to, cardsIn(move.cards)]));
    const taken = this.seats.map((_, seat) => opened.get(`${this.kit?.counting?.place ?? 'taken'} ${seat}`) ?? []);
    this.roundEnd = { rounds: view.rounds, scores: view.scores, taken };
    await Promise.race([new Promise<void>((gone) => (this.#gone = gone)), wait(ROUND_SHOWN)]);
    this.roundEnd = null;
  }

  /** What is worth so many points, above the head of who got it. */
  #pop(step: Step, flights: Flight[]) {
    const seat = step.event.seat;
    if (this.kit?.quiet) return;
    const heads = headsOf(this.pack, flights[0]?.cards.filter(Boolean) ?? []);
    if (typeof seat === 'number' && heads) this.burst = { seat, text: heads > 0 ? `+${heads}` : `−${-heads}`, key: ++this.#keys };
  }
}
