/** One table as this device sees it.  The server tells what is (`view`); this shows how it came about, step by step.
 *
 *  `places` is what lies on the screen just now and runs behind `view` while cards fly; when they have landed, both
 *  are equal.  There are no rules here: what may be chosen is what the server offers. */
import type { Kit, Preview } from '../games/kit';
import { kitOf } from '../games/kits';
import * as api from './api';
import { cardsIn, headsOf, type Pack } from './cards';
import { fly, reducedMotion, wait, type Flight } from './flip';
import { speaker, t } from './i18n.svelte';
import { renewal } from './renewed.svelte';
import { settings } from './settings.svelte';
import { Link } from './socket.svelte';
import * as sound from './sound';
import type { ChatLine, Decision, HintShown, LobbyShown, Offer, Result, ServerMessage, Step, UndoShown, View, Welcome } from './wire';

export type Places = Record<string, number[] | number>;
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
const ROUND_SHOWN = 12_000; // … for a counted round, unless somebody goes on
const REFUSED_SHOWN = 8000; // … for a refusal; then it is said again what to do
const VERSION: number = 1; // of the messages that are understood here
const FINAL = [403, 404, 410]; // refusals that waiting does not mend
const TAKE = 340; // … for a row to glow before it is taken

export class Table {
  welcome = $state.raw<Welcome | null>(null);
  lobby = $state.raw<LobbyShown | null>(null);
  view = $state.raw<View | null>(null);
  /** The view whose steps have all been shown. */
  shown = $state.raw<View | null>(null);
  places = $state.raw<Places>({});
  decision = $state.raw<Decision | null>(null);
  chosen = $state.raw<number[]>([]);
  result = $state.raw<Result | null>(null);
  chat = $state.raw<ChatLine[]>([]);
  log = $state.raw<LogLine[]>([]);
  hint = $state.raw<HintShown | null>(null);
  hinting = $state(false);
  undo = $state.raw<UndoShown | null>(null);
  /** The card of the hand that was picked, not yet played. */
  selected = $state<number | null>(null);
  /** A place that was tapped once and wants to be tapped again, because it cannot be taken back. */
  armed = $state<string | null>(null);
  spot = $state.raw<Spot | null>(null);
  burst = $state.raw<Burst | null>(null);
  animating = $state(false);
  /** Shown until one goes on, or for a while. */
  roundEnd = $state.raw<RoundOver | null>(null);
  /** What was refused, in words; shown until the next thing is done or happens, or for a while. */
  complaint = $state('');
  /** When the clock runs out, as performance.now(); null without one. */
  deadline = $state<number | null>(null);
  /** Set where the table cannot be reached at all. */
  gone = $state('');
  pending = $state.raw<{ decision: number; action: number } | null>(null);
  link: Link;

  #queue: View[] = [];
  #hurried = false;
  #after: (() => void)[] = [];
  #lines = 0;
  #gone: () => void = () => {};
  #spoken = speaker.language;
  #watches: boolean;
  #forgives: ReturnType<typeof setTimeout> | undefined;

