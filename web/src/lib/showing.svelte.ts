/** What lies on the screen just now, and how it came about, step by step: cards fly, rows glow, rounds are counted.
 *
 *  `places` runs behind what the server has told while cards fly; when they have landed, both are equal. */
import type { Tone } from '../games/generic';
import { isShared, namedIn } from '../games/placed';
import { cardsIn } from './cards';
import { fly, land, reducedMotion, wait, type End } from './flip';
import { moved, type Places } from './places';
import { settings } from './settings.svelte';
import * as sound from './sound';
import { BREATH, isTurned, lengthOf, STEP, TAKE, tempoFor, TURN } from './tempo';
import type { PlaceShown, Step, Taking, TallyPart, View } from './wire';

export interface LogLine {
  key: number;
  text: string;
  event: string;
}
/** Where the eye should go while something happens. */
export interface Spot {
  place: string;
  /** `take`: it is taken, and that is bad for whoever takes it. */
  tone: 'add' | 'take';
}
/** A round that has just been counted. */
export interface RoundOver {
  rounds: number[][];
  scores: number[];
  /** By seat: how the points came about. */
  tally: TallyPart[][];
}
/** A card that was chosen in secret and has been turned up: what becomes of it. */
export interface Revealed {
  seat: number;
  card: number;
  /** Where it went, once it has gone. */
  place: string | null;
  /** The heads of what was taken with it. */
  took: number | null;
  tone: Tone;
}
export interface Burst {
  seat: number;
  text: string;
  tone: Tone;
  key: number;
}

const ROUND_SHOWN = 12_000; // ms for a counted round where others wait, unless somebody goes on
const LINES = 200; // of the log

export abstract class Showing {
  /** The view whose steps have all been shown. */
  shown = $state.raw<View | null>(null);
  places = $state.raw<Places>({});
  log = $state.raw<LogLine[]>([]);
  spot = $state.raw<Spot | null>(null);
  burst = $state.raw<Burst | null>(null);
  animating = $state(false);
  /** The cards of this turn, in the order in which they are placed. */
  revealed = $state.raw<Revealed[]>([]);
  /** Shown until one goes on, or for a while where others wait. */
  roundEnd = $state.raw<RoundOver | null>(null);
  /** The last one that was counted; and whether one looks at it again. */
  lastRound = $state.raw<RoundOver | null>(null);
  looksBack = $state(false);

  abstract readonly declared: PlaceShown[];
  /** Nobody but bots waits for one. */
  abstract readonly playsAlone: boolean;
  /** Where everything lies once the view's steps are over. */
  protected abstract placesOf(view: View): Places;

  #queue: View[] = [];
  #hurried = false;
  #after: (() => void)[] = [];
  #keys = 0;
  #gone: () => void = () => {};
  #tapped: () => void = () => {};
  #stepsOn = false; // from what is shown just now
  #tempo = 1;

  /** Show the rest of what happened quickly: somebody wants to go on. */
  hurry = (): void => {
    this.#hurried = true;
    this.stepOn();
  };

  /** What flies just now has landed, and the next one begins. */
  stepOn = (): void => {
    land();
    this.#stepsOn = true;
    this.#tapped();
  };

