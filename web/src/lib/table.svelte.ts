/** One table as this device sees it: what the server tells (`view`), and what a person does.  How it came about is
 *  shown step by step (`Showing`).  There are no rules here: what may be chosen is what the server offers. */
import {
  byTarget,
  cardOf,
  HAND,
  inWords,
  isPlain,
  meant,
  shownOf,
  type Best,
  type Meant,
  type Preview
} from '../games/generic';
import type { Kit } from '../games/kit';
import { kitOf } from '../games/registry.svelte';
import * as api from './api';
import { cardsIn, type Pack } from './cards';
import { changeInWords } from './conditions';
import { hushedAt } from './hushed';
import { speaker, t, type Key } from './i18n.svelte';
import type { Places } from './places';
import { keepCommitment } from './promises';
import { renewal } from './renewed.svelte';
import { markOpened, sealedFor, takenFor, toOpen } from './share';
import { Showing } from './showing.svelte';
import { Link } from './socket.svelte';
import * as sound from './sound';
import type {
  ChatLine,
  ClientMessage,
  Decision,
  HintShown,
  LobbyShown,
  PlaceShown,
  Result,
  SeatShown,
  ServerMessage,
  Story,
  TableChanged,
  TableFacts,
  UndoShown,
  View,
  Welcome
} from './wire';

const REFUSED_SHOWN = 8000; // ms for a refusal; then it is said again what to do
const VERSION = 2; // of the messages that are understood here
// Of one's share in the deal: nothing to be done about now; the result tells of it.
const LATE = ['commit_late', 'share_late'];
const FINAL = [403, 404, 410]; // refusals that waiting does not mend
// What the server may answer to something that was said: it was heard, and is not to be said again.
const UNSPEAKABLE = /^(muted|silenced|chat_.+|no_such_phrase|too_fast)$/;
const COACH_BUSY = 'hint_thinking'; // with a question of the line that was lost
const ASK_AGAIN = 1500; // ms
const KNOCK = 5000; // ms between two looks at a table that lets nobody watch

/** Something said to all: one's own words, or a phrase by its name. */
interface Said {
  text?: string;
  phrase?: string;
}
const isSaid = (said: Said, line: ChatLine): boolean =>
  said.phrase ? line.phrase === said.phrase : line.text === said.text?.split(/\s+/).join(' ');

/** What has become of somebody, as the key of a sentence. */
function becameOf(was: SeatShown, is: SeatShown): Key | null {
  if (was.name && was.name !== is.name) return 'table.story_took_over';
  if (is.sent_away) return was.sent_away ? null : 'table.story_sent_away';
  if (is.left) return was.left ? null : 'table.story_left';
  if (is.connected) return was.connected ? null : 'table.story_back';
  if (is.stand_in) return was.stand_in ? null : 'table.story_stand_in';
  return was.connected ? 'table.story_away' : null;
}

export class Table extends Showing {
  welcome = $state.raw<Welcome | null>(null);
  lobby = $state.raw<LobbyShown | null>(null);
  view = $state.raw<View | null>(null);
  decision = $state.raw<Decision | null>(null);
  chosen = $state.raw<number[]>([]);
  result = $state.raw<Result | null>(null);
  chat = $state.raw<ChatLine[]>([]);
  /** Whom one does not want to hear, each as `seat name`: that is told to nobody. */
  hushed = $state.raw<string[]>([]);
  heard = $derived(this.chat.filter(({ seat, name }) => !this.hushed.includes(`${seat} ${name}`)));
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
  /** By whom, in words, once the host has sent one away. */
  sentAway = $state('');
  /** What was agreed at this table; known before one sits there. */
  about = $state.raw<TableFacts | null>(null);
  /** What the host has changed last before the start, in words. */
  changes = $state('');
  /** By seat: when its clock runs out, as `deadline`; null where none runs. */
  clocks = $state.raw<(number | null)[]>([]);
  /** One's own share in the deal is sealed with the server. */
  sealed = $state(false);
  pending = $state.raw<{ decision: number; action: number } | null>(null);
  /** What was said and has not come back yet: it is said again on the next line. */
  unsaid = $state.raw<Said[]>([]);
  link: Link;

