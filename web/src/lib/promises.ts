/** What this device remembers of a table's deal, to check it after the game (docs/fair.md). */
interface Promised {
  /** As the server published it before the game. */
  commitment?: string;
  /** One's own share in the shuffling. */
  share?: string;
}

const KEY = 'bullpen.promises';
const KEPT = 40; // tables

function read(): Record<string, Promised> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, Promised>;
  } catch {
    return {};
  }
}

function keep(table: string, news: Promised): void {
  const { [table]: known, ...others } = read();
  const latest = [...Object.entries(others), [table, { ...known, ...news }]].slice(-KEPT);
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(latest)));
  } catch {
    // a device that remembers nothing
  }
}

export const promised = (table: string): Promised => read()[table] ?? {};

/** The first one counts: whatever comes later could have been exchanged. */
export function keepCommitment(table: string, commitment: string): void {
  if (!promised(table).commitment) keep(table, { commitment });
}

/** Random characters that nobody else knows. */
export function shareFor(table: string): string {
  const known = promised(table).share;
  if (known) return known;
  const share = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  keep(table, { share });
  return share;
}
