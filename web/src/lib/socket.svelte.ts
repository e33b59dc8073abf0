/** One socket to a table: it comes back by itself after any interruption, and tells what it hears. */
import type { ClientMessage, ServerMessage } from './wire';

export type LinkState = 'connecting' | 'open' | 'lost' | 'closed';

const FIRST_WAIT = 400; // ms before the first new try; then twice as long each time
const LONGEST_WAIT = 8000;
const PING_AFTER = 5000; // of silence
const SILENCE = 4000; // after a ping: then the line is dead, whatever the browser thinks
const WELCOME = 10_000; // within which a table answers, or is tried again

export class Link {
  state = $state<LinkState>('connecting');
  tries = $state(0);
  #socket: WebSocket | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #quiet: ReturnType<typeof setTimeout> | undefined;
  #dead: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly url: () => string,
    readonly hear: (message: ServerMessage) => void,
    readonly failed: () => void = () => {}
  ) {}

  open = (): void => {
    addEventListener('online', this.#now);
    addEventListener('offline', this.#beat);
    document.addEventListener('visibilitychange', this.#now);
    this.tries = 0;
    this.#connect();
  };

  close = (): void => {
    removeEventListener('online', this.#now);
    removeEventListener('offline', this.#beat);
    document.removeEventListener('visibilitychange', this.#now);
    this.#drop();
    this.state = 'closed';
  };

  /** False where nobody listens now; whatever matters is said again after the next `welcome`. */
  say = (message: ClientMessage): boolean => {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  };

  /** Whatever the old socket still says or does is nobody's business any more. */
  #drop() {
    clearTimeout(this.#retry);
    clearTimeout(this.#dead);
    clearTimeout(this.#quiet);
    const old = this.#socket;
    this.#socket = null;
    old?.close();
  }

  #connect() {
    this.#drop();
    this.state = 'connecting';
    const socket = new WebSocket(this.url());
    this.#socket = socket;
    let welcomed = false;
    const lost = () => {
      if (this.#socket === socket) this.#lose(welcomed);
    };
    this.#dead = setTimeout(lost, WELCOME);
    socket.onmessage = ({ data }) => {
      if (this.#socket !== socket) return;
      this.#listen();
      const message = JSON.parse(data as string) as ServerMessage;
      if (message.type === 'welcome') {
        welcomed = true;
        this.state = 'open';
        this.tries = 0;
      }
      if (message.type !== 'pong') this.hear(message);
    };
    socket.onclose = lost;
  }

  /** A browser may take minutes to find out that a line is dead: it is not asked. */
  #lose(welcomed: boolean) {
    this.#drop();
    this.state = 'lost';
    const longest = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.tries);
    this.tries += 1;
    this.#retry = setTimeout(() => this.#connect(), longest * (0.6 + 0.4 * Math.random()));
    if (!welcomed) this.failed(); // which may close it for good
  }

  #now = () => {
    if (this.state === 'lost' && document.visibilityState === 'visible') this.#connect();
    else if (document.visibilityState === 'visible') this.#beat();
  };

  /** Something was heard: the line lives. */
  #listen() {
    clearTimeout(this.#dead);
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(this.#beat, PING_AFTER);
  }

  #beat = () => {
    if (!this.say({ type: 'ping' })) return;
    clearTimeout(this.#dead);
    this.#dead = setTimeout(() => this.#lose(true), SILENCE);
  };
}
