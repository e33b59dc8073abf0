/** The game that this device was playing last, until it is over: the first page leads back to it. */
export interface Running {
  table: string;
  title: string;
}

const KEY = 'bullpen.running';

export function keepRunning(running: Running | null): void {
  try {
    if (running) localStorage.setItem(KEY, JSON.stringify(running));
    else localStorage.removeItem(KEY);
  } catch {
    // a device that remembers nothing
  }
}

export function running(): Running | null {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? 'null') as Running | null;
  } catch {
    return null;
  }
}