  /** `watch`: as a spectator, though this device may have a seat. */
  constructor(readonly id: string, as: 'watch' | '' = '') {
    this.#watches = as === 'watch';
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const url = () => `${scheme}://${location.host}/api/tables/${id}/socket?lang=${speaker.language}${this.#watches ? '&watch=yes' : ''}`;
    this.link = new Link(url, this.hear, () => void this.#lookForReason());
  }

  // -- What the page asks ---------------------------------------------------------------------

  seat = $derived(this.welcome?.seat ?? null);
  game = $derived(this.welcome?.table.game ?? '');
  kit: Kit | null = $derived(this.game ? kitOf(this.game) : null);
  pack: Pack = $derived({ game: this.game, deck: (this.welcome?.table.deck ?? {}) as api.Deck, names: this.welcome?.table.card_names ?? {} });
  seats = $derived(this.lobby?.seats ?? []);
  phase = $derived(this.shown?.phase ?? '');
  facts = $derived((this.shown?.facts ?? {}) as Record<string, never>);
  hand = $derived(this.seat === null ? [] : cardsIn(this.places[`hand ${this.seat}`]));
  choice = $derived(this.pending?.action ?? this.decision?.choice ?? null);
  /** Several choose secretly at once, and may choose again. */
  isSecret = $derived(this.view !== null && this.view.actor === null && this.view.waiting.length > 0);
  offers: Offer[] = $derived(this.decision?.moves ?? []);
  /** By card of the hand: what could be done with it. */
  byCard = $derived.by(() => {
    const found = new Map<number, Offer[]>();
    for (const offer of this.offers) {
      const card = this.kit?.cardOf(offer, this) ?? null;
      if (card !== null) found.set(card, [...(found.get(card) ?? []), offer]);
    }
    return found;
  });
  /** By place on the screen: the offer that means it, once nothing flies any more. */
  byPlace = $derived.by(() => {
    const found = new Map<string, Offer>();
    if (this.animating || (this.pending && !this.isSecret)) return found;
    for (const offer of this.offers) {
      const place = this.kit?.placeOf(offer, this.selected, this) ?? null;
      if (place !== null) found.set(place, offer);
    }
    return found;
  });
  /** Offers that mean neither a card of the hand nor a place: they are buttons. */
  plainOffers = $derived(this.animating || (this.pending && !this.isSecret) ? [] : this.offers.filter((offer) => this.kit?.isPlain(offer) ?? true));
  preview: Preview | null = $derived.by(() => {
    const card = this.selected;
    return card === null || !this.kit?.preview ? null : this.kit.preview(this, card);
  });
  /** The coach's advice for what is asked just now; the one for an earlier question is no advice. */
  currentHint = $derived(this.hint && this.hint.decision === this.decision?.number ? this.hint : null);
  myTurn = $derived(this.decision !== null && this.choice === null && !this.result);

  name = (seat: number | null): string => this.seats.find((one) => one.seat === seat)?.name ?? '';
  /** Who reads this, where it is not whose chair is looked from: in replays. */
  reader: number | null = null;
  /** As the reader would say it. */
  called = (seat: number): string => (seat === (this.reader ?? this.seat) ? t('table.you') : this.name(seat));
  /** Seats in the order of the table, one's own first. */
  ordered = $derived.by(() => {
    const first = this.seat ?? 0;
    return [...this.seats.slice(first), ...this.seats.slice(0, first)];
  });

  // -- What a person does ---------------------------------------------------------------------

  open = (): void => this.link.open();
  close = (): void => this.link.close();

  select = (card: number | null): void => {
    this.complaint = '';
    this.armed = null;
    this.selected = card;
  };

  /** A place is pressed for the first time. */
  arm = (place: string): void => {
    this.complaint = '';
    this.armed = place;
  };

  /** Instead of the instruction, which comes back: whatever was about to be done is not. */
  complain = (why: string): void => {
    this.complaint = why;
    this.armed = null;
    clearTimeout(this.#forgives);
    this.#forgives = setTimeout(() => (this.complaint = ''), REFUSED_SHOWN);
  };

  choose = async (action: number): Promise<void> => {
    if (!this.decision || (this.pending && !this.isSecret)) return;
    this.complaint = '';
    this.armed = null;
    this.hint = null;
    this.pending = { decision: this.decision.number, action };
    const card = this.kit?.cardOf(this.offers.find((offer) => offer.action === action)!, this) ?? null;
    this.selected = null;
    this.#send();
    sound.play('lay');
    if (this.animating) this.hurry();
    if (this.isSecret && card !== null && this.kit?.tray) await this.#lay(card);
  };

  /** Show the rest of what happened quickly: somebody wants to go on. */
  hurry = (): void => {
    this.#hurried = true;
  };

  goOn = (): void => {
    this.roundEnd = null;
    this.#gone();
  };

  say = (text: string): void => void this.link.say({ type: 'chat', text });
  sayPhrase = (phrase: string): void => void this.link.say({ type: 'chat', phrase });
  askUndo = (): void => void this.link.say({ type: 'undo' });
  answerUndo = (agree: boolean): void => {
    this.undo = null;
    this.link.say({ type: 'undo_answer', agree });
  };
  askHint = (): void => {
    if (!this.decision) return;
    this.hinting = this.link.say({ type: 'hint', decision: this.decision.number });
  };
  /** In an effect: when the page speaks another language, so does the table. */
  followLanguage = (): void => {
    const { language } = speaker;
    if (language !== this.#spoken) this.link.say({ type: 'language', language });
    this.#spoken = language;
  };

  // -- What the server says -------------------------------------------------------------------

  hear = (message: ServerMessage): void => {
    switch (message.type) {
      case 'welcome':
        return this.#start(message);
      case 'lobby':
        this.lobby = message.lobby;
        return;
      case 'presence':
        this.#mendSeat(message.seat, { connected: message.connected, stand_in: message.stand_in });
        return;
      case 'view':
        return this.#take(message);
      case 'accepted':
        return this.#accepted(message.decision, message.action, message.next);
      case 'refused':
        return this.#refused(message.decision, message.message);
      case 'chosen':
        this.chosen = [...new Set([...this.chosen, ...message.seats])];
        return;
      case 'clock':
        this.deadline = performance.now() + message.left * 1000;
        return;
      case 'chat':
        this.chat = [...this.chat, message];
        return;
      case 'undo':
        this.undo = message.state === 'asked' ? message : null;
        return;
      case 'hint':
        this.hinting = false;
        this.hint = message;
        return;
      case 'result':
        this.#when(() => (this.result = message));
        return;
      case 'error':
        this.hinting = false;
        this.complain(message.message);
        return;
      case 'closing':
      case 'pong':
        return;
    }
  };

  #start(welcome: Welcome) {
    if (welcome.version !== VERSION) void renewal.look();
    this.#queue = [];
    this.welcome = welcome;
    this.lobby = welcome.lobby;
    this.chat = welcome.chat;
    this.undo = null;
    this.hint = null;
    this.hinting = false;
    this.gone = '';
    this.deadline = welcome.left === null ? null : performance.now() + welcome.left * 1000;
    const view = welcome.view;
    if (view) {
      this.#look(view);
      this.#settle(view);
      if (!this.log.length) this.#tell(view.steps);
    }
    if (!this.animating) this.result = welcome.result;
    const again = this.pending;
    if (again && view?.decision?.number === again.decision) this.#send();
    else this.pending = null;
  }

  #take(view: View) {
    const known = this.view?.turn ?? -1;
    this.#look(view);
    if (view.turn <= known || !view.steps.length) {
      this.#when(() => this.#settle(view)); // a look at what is known already, or something taken back
      return;
    }
    this.#queue.push(view);
    if (!this.animating) void this.#run();
  }

  /** What counts at once, though cards still fly: the question, and who has answered. */
  #look(view: View) {
    if (view.turn !== this.view?.turn) this.complaint = ''; // the same once more is what a refusal asks for
    this.view = view;
    this.decision = view.decision;
    this.chosen = view.chosen;
    this.armed = null;
    if (this.pending && view.decision?.number !== this.pending.decision) this.pending = null;
    if (!view.decision) this.deadline = null;
    if (this.selected !== null && !view.decision) this.selected = null;
  }

