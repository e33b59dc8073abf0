/** Web push: being told when it is one's turn (docs/wire.md).  Off until somebody switches it on, on this device. */
import { ask } from '../lib/api';
import { speakerOf } from './words';
import type { words as english } from './words/push.en';

interface Shown {
  key: string;
  subscribed: boolean;
}
const KEY = 'bullpen.push';

/** Null where this browser cannot: without TLS, or on a phone that wants it installed first. */
async function registration(): Promise<ServiceWorkerRegistration | null> {
  if (!('PushManager' in window) || !('Notification' in window)) return null;
  return (await navigator.serviceWorker?.getRegistration()) ?? null;
}

export type State = 'on' | 'off' | 'denied' | 'impossible';
export async function state(): Promise<State> {
  const own = await registration();
  if (!own) return 'impossible';
  if (Notification.permission === 'denied') return 'denied';
  const [{ subscribed }, known] = await Promise.all([
    ask<Shown>('/push'),
    own.pushManager.getSubscription()
  ]);
  return subscribed && known ? 'on' : 'off';
}

/** The browser asks; whoever says no is not asked again. */
export async function switchOn(): Promise<State> {
  const own = await registration();
  if (!own) return 'impossible';
  if ((await Notification.requestPermission()) !== 'granted') return 'denied';
  const { key } = await ask<Shown>('/push');
  // One that was made for another server's key cannot be used for this one.
  await (await own.pushManager.getSubscription())?.unsubscribe();
  const made = await own.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: key
  });
  const { endpoint, keys } = made.toJSON();
  await ask('/push', { endpoint, keys }, 'PUT');
  return 'on';
}

export async function switchOff(): Promise<State> {
  await ask('/push', undefined, 'DELETE');
  const known = await (await registration())?.pushManager.getSubscription();
  await known?.unsubscribe();
  return 'off';
}

/** Asked once on a device, and only where there is something to ask. */
export async function mayAsk(): Promise<boolean> {
  try {
    if (localStorage.getItem(KEY)) return false;
  } catch {
    return false; // a device that remembers nothing would be asked again and again
  }
  return (await state()) === 'off';
}
export function keepAsked(): void {
  try {
    localStorage.setItem(KEY, 'asked');
  } catch {
    // a device that remembers nothing
  }
}

const WORDS = import.meta.glob<{ words: Partial<typeof english> }>('./words/push.*.ts');
export const sayer = (language: string) => speakerOf<typeof english>(WORDS, language);
export type Say = Awaited<ReturnType<typeof sayer>>;
