// Made by `make wire` from the server's schema (/api/wire.json): docs/wire.md says what it means.

/** Say something: free text, or a ready-made phrase that everyone reads in their own language. */
export interface ChatAsked {
  type: 'chat';
  text?: string | null;
  phrase?: string | null;
}

/** The hash of one's share in the deal; the last one before the start stands. */
export interface CommitAsked {
  type: 'commit';
  commitment: string;
}

/** Ask the coach about the decision that one has to make. */
export interface HintAsked {
  type: 'hint';
  decision: number;
}

export interface LanguageAsked {
  type: 'language';
  language: string;
}

/** Send the present view again. */
export interface LookAsked {
  type: 'look';
}

/** Answer the decision with this number by one of the actions that were offered. */
export interface MoveAsked {
  type: 'move';
  decision: number;
  action: number;
}

/** The share that one has committed to, once `open_shares` asks for it. */
export interface OpenAsked {
  type: 'open';
  share: string;
}

export interface PingAsked {
  type: 'ping';
}

/** Repeat everything said in words so far: after a change of the language. */
export interface StoryAsked {
  type: 'story';
}

/** Ask the others to let one take back the last decision. */
export interface UndoAsked {
  type: 'undo';
}

export interface UndoAnswerAsked {
  type: 'undo_answer';
  agree: boolean;
}

/** A move is on disk.  The same move sent again gets the same answer. */
export interface Accepted {
  type: 'accepted';
  decision: number;
  action: number;
  next: number;
}

/** Somebody who came late would like to play this bot's seat; the host says whether they may. */
export interface Asking {
  request: number;
  name: string;
  seat: number;
}

export interface ChatLine {
  type: 'chat';
  seat: number | null;
  name: string;
  text: string;
  phrase: string | null;
  at: string;
}

export interface Chosen {
  type: 'chosen';
  seats: number[];
}

export interface Clock {
  type: 'clock';
  left: number;
}

/** Of all seats, for everybody at the table. */
export interface Clocks {
  type: 'clocks';
  left: (number | null)[];
}

export interface Closing {
  type: 'closing';
  key: string;
  message: string;
}

/** The commitment of this seat is stored; to all its sockets. */
export interface Committed {
  type: 'committed';
  commitment: string;
}

/** What this seat may decide now.  With `choice` it has chosen, and may choose again. */
export interface Decision {
  number: number;
  choice: number | null;
  moves: Offer[];
  unusable?: Unusable[];
}

export interface Error {
  type: 'error';
  key: string;
  message: string;
}

/** How the deal can be checked.  Lists are by seat, null for a seat without a share. */
export interface Fair {
  scheme: 'bullpen-fair-1' | 'bullpen-fair-2' | null;
  commitment: string | null;
  commitments: (string | null)[] | null;
  unopened: number[] | null;
  secret: string | null;
  shares: (string | null)[] | null;
}

/** Cards that go from one place to another; `cards` is a number where they stay face down. */
export interface Flight {
  cards: number[] | number;
  from: string;
  to: string;
  taking?: Taking | null;
}

export interface HintShown {
  type: 'hint';
  decision: number;
  action: number | null;
  message: string;
  details: Record<string, unknown>;
}

export interface Lobby {
  type: 'lobby';
  lobby: LobbyShown;
}

export interface LobbyShown {
  status: 'waiting' | 'opening' | 'playing' | 'over';
  host: number | null;
  seats: SeatShown[];
  spectators: number;
  rematch: string | null;
  again?: number[];
  asking?: Asking[];
  talk?: 'free' | 'phrases' | 'off';
}

/** What may be done.  From `card` on only where offers are explained. */
export interface Offer {
  action: number;
  move: string;
  label: string;
  card?: number | null;
  origin?: string | null;
  place?: string | null;
  effect?: 'takes' | 'joins' | 'chooses' | 'says' | null;
  taken?: number[];
  next?: string[];
  then?: string[];
  points?: number | null;
  tone?: 'good' | 'bad' | 'plain' | null;
}

/** The seats and commitments stand: open your share, if your commitment is among them. */
export interface OpenShares {
  type: 'open_shares';
  commitment: string;
  commitments: (string | null)[];
  seconds: number;
}

/** The shares of these seats fit their commitments. */
export interface Opened {
  type: 'opened';
  seats: number[];
}

export interface Pace {
  pause: number;
  seconds: number | null;
}

/** Who played a seat for a while. */
export interface PartShown {
  name: string;
  kind: 'person' | 'program' | 'bot';
  decisions: number;
}

export interface Phrase {
  phrase: string;
  text: string;
}