  #accepted(decision: number, action: number, next: number) {
    if (this.pending?.decision === decision) this.pending = null;
    if (this.decision?.number !== decision) return;
    this.decision = this.isSecret ? { ...this.decision, number: next, choice: action } : null;
    this.deadline = this.isSecret ? this.deadline : null;
    if (this.isSecret && this.seat !== null) this.chosen = [...new Set([...this.chosen, this.seat])];
  }

  #refused(decision: number | null, message: string) {
    if (decision !== null && this.pending && this.pending.decision !== decision) return;
    this.pending = null;
    this.complain(message);
    if (this.view && !this.animating) this.#settle(this.view);
    this.link.say({ type: 'look' });
  }

  #send() {
    if (this.pending) this.link.say({ type: 'move', ...this.pending });
  }

  #mendSeat(seat: number, change: { connected: boolean; stand_in: boolean }) {
    if (!this.lobby) return;
    this.lobby = { ...this.lobby, seats: this.lobby.seats.map((one) => (one.seat === seat ? { ...one, ...change } : one)) };
  }

  async #lookForReason() {
    try {
      const shown = await api.table(this.id);
      const before = this.welcome;
      if (before && this.#isStillMine(shown.lobby)) return; // it was there before, and will be again
      this.welcome = null; // the host has given the seat away: it can be taken anew
      this.lobby = shown.lobby;
      const maySit = shown.lobby.status === 'waiting' && !this.#watches;
      if (before || shown.seat !== null) return;
      if (!shown.table.spectators) {
        this.gone = 'closed'; // it is there, but lets nobody watch
        if (!maySit) this.link.close();
      } else if (!maySit) this.#watches = true; // the seat is somebody else's by now
    } catch (refusal) {
      if (refusal instanceof api.Refusal && FINAL.includes(refusal.status)) {
        this.gone = refusal.message;
        this.link.close();
      }
    }
  }

  #isStillMine(lobby: LobbyShown): boolean {
    const { seat } = this;
    return seat === null || (lobby.seats[seat]?.kind === 'person' && lobby.seats[seat].name === this.name(seat));
  }

  // -- How it came about ----------------------------------------------------------------------

  /** At once, or when the cards have landed. */
  #when(then: () => void) {
    if (this.animating) this.#after.push(then);
    else then();
  }

  #settle(view: View) {
    this.places = this.#withChoice(view);
    this.shown = view;
    this.spot = null;
  }

  /** One's own secret choice lies on the table, also where the view still counts it to the hand. */
  #withChoice(view: View): Places {
    const card = this.#chosenCard(view);
    if (card === null || this.seat === null || !this.kit?.tray) return view.places;
    const hand = `hand ${this.seat}`;
    return { ...view.places, [hand]: cardsIn(view.places[hand]).filter((one) => one !== card), [`${this.kit.tray} ${this.seat}`]: [card] };
  }

  #chosenCard(view: View): number | null {
    const action = this.pending?.action ?? view.decision?.choice ?? null;
    if (action === null || view.actor !== null) return null;
    const offer = view.decision?.moves.find((one) => one.action === action);
    return offer ? (this.kit?.cardOf(offer, this) ?? null) : null;
  }

  async #lay(card: number) {
    const hand = `hand ${this.seat}`;
    const tray = `${this.kit!.tray} ${this.seat}`;
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
      await fly(() => this.#settle(view), [], this.#pace(STEP * 0.6));
      if (view.decision && !this.#queue.length) sound.play('yours');
    }
    this.animating = false;
    for (const then of this.#after.splice(0)) then();
  }

  async #show(step: Step, view: View) {
    if (step.event.event === 'round_end' || step.event.event === 'game_end') return this.#showRound(step, view);
    const turned = step.moves.length > 0 && step.moves.every((move) => move.from === move.to);
    if (turned) {
      this.#tell([step]);
      sound.play('turn');
      const held = this.places;
      await fly(() => (this.places = this.#moved(step, held)), [], this.#pace(STEP * 0.5));
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
    this.#tell([step]);
    await fly(() => (this.places = this.#moved(step, this.places)), flights, this.#pace(STEP));
    await wait(this.#pace(step.moves.length ? 90 : 160));
  }

  /** The round as it was counted; the game's last one is shown with the result. */
  async #showRound(step: Step, view: View) {
    this.#tell([step]);
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
    if (typeof seat === 'number' && heads) this.burst = { seat, text: heads > 0 ? `+${heads}` : `−${-heads}`, key: ++this.#lines };
  }

  #moved(step: Step, places: Places): Places {
    const next: Places = { ...places };
    for (const { cards, from, to } of step.moves) {
      const going = cardsIn(cards);
      if (from === to) {
        const wasEmpty = cardsIn(next[to]).length === 0;
        const hand = to.replace(/^\w+/, 'hand');
        if (wasEmpty && next[hand] !== undefined) next[hand] = without(next[hand], going); // an open hand, as in a replay, too
        next[to] = going;
        continue;
      }
      next[from] = without(next[from], going);
      next[to] = joined(next[to], going);
    }
    return this.kit?.tidy?.(next, step) ?? next;
  }

  #tell(steps: Step[]) {
    const lines = steps.filter((step) => step.text).map((step) => ({ key: ++this.#lines, text: step.text, event: String(step.event.event) }));
    this.log = [...this.log, ...lines].slice(-200);
  }
}

function without(place: number[] | number | undefined, cards: number[]): number[] | number {
  if (place === undefined) return [];
  if (typeof place === 'number') return Math.max(0, place - cards.length);
  const left = [...place];
  for (const card of cards) {
    const at = left.includes(card) ? left.indexOf(card) : card ? left.indexOf(0) : left.length - 1;
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}

function joined(place: number[] | number | undefined, cards: number[]): number[] | number {
  if (typeof place === 'number' && cards.length) return place + cards.length;
  return [...cardsIn(place), ...cards];
}