  goOn = (): void => {
    this.roundEnd = null;
    this.looksBack = false;
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
    const lines = steps.flatMap(({ event, text }) =>
      event && text ? [{ key: ++this.#keys, text, event: String(event.event) }] : []
    );
    this.log = [...this.log, ...lines].slice(-LINES);
  }

  /** The same once more, in other words. */
  protected retell(lines: { event: string; text: string }[]): void {
    this.log = lines.map((line) => ({ key: ++this.#keys, ...line })).slice(-LINES);
  }

  /** Something that is no part of the game, but of the evening. */
  protected remark(text: string): void {
    this.log = [...this.log, { key: ++this.#keys, text, event: 'remark' }].slice(-LINES);
  }

  /** A card of the hand goes to the tray; the one that lay there comes back. */
  protected async lay(card: number, hand: string, tray: string): Promise<void> {
    const back = cardsIn(this.places[tray]);
    const held = [...cardsIn(this.places[hand]), ...back]
      .filter((one) => one !== card)
      .sort((a, b) => a - b);
    await fly(
      () => (this.places = { ...this.places, [hand]: held, [tray]: [card] }),
      [],
      this.#pace(STEP * 0.85)
    );
  }

  #pace(ms: number): number {
    if (this.#hurried) return ms ? 60 : 0;
    return reducedMotion() ? Math.min(ms, 150) : ms * settings.pace * this.#tempo;
  }

  /** To be read; a tap ends it. */
  #rest(ms: number): Promise<void> {
    if (this.#stepsOn) return Promise.resolve();
    return Promise.race([wait(this.#pace(ms)), new Promise<void>((on) => (this.#tapped = on))]);
  }

  async #run() {
    this.animating = true;
    this.#hurried = false;
    for (let view = this.#queue.shift(); view; view = this.#queue.shift())
      await this.#showAll(view);
    this.animating = false;
    for (const then of this.#after.splice(0)) then();
  }

  async #showAll(view: View) {
    if (this.#queue.length > 1) this.#hurried = true; // a page that was asleep catches up
    const lengths = view.steps.map((step) =>
      lengthOf(
        step,
        step.moves.some((move) => move.taking)
      )
    );
    this.#tempo = tempoFor(lengths.reduce((sum, one) => sum + one, 0));
    for (const step of view.steps) await this.#show(step, view);
    await fly(() => this.settle(view), [], this.#pace(STEP * 0.6));
    if (view.decision && !this.#queue.length) sound.play('yours');
  }

  async #show(step: Step, view: View) {
    if (step.tally) return this.#showRound(step, step.tally, view);
    this.#stepsOn = false;
    this.#follow(step, view);
    if (isTurned(step)) {
      this.tell([step]);
      sound.play('turn');
      const held = this.places;
      await fly(() => (this.places = moved(held, step, this.declared)), [], this.#pace(STEP * 0.5));
      return this.#rest(TURN);
    }
    const at = (place: string): End => ({
      place,
      seat: namedIn(this.declared, place)?.seat ?? null
    });
    const flights = step.moves.map((move) => ({
      cards: cardsIn(move.cards),
      from: at(move.from),
      to: at(move.to)
    }));
    // A bid may be laid aside before a row is taken: the eye goes to the row.
    const taken = step.moves.find((move) => move.taking);
    const laying = step.moves.find((move) => isShared(this.declared, move.to)) ?? step.moves.at(0);
    if (taken?.taking) {
      this.spot = { place: taken.from, tone: taken.taking.tone === 'bad' ? 'take' : 'add' };
      sound.play('take');
      await this.#rest(TAKE);
      this.#pop(taken.taking);
    } else if (laying) {
      this.spot = { place: laying.to, tone: 'add' };
      sound.play('lay');
    }
    this.tell([step]);
    await fly(
      () => (this.places = moved(this.places, step, this.declared)),
      flights,
      this.#pace(STEP)
    );
    await this.#rest(step.moves.length ? BREATH : 160);
  }

  // -- The cards of a turn, and what becomes of them ------------------------------------------

  #follow(step: Step, view: View) {
    const tray = this.declared.find((one) => one.tray !== null);
    if (!tray) return;
    const seatIn = (place: string) => {
      const named = namedIn(this.declared, place);
      return named?.family === tray ? named.seat : null;
    };
    const turned = isTurned(step)
      ? step.moves.flatMap(({ cards, to }) => cardsIn(cards).map((card) => ({ card, to })))
      : [];
    if (turned.some(({ to }) => seatIn(to) !== null)) this.#line(turned, seatIn, view);
    for (const move of step.moves) {
      const seat = seatIn(move.from);
      if (seat !== null && isShared(this.declared, move.to)) this.#note(seat, { place: move.to });
      if (!move.taking) continue;
      const { seat: counted, heads, tone } = move.taking;
      this.#note(Number(step.event?.seat ?? counted), { took: heads, tone });
    }
  }

  /** In the order in which the steps carry them away; those of which it is not known yet by their numbers. */
  #line(
    turned: { card: number; to: string }[],
    seatIn: (place: string) => number | null,
    view: View
  ) {
    const order = view.steps.flatMap(({ moves }) =>
      moves.filter(({ from, to }) => from !== to).map(({ from }) => from)
    );
    const at = (place: string) => (order.includes(place) ? order.indexOf(place) : Infinity);
    this.revealed = [...turned]
      .sort((a, b) => (at(a.to) === at(b.to) ? a.card - b.card : at(a.to) - at(b.to)))
      .flatMap(({ card, to }) => {
        const seat = seatIn(to);
        return seat === null ? [] : [{ seat, card, place: null, took: null, tone: 'plain' }];
      });
  }

  #note(seat: number, what: Partial<Revealed>) {
    this.revealed = this.revealed.map((one) => (one.seat === seat ? { ...one, ...what } : one));
  }

  /** The round as it was counted; the game's last one is shown with the result. */
  async #showRound(step: Step, tally: TallyPart[][], view: View) {
    this.tell([step]);
    if (!view.rounds.length) return;
    this.lastRound = { rounds: view.rounds, scores: view.scores, tally };
    if (view.phase === 'over' || this.#hurried) return;
    this.roundEnd = this.lastRound;
    const gone = new Promise<void>((gone) => (this.#gone = gone));
    await (this.playsAlone ? gone : Promise.race([gone, wait(ROUND_SHOWN)]));
    this.roundEnd = null;
  }

  /** How many heads were taken, above the head of who got them, where the server counts them. */
  #pop({ seat, heads, tone }: Taking) {
    if (seat === null || !heads) return;
    const text = heads > 0 ? `+${heads}` : `−${-heads}`;
    this.burst = { seat, text, tone, key: ++this.#keys };
  }
}
