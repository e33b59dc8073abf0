import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Link } from '../src/lib/socket.svelte';

class FakeSocket {
  static OPEN = 1;
  static made: FakeSocket[] = [];
  readyState = 0;
  sent: string[] = [];
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  constructor(readonly url: string) {
    FakeSocket.made.push(this);
  }
  send(text: string) {
    this.sent.push(text);
  }
  /** As in a browser: that it is closed is told later. */
  close() {
    this.readyState = 3;
    setTimeout(() => this.onclose?.());
  }
  welcome() {
    this.readyState = 1;
    this.onmessage?.({ data: '{"type": "welcome"}' });
  }
}
const made = FakeSocket.made;
const notClosed = () => made.filter((socket) => socket.readyState !== 3).length;
const LONG = 60_000; // longer than any wait before a new try

let heard: string[];
let link: Link;
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', FakeSocket);
  made.length = 0;
  heard = [];
  link = new Link(
    () => 'ws://table',
    (message) => heard.push(message.type)
  );
});
afterEach(() => {
  link.close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function lose() {
  made.at(-1)!.close();
  vi.advanceTimersByTime(1);
}

test('a lost connection comes back by itself', () => {
  link.open();
  made[0].welcome();
  expect(link.state).toBe('open');
  lose();
  expect(link.state).toBe('lost');
  vi.advanceTimersByTime(1000);
  made.at(-1)!.welcome();
  expect([link.state, link.tries]).toEqual(['open', 0]);
});

test('the network and the page come back at the same moment: there is one socket', () => {
  link.open();
  made[0].welcome();
  lose();
  dispatchEvent(new Event('online'));
  document.dispatchEvent(new Event('visibilitychange'));
  expect(made).toHaveLength(2);
  expect(link.state).toBe('connecting');
  vi.advanceTimersByTime(1000);
  expect(notClosed()).toBe(1);
});

test('a socket that was put aside is closed and not listened to', () => {
  link.open();
  made[0].welcome();
  link.close();
  link.open();
  expect(made).toHaveLength(2);
  expect(notClosed()).toBe(1);
  made[0].onmessage!({ data: '{"type": "view"}' });
  expect(heard).toEqual(['welcome']);
});

test('a link that was closed and opened again tries again, too', () => {
  link.open();
  lose();
  link.close();
  link.open();
  expect([link.state, link.tries]).toEqual(['connecting', 0]);
  vi.advanceTimersByTime(1); // what is told of the old socket changes nothing
  expect(link.state).toBe('connecting');
  lose();
  expect(link.state).toBe('lost');
  const before = made.length;
  vi.advanceTimersByTime(LONG);
  expect(made.length).toBeGreaterThan(before);
});

test('a closed link stays closed', () => {
  link.open();
  made[0].welcome();
  link.close();
  vi.advanceTimersByTime(LONG);
  dispatchEvent(new Event('online'));
  expect(made).toHaveLength(1);
  expect(link.state).toBe('closed');
});

/** The other end is gone, and the browser does not know. */
function dieSilently(socket: FakeSocket) {
  socket.close = () => {};
}
const SOON = 10_000;

test('a line that dies silently is told within ten seconds, and mended without the browser', () => {
  link.open();
  made[0].welcome();
  dieSilently(made[0]);
  vi.advanceTimersByTime(SOON);
  expect(link.tries).toBeGreaterThan(0);
  expect(made.length).toBeGreaterThan(1);
  made.at(-1)!.welcome();
  expect([link.state, link.tries]).toEqual(['open', 0]);
});

test('a line on which something is heard is not pinged', () => {
  link.open();
  made[0].welcome();
  for (let second = 0; second < 30; second += 2) {
    vi.advanceTimersByTime(2000);
    made[0].onmessage!({ data: '{"type": "chosen", "seats": []}' });
  }
  expect(made[0].sent).toEqual([]);
  expect(made).toHaveLength(1);
});

test('a table that never answers is tried again', () => {
  link.open();
  dieSilently(made[0]);
  vi.advanceTimersByTime(2 * SOON);
  expect(made.length).toBeGreaterThan(1);
});
