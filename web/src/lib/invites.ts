/** Invitations to a table or a club that this device holds while it is open, and the links that bring others there. */
import * as api from './api';
import { hexOf } from './fair';

const keyOf = (table: string): string => `invite ${table}`;
const attemptOf = (table: string): string => `attempt ${table}`;

function keep(key: string, value: string | null): void {
  try {
    if (value) sessionStorage.setItem(key, value);
    else sessionStorage.removeItem(key);
  } catch {
    // a device that remembers nothing
  }
}
function kept(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

export const inviteFor = (table: string) => kept(keyOf(table));
export function keepInvite(table: string, invite: string | null): void {
  if (invite) keep(keyOf(table), invite);
}
/** Who has come in needs it no more, and it may end. */
export const forgetInvite = (table: string) => keep(keyOf(table), null);

/** Whether one has asked for a seat and heard nothing: perhaps one has it. */
export const hasAsked = (table: string) => kept(attemptOf(table)) !== null;

/** Sits down.  Asked again by the same attempt one has the same seat, where its answer was lost: on the way, or because
 *  the page was loaded again. */
export async function takeSeat(table: string, name: string, invite: string | null): Promise<void> {
  const attempt = kept(attemptOf(table)) ?? hexOf(crypto.getRandomValues(new Uint8Array(16)));
  keep(attemptOf(table), attempt);
  try {
    await api.join(table, { name, invite, attempt });
  } catch (refusal) {
    if (refusal instanceof api.Refusal && refusal.status) keep(attemptOf(table), null);
    throw refusal;
  }
  keep(attemptOf(table), null);
}

export const pathOf = (table: string, invite: string | null): string =>
  `/table/${table}${invite ? `#invite=${invite}` : ''}`;

/** The address as other devices reach it; `near` is false where only this computer does. */
export async function linkForOthers(path: string): Promise<{ link: string; near: boolean }> {
  const { address } = await api.here().catch(() => ({ address: null }));
  const local = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);
  return {
    link: (local && address ? address : location.origin) + path,
    near: !local || address !== null
  };
}
