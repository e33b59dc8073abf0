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
    this.#connect();
  };

  close = (): void => {
    removeEventListener('online', this.#now);
    document.removeEventListener('visibilitychange', this.#now);
    clearInterval(this.#ping);
    clearTimeout(this.#retry);
    clearTimeout(this.#dead);
    this.state = 'closed';
    this.#socket?.close();
  };

  /** False where nobody listens now; whatever matters is said again after the next `welcome`. */
  say = (message: ClientMessage): boolean => {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  };

  #connect() {
    clearTimeout(this.#retry);
    const socket = new WebSocket(this.url());
    this.#socket = socket;
    let welcomed = false;
    socket.onmessage = ({ data }) => {
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
      if (this.#socket !== socket || this.state === 'closed') return;
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
