/** One socket to a table: it comes back by itself after any interruption, and tells what it hears. */
import type { ClientMessage, ServerMessage } from './wire';

export type LinkState = 'connecting' | 'open' | 'lost' | 'closed';

const FIRST_WAIT = 400; // ms before the first new try; then twice as long each time
const LONGEST_WAIT = 8000;
const PING_EVERY = 20_000;
const SILENCE = 12_000; // after a ping: then the connection is dead, whatever the browser thinks

export class Link {
  state = $state<LinkState>('connecting');
  tries = $state(0);
  #socket: WebSocket | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #ping: ReturnType<typeof setInterval> | undefined;
  #dead: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly url: () => string,
    readonly hear: (message: ServerMessage) => void,
    readonly failed: () => void = () => {}
  ) {}

  open = (): void => {
    addEventListener('online', this.#now);
    document.addEventListener('visibilitychange', this.#now);
    this.#ping = setInterval(this.#beat, PING_EVERY);
    this.tries = 0;
    this.#connect();
  };

  close = (): void => {
    removeEventListener('online', this.#now);
    document.removeEventListener('visibilitychange', this.#now);
    clearInterval(this.#ping);
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
    socket.onmessage = ({ data }) => {
      if (this.#socket !== socket) return;
      clearTimeout(this.#dead);
      const message = JSON.parse(data as string) as ServerMessage;
      if (message.type === 'welcome') {
        welcomed = true;
        this.state = 'open';
        this.tries = 0;
      }
      if (message.type !== 'pong') this.hear(message);
    };
    socket.onclose = () => {
      if (this.#socket !== socket) return;
      this.state = 'lost';
      if (!welcomed) this.failed();
      const longest = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.tries);
      this.tries += 1;
      this.#retry = setTimeout(() => this.#connect(), longest * (0.6 + 0.4 * Math.random()));
    };
  }

  #now = () => {
    if (this.state === 'lost' && document.visibilityState === 'visible') this.#connect();
    else if (document.visibilityState === 'visible') this.#beat();
  };

  #beat = () => {
    if (!this.say({ type: 'ping' })) return;
    clearTimeout(this.#dead);
    this.#dead = setTimeout(() => this.#socket?.close(), SILENCE);
  };
}