/** Places that share a name: the hands of all seats, or all rows. */
export interface PlaceShown {
  name: string;
  kind: 'one' | 'seat' | 'number' | 'heap';
  sight: string;
  count: number | null;
  room: number[] | null;
  tray: string | null;
}

/** The finished game from which a practice table goes on, and after which turn of its replay. */
export interface PlayedOn {
  table: string;
  turn: number;
}

export interface Pong {
  type: 'pong';
}

export interface Presence {
  type: 'presence';
  seat: number;
  connected: boolean;
  stand_in: boolean;
  left?: boolean;
}

export interface Refused {
  type: 'refused';
  decision: number | null;
  key: string;
  rule: string | null;
  message: string;
}

export interface Result {
  type: 'result';
  scores: number[];
  rounds: number[][];
  winners: number[];
  played_for: number[];
  parts?: PartShown[][];
  text: string;
  fair: Fair;
  replay: string;
  tally: TallyPart[][];
}

export interface SeatShown {
  seat: number;
  kind: 'open' | 'person' | 'program' | 'bot';
  name: string;
  level: string | null;
  connected: boolean;
  stand_in: boolean;
  left?: boolean;
  sent_away: boolean;
  muted: boolean;
  reserved_for: string | null;
}

/** One thing that happened, in order: what a client animates and tells. */
export interface Step {
  event: Record<string, unknown> | null;
  text: string;
  moves: Flight[];
  tally: TallyPart[][] | null;
}

/** Everything said in words so far, in the present language; of what happened the last lines. */
export interface Story {
  type: 'story';
  language: string;
  lines: StoryLine[];
  phrases: Phrase[];
  chat: ChatLine[];
  result: Result | null;
}

export interface StoryLine {
  event: string;
  text: string;
}

/** The host has changed what was agreed, before the start. */
export interface TableChanged {
  type: 'table';
  table: TableFacts;
  changed: string[];
  by: number | null;
}

export interface TableFacts {
  id: string;
  game: string;
  title: string;
  options: Record<string, unknown>;
  basis: 'established' | 'reconstruction' | 'own';
  deck: Record<string, unknown>;
  card_names: Record<string, string>;
  clock: number | null;
  coach: boolean;
  memory_aid: boolean;
  practice: boolean;
  listed: boolean;
  spectators: boolean;
  stand_in: string;
  latecomers?: 'ask' | 'welcome' | 'never';
  played_on?: PlayedOn | null;
  bots_in?: number | null;
  daily?: string | null;
  club?: string | null;
  tournament?: string | null;
  best: 'most' | 'fewest';
  places: PlaceShown[];
}

/** What lay in the middle goes to somebody. */
export interface Taking {
  seat: number | null;
  heads: number | null;
  tone: 'good' | 'bad' | 'plain';
}

/** One part of what a seat's points are made of. */
export interface TallyPart {
  name: string;
  text: string;
  cards: number[];
  points: string;
  tone: 'good' | 'bad' | 'plain';
}

export interface UndoShown {
  type: 'undo';
  seat: number;
  state: 'asked' | 'declined' | 'done';
  waiting: number[];
}

/** A card that one holds and that cannot be played now. */
export interface Unusable {
  card: number;
  why: string;
}

export interface View {
  type: 'view';
  turn: number;
  steps: Step[];
  phase: string;
  actor: number | null;
  places: Record<string, number[] | number>;
  remembered: Record<string, number[] | number> | null;
  facts: Record<string, unknown>;
  waiting: number[];
  chosen: number[];
  decision: Decision | null;
  scores: number[];
  rounds: number[][];
  pace: Pace;
  can_undo: boolean;
}

/** The first message: all that a client needs, at the start and after any interruption. */
export interface Welcome {
  type: 'welcome';
  version: 2;
  seat: number | null;
  language: string;
  table: TableFacts;
  lobby: LobbyShown;
  fair: Fair;
  phrases: Phrase[];
  chat: ChatLine[];
  view: View | null;
  left: number | null;
  clocks?: (number | null)[];
  result: Result | null;
}

export type ClientMessage =
  | MoveAsked
  | ChatAsked
  | CommitAsked
  | OpenAsked
  | UndoAsked
  | UndoAnswerAsked
  | HintAsked
  | LookAsked
  | LanguageAsked
  | StoryAsked
  | PingAsked;

export type ServerMessage =
  | Welcome
  | Lobby
  | TableChanged
  | OpenShares
  | Committed
  | Opened
  | Presence
  | View
  | Accepted
  | Refused
  | Chosen
  | Clock
  | Clocks
  | ChatLine
  | UndoShown
  | HintShown
  | Story
  | Result
  | Error
  | Closing
  | Pong;