  #spoken = speaker.language;
  #watches: boolean;
  #knocks: ReturnType<typeof setTimeout> | undefined;
  #forgives: ReturnType<typeof setTimeout> | undefined;

  /** `watch`: as a spectator, though this device may have a seat. */
  constructor(
    readonly id: string,
    as: 'watch' | '' = ''
  ) {
    super();
    this.hushed = hushedAt(id);
    this.#watches = as === 'watch';
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = `${scheme}://${location.host}/api/tables/${id}/socket`;
    const url = () =>
      `${socket}?lang=${speaker.language}&explain=yes${this.#watches ? '&watch=yes' : ''}`;
    this.link = new Link(url, this.hear, () => void this.#lookForReason());
  }

  // -- What the page asks ---------------------------------------------------------------------

  seat = $derived(this.welcome?.seat ?? null);
  game = $derived(this.welcome?.table.game ?? '');
  /** The words that this client has for the game. */
  kit: Kit = $derived(kitOf(this.game));
  /** What the game declares: whether many points are good, and its places. */
  best: Best = $derived(this.welcome?.table.best ?? 'fewest');
  declared: PlaceShown[] = $derived(this.welcome?.table.places ?? []);
  /** Where a secretly chosen card lies, and where it comes from. */
  tray = $derived(this.declared.find((one) => one.tray !== null) ?? null);
  pack: Pack = $derived({
    deck: (this.welcome?.table.deck ?? {}) as api.Deck,
    names: this.welcome?.table.card_names ?? {}
  });
  seats = $derived(this.lobby?.seats ?? []);
  phase = $derived(this.shown?.phase ?? '');
  facts = $derived((this.shown?.facts ?? {}) as Record<string, never>);
  hand = $derived(this.seat === null ? [] : cardsIn(this.places[`${HAND} ${this.seat}`]));
  choice = $derived(this.pending?.action ?? this.decision?.choice ?? null);
  /** Several choose secretly at once, and may choose again. */
  isSecret = $derived(
    this.view !== null && this.view.actor === null && this.view.waiting.length > 0
  );
  offers: Meant[] = $derived((this.decision?.moves ?? []).map(meant));
  /** The card of the hand that one has chosen, while one may still choose another. */
  chosenCard = $derived.by(() => {
    const offer = this.offers.find((one) => one.action === this.choice);
    return offer ? cardOf(offer, this.seat) : null;
  });
  /** By card of the hand: what could be done with it. */
  byCard = $derived.by(() => {
    // eslint-disable-next-line svelte/prefer-svelte-reactivity -- made anew, never changed later
    const found = new Map<number, Meant[]>();
    for (const offer of this.offers) {
      const card = cardOf(offer, this.seat);
      if (card !== null) found.set(card, [...(found.get(card) ?? []), offer]);
    }
    return found;
  });
  /** What can be pressed or clicked now: nothing while cards fly, or while an answer is on its way. */
  #open = $derived(this.animating || (this.pending && !this.isSecret) ? [] : this.offers);
  /** What can be done with the picked card. */
  ofPick = $derived(this.selected === null ? [] : (this.byCard.get(this.selected) ?? []));
  /** By place on the screen: the offer that means it, for the picked card if there is one.  Where a secret choice
   *  would lead to is only shown: others choose, too. */
  byPlace = $derived.by(() => {
    const picked = this.ofPick.length ? this.selected : null;
    const able = this.#open.filter((offer) => cardOf(offer, this.seat) === picked);
    return byTarget(picked !== null && this.isSecret ? [] : able, this.seat);
  });
  /** Offers that mean neither a card of the hand nor a place: they are buttons. */
  plainOffers = $derived(this.#open.filter((offer) => isPlain(offer, this.seat, this.declared)));
  /** What the picked card would do, on the table as one sees it: while cards fly, nothing can be said. */
  preview: Preview | null = $derived.by(() => {
    const shown = this.animating ? null : shownOf(this, this.ofPick);
    if (!shown) return null;
    const words = this.kit.says?.(this, this.ofPick, shown);
    return { ...shown, text: words ?? inWords(this, this.ofPick, shown) };
  });
  /** Why a card of the hand cannot be played now, with the rule. */
  whyNot = (card: number): string =>
    this.decision?.unusable?.find((one) => one.card === card)?.why ?? '';
  /** The coach's advice for what is asked just now; the one for an earlier question is no advice. */
  currentHint = $derived(
    this.hint && this.hint.decision === this.decision?.number ? this.hint : null
  );
  /** The card of the hand that the coach would play. */
  advised = $derived.by(() => {
    const offer = this.offers.find((one) => one.action === this.currentHint?.action);
    return offer && this.choice === null ? cardOf(offer, this.seat) : null;
  });
  playsAlone = $derived(
    this.seat !== null &&
      this.seats.filter(({ kind, sent_away }) => kind !== 'bot' && !sent_away).length <= 1
  );
  myTurn = $derived(this.decision !== null && this.choice === null && !this.result);

  /** Whose seats somebody who comes late may ask for: a bot plays there, for good or because its person has left. */
  relievable = $derived.by(() => {
    const { lobby, about } = this;
    if (!about || about.practice || about.latecomers === 'never') return [];
    if (lobby?.status !== 'playing' || this.seat !== null || this.result || this.sentAway)
      return [];
    return lobby.seats.filter(
      (one) => one.kind === 'bot' || one.sent_away || (one.left && one.seat !== lobby.host)
    );
  });

  name = (seat: number | null): string => this.seats.find((one) => one.seat === seat)?.name ?? '';
  /** Who reads this, where it is not whose chair is looked from: in replays. */
  reader: number | null = null;
  /** As the reader would say it. */
  called = (seat: number): string =>
    seat === (this.reader ?? this.seat) ? t('table.you') : this.name(seat);
  /** Seats in the order of the table, one's own first. */
  ordered = $derived.by(() => {
    const first = this.seat ?? 0;
    return [...this.seats.slice(first), ...this.seats.slice(0, first)];
  });

  // -- What a person does ---------------------------------------------------------------------

  open = (): void => this.link.open();
  close = (): void => {
    clearTimeout(this.#knocks);
    this.link.close();
  };
  /** One has a seat here now. */
  sitDown = (): void => {
    this.#watches = false;
    this.gone = '';
    clearTimeout(this.#knocks);
    this.link.close();
    this.link.open();
  };

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
    const offer = this.offers.find((one) => one.action === action);
    const card = offer ? cardOf(offer, this.seat) : null;
    this.selected = null;
    this.#send();
    sound.play('lay');
    if (this.animating) this.hurry();
    if (this.isSecret && card !== null && this.tray)
      await this.lay(card, `${this.tray.tray} ${this.seat}`, `${this.tray.name} ${this.seat}`);
  };

  say = (text: string): void => this.#speak({ text });
  sayPhrase = (phrase: string): void => this.#speak({ phrase });
  #speak(said: Said) {
    this.unsaid = [...this.unsaid, said];
    this.link.say({ type: 'chat', ...said });
  }
  askUndo = (): void => this.#orLost({ type: 'undo' });
  answerUndo = (agree: boolean): void => {
    this.undo = null;
    this.#orLost({ type: 'undo_answer', agree });
  };
  /** What would mean something else by the time the line is back. */
  #orLost(message: ClientMessage) {
    if (!this.link.say(message)) this.complain(t('table.not_sent'));
  }
  askHint = (): void => {
    if (!this.decision) return;
    this.hinting = true;
    this.#asked = this.decision.number;
    this.link.say({ type: 'hint', decision: this.#asked });
  };
  #asked: number | null = null; // the decision that the coach was asked about, until it answers
  /** In an effect: when the page speaks another language, so does the table. */
  followLanguage = (): void => {
    const { language } = speaker;
    if (language !== this.#spoken) {
      this.link.say({ type: 'language', language });
      this.link.say({ type: 'story' }); // and so does what it has told before
    }
    this.#spoken = language;
  };

  // -- What the server says -------------------------------------------------------------------

  hear = (message: ServerMessage): void => {
    switch (message.type) {
      case 'welcome':
        this.#start(message);
        return;
      case 'lobby':
        this.#meet(message.lobby);
        return;
      case 'table':
        this.#changed(message);
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
        this.#mendSeat(message.seat, {
          connected: message.connected,
          stand_in: message.stand_in,
          left: message.left
        });
        return;
      case 'view':
        this.#take(message);
        return;
      case 'accepted':
        this.#accepted(message.decision, message.action, message.next);
        return;
      case 'refused':
        this.#refused(message.decision, message.message);
        return;
      case 'chosen':
        this.#haveChosen(message.seats);
        return;
      case 'clock':
        this.deadline = performance.now() + message.left * 1000;
        return;
      case 'clocks':
        this.#setClocks(message.left);
        return;
      case 'chat':
        this.chat = [...this.chat, message];
        this.#heardMyself([message]);
        return;
      case 'undo':
        this.undo = message.state === 'asked' ? message : null;
        return;
      case 'hint':
        this.hinting = false;
        this.#asked = null;
        this.hint = message;
        return;
      case 'story':
        this.#heardAgain(message);
        return;
      case 'result':
        this.whenLanded(() => (this.result = message));
        return;
      case 'error':
        if (message.key === COACH_BUSY && this.#asked !== null) {
          setTimeout(() => this.#asked === this.decision?.number && this.askHint(), ASK_AGAIN);
          return;
        }
        if (UNSPEAKABLE.test(message.key)) this.unsaid = this.unsaid.slice(1);
        else [this.hinting, this.#asked] = [false, null];
        if (!LATE.includes(message.key)) this.complain(message.message);
        return;
      case 'closing':
        if (message.key === 'sent_away') this.#leaveFor(message.message);
        return;
      case 'pong':
        return;
    }
  };

  /** What was told before, in the language of now. */
  #heardAgain({ language, lines, phrases, chat, result }: Story) {
    if (language !== speaker.language) return; // it has changed again
    if (this.welcome) this.welcome = { ...this.welcome, language, phrases };
    this.chat = chat;
    if (this.result) this.result = result ?? this.result;
    this.whenLanded(() => this.retell(lines));
  }

  #start(welcome: Welcome) {
    // Sent again in any case: what has been heard is answered as before, and what came too late is refused in words.
    const { pending } = this;
    if (welcome.version !== VERSION) void renewal.look();
    this.skip();
    this.welcome = welcome;
    this.lobby = welcome.lobby;
    this.about = welcome.table;
    this.#setClocks(welcome.clocks ?? []);
    const known = this.chat.map(({ seat, at, text }) => `${seat} ${at} ${text}`);
    this.chat = welcome.chat;
    this.#heardMyself(
      this.chat.filter(({ seat, at, text }) => !known.includes(`${seat} ${at} ${text}`))
    );
    for (const said of this.unsaid) this.link.say({ type: 'chat', ...said });
    this.undo = null;
    this.hint = null;
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
    if (pending) this.link.say({ type: 'move', ...pending });
    this.hinting = this.#asked !== null && this.#asked === this.decision?.number;
    if (this.hinting) this.askHint();
  }

