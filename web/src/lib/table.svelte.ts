/** One table as this device sees it: what the server tells (`view`), and what a person does.  How it came about is
 *  shown step by step (`Showing`).  There are no rules here: what may be chosen is what the server offers. */
import type { Kit, Preview } from '../games/kit';
import { kitOf } from '../games/kits';
import * as api from './api';
import { cardsIn, type Pack } from './cards';
import { speaker, t } from './i18n.svelte';
import type { Places } from './places';
import { keepCommitment } from './promises';
import { renewal } from './renewed.svelte';
import { markOpened, sealedFor, takenFor, toOpen } from './share';
import { Showing } from './showing.svelte';
import { Link } from './socket.svelte';
import * as sound from './sound';
import type { ChatLine, Decision, HintShown, LobbyShown, Offer, Result, ServerMessage, UndoShown, View, Welcome } from './wire';

const REFUSED_SHOWN = 8000; // ms for a refusal; then it is said again what to do
const VERSION: number = 2; // of the messages that are understood here
const LATE = ['commit_late', 'share_late']; // of one's share in the deal: nothing to be done about now; the result tells of it
const FINAL = [403, 404, 410]; // refusals that waiting does not mend

export class Table extends Showing {
  welcome = $state.raw<Welcome | null>(null);
  lobby = $state.raw<LobbyShown | null>(null);
  view = $state.raw<View | null>(null);
  decision = $state.raw<Decision | null>(null);
  chosen = $state.raw<number[]>([]);
  result = $state.raw<Result | null>(null);
  chat = $state.raw<ChatLine[]>([]);
  hint = $state.raw<HintShown | null>(null);
  hinting = $state(false);
  undo = $state.raw<UndoShown | null>(null);
  /** The card of the hand that was picked, not yet played. */
  selected = $state<number | null>(null);
  /** A place that was tapped once and wants to be tapped again, because it cannot be taken back. */
  armed = $state<string | null>(null);
  /** What was refused, in words; shown until the next thing is done or happens, or for a while. */
  complaint = $state('');
  /** When the clock runs out, as performance.now(); null without one. */
  deadline = $state<number | null>(null);
  /** Why the table cannot be shown at all, in words. */
  gone = $state('');
  /** One's own share in the deal is sealed with the server. */
  sealed = $state(false);
  pending = $state.raw<{ decision: number; action: number } | null>(null);
  link: Link;

  #spoken = speaker.language;
  #watches: boolean;
  #forgives: ReturnType<typeof setTimeout> | undefined;

  /** `watch`: as a spectator, though this device may have a seat. */
  constructor(readonly id: string, as: 'watch' | '' = '') {
    super();
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
    if (this.isSecret && card !== null && this.kit?.tray) await this.lay(card, `hand ${this.seat}`, `${this.kit.tray} ${this.seat}`);
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
      case 'committed':
        this.sealed = takenFor(this.id, message.commitment);
        return;
      case 'open_shares':
        this.#openShare(message.commitment, message.commitments);
        return;
      case 'opened':
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
        this.whenLanded(() => (this.result = message));
        return;
      case 'error':
        this.hinting = false;
        if (!LATE.includes(message.key)) this.complain(message.message);
        return;
      case 'closing':
        if (message.key === 'sent_away') this.complain(message.message);
        return;
      case 'pong':
        return;
    }
  };

  #start(welcome: Welcome) {
    if (welcome.version !== VERSION) void renewal.look();
    this.skip();
    this.welcome = welcome;
    this.lobby = welcome.lobby;
    this.chat = welcome.chat;
    this.undo = null;
    this.hint = null;
    this.hinting = false;
    this.gone = '';
    this.deadline = welcome.left === null ? null : performance.now() + welcome.left * 1000;
    this.#share(welcome);
    const view = welcome.view;
    if (view) {
      this.#look(view);
      this.settle(view);
      if (!this.log.length) this.tell(view.steps);
    }
    if (!this.animating) this.result = welcome.result;
    const again = this.pending;
    if (again && view?.decision?.number === again.decision) this.#send();
    else this.pending = null;
  }

  // One's share in the deal: sealed while people sit down, opened when the table has started.

  #share({ seat, fair, lobby }: Welcome) {
    if (!fair.commitment) return;
    if (lobby.status === 'waiting') {
      keepCommitment(this.id, fair.commitment); // later it would promise nothing
      if (seat !== null) this.link.say({ type: 'commit', commitment: sealedFor(this.id, seat) });
    } else if (lobby.status === 'opening' && fair.commitments) this.#openShare(fair.commitment, fair.commitments);
  }

  #openShare(commitment: string, list: (string | null)[]) {
    if (this.seat === null) return;
    const share = toOpen(this.id, this.seat, commitment, list);
    if (share !== null && this.link.say({ type: 'open', share })) markOpened(this.id);
  }

  #take(view: View) {
    const known = this.view?.turn ?? -1;
    this.#look(view);
    if (view.turn <= known || !view.steps.length) {
      // A look at what is known already, or something taken back; what has come since is newer.
      this.whenLanded(() => this.view === view && this.settle(view));
      return;
    }
    this.show(view);
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
    if (this.view && !this.animating) this.settle(this.view);
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
      if (before && (this.seat === null || shown.seat === this.seat)) return; // it was there before, and will be again
      this.welcome = null; // the host has given the seat away: it can be taken anew
      this.lobby = shown.lobby;
      const maySit = shown.lobby.status === 'waiting' && !this.#watches;
      if (before || shown.seat !== null) return;
      if (!shown.table.spectators) {
        this.gone = t('table.not_watchable');
        if (!maySit) this.link.close();
      } else if (!maySit) this.#watches = true; // the seat is somebody else's by now
    } catch (refusal) {
      if (refusal instanceof api.Refusal && FINAL.includes(refusal.status)) {
        this.gone = refusal.message;
        this.link.close();
      }
    }
  }

  /** One's own secret choice lies on the table, also where the view still counts it to the hand. */
  protected placesOf(view: View): Places {
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
}
