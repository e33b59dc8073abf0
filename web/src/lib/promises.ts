/** What this device remembers of a table's deal, to check it after the game (docs/fair.md). */
export interface Promised {
  /** Of the server, as it was published before the game. */
  commitment?: string;
  /** One's own share in the deal; nobody else knows it before it is opened. */
  share?: string;
  /** The commitment to it, and the seat that it is for. */
  sealed?: string;
  seat?: number;
  /** The server has said that it stands. */
  taken?: boolean;
  /** Everybody's commitments, as told before one's own share was opened. */
  list?: (string | null)[];
  /** The share was sent. */
  opened?: boolean;
}

const KEY = 'bullpen.promises';
const KEPT = 40; // tables
let unkept = '{}'; // on a device that remembers nothing: at least as long as the page is open

function read(): Record<string, Promised> {
  let kept: string;
  try {
    kept = localStorage.getItem(KEY) ?? unkept;
  } catch {
    kept = unkept;
  }
  try {
    return JSON.parse(kept) as Record<string, Promised>;
  } catch {
    return {};
  }
}

function write(all: Record<string, Promised>): void {
  const text = JSON.stringify(all);
  try {
    localStorage.setItem(KEY, text);
    unkept = '{}';
  } catch {
    unkept = text;
  }
}

export function keep(table: string, news: Promised): void {
  const { [table]: known, ...others } = read();
  const all: [string, Promised][] = [...Object.entries(others), [table, { ...known, ...news }]];
  write(Object.fromEntries(all.slice(-KEPT)));
}

export const promised = (table: string): Promised => read()[table] ?? {};

/** The first one counts: whatever comes later could have been exchanged. */
export function keepCommitment(table: string, commitment: string): void {
  if (!promised(table).commitment) keep(table, { commitment });
}