  /** Whatever comes back has been said. */
  #heardMyself(lines: ChatLine[]) {
    for (const line of lines) {
      const at = this.unsaid.findIndex((said) => line.seat === this.seat && isSaid(said, line));
      if (at >= 0) this.unsaid = this.unsaid.filter((_, index) => index !== at);
    }
  }

  /** Before the start: what was agreed is another thing now, and everybody hears it. */
  #changed({ table, changed, by }: TableChanged) {
    this.about = table;
    if (this.welcome) this.welcome = { ...this.welcome, table };
    const what = speaker.list(changed.map((name) => changeInWords(name, table, this.seats.length)));
    this.changes =
      by === this.seat
        ? t('table.changed_you', { what })
        : t('table.changed', { name: this.name(by), what });
  }

  // One's share in the deal: sealed while people sit down, opened when the table has started.

  #share({ seat, fair, lobby }: Welcome) {
    if (!fair.commitment) return;
    if (lobby.status === 'waiting') {
      keepCommitment(this.id, fair.commitment); // later it would promise nothing
      if (seat !== null) this.link.say({ type: 'commit', commitment: sealedFor(this.id, seat) });
    } else if (lobby.status === 'opening' && fair.commitments)
      this.#openShare(fair.commitment, fair.commitments);
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
    this.clocks = [];
    if (this.selected !== null && !view.decision) this.selected = null;
  }

  #accepted(decision: number, action: number, next: number) {
    if (this.pending?.decision === decision) this.pending = null;
    if (this.decision?.number !== decision) return;
    this.decision = this.isSecret ? { ...this.decision, number: next, choice: action } : null;
    this.deadline = this.isSecret ? this.deadline : null;
    if (this.isSecret && this.seat !== null) this.#haveChosen([this.seat]);
  }

  #haveChosen(seats: number[]) {
    this.chosen = [...this.chosen, ...seats.filter((seat) => !this.chosen.includes(seat))];
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

  #setClocks(left: (number | null)[]) {
    const now = performance.now();
    this.clocks = left.map((seconds) => (seconds === null ? null : now + seconds * 1000));
  }

  // -- Who comes and goes ---------------------------------------------------------------------

  #mendSeat(seat: number, change: Partial<SeatShown>) {
    if (!this.lobby) return;
    this.#meet({
      ...this.lobby,
      seats: this.lobby.seats.map((one) => (one.seat === seat ? { ...one, ...change } : one))
    });
  }

  /** What has become of the others since; while one plays it has a line in the story. */
  #meet(now: LobbyShown) {
    const before = this.lobby;
    this.lobby = now;
    if (before?.status !== 'playing' || now.status !== 'playing') return;
    for (const [seat, is] of now.seats.entries()) {
      const was = before.seats.at(seat);
      const key = was && seat !== this.seat ? becameOf(was, is) : null;
      if (key) this.remark(t(key, { name: is.name, before: was?.name ?? '' }));
    }
  }

  /** The host has sent one away: who may still watch does, and nothing is asked again and again. */
  #leaveFor(why: string) {
    this.sentAway = why;
    this.link.close();
    if (this.lobby?.status === 'waiting' || !this.about?.spectators) {
      this.gone = why;
      return;
    }
    this.#watches = true;
    this.link.open();
  }

  async #lookForReason() {
    try {
      const shown = await api.table(this.id);
      const before = this.welcome;
      if (before && (this.seat === null || shown.seat === this.seat)) return; // it was there before, and will be again
      this.welcome = null; // the host has given the seat away: it can be taken anew
      this.lobby = shown.lobby;
      this.about = shown.table;
      if (shown.seat !== null) return;
      if (shown.table.spectators) {
        this.#watches = true; // the seat is somebody else's by now
        return;
      }
      this.gone = t('table.not_watchable');
      this.link.close(); // who waits at the door asks there
      if (shown.lobby.status === 'waiting')
        this.#knocks = setTimeout(() => void this.#lookForReason(), KNOCK);
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
    if (card === null || this.seat === null || !this.tray) return view.places;
    const hand = `${this.tray.tray} ${this.seat}`;
    return {
      ...view.places,
      [hand]: cardsIn(view.places[hand]).filter((one) => one !== card),
      [`${this.tray.name} ${this.seat}`]: [card]
    };
  }

  #chosenCard(view: View): number | null {
    const action = this.pending?.action ?? view.decision?.choice ?? null;
    if (action === null || view.actor !== null) return null;
    const offer = view.decision?.moves.find((one) => one.action === action);
    return offer ? cardOf(meant(offer), this.seat) : null;
  }
}
