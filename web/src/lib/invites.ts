/** Invitations to a table or a club that this device holds while it is open, and the links that bring others there. */
import * as api from './api';

const keyOf = (table: string): string => `invite ${table}`;

export function keepInvite(table: string, invite: string | null): void {
  try {
    if (invite) sessionStorage.setItem(keyOf(table), invite);
  } catch {
    // a device that remembers nothing
  }
}

/** Who has come in needs it no more, and it may end. */
export function forgetInvite(table: string): void {
  try {
    sessionStorage.removeItem(keyOf(table));
  } catch {
    // nothing was kept
  }
}

export function inviteFor(table: string): string | null {
  try {
    return sessionStorage.getItem(keyOf(table));
  } catch {
    return null;
  }
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
