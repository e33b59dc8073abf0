/** A page that stayed open while the server got a newer Bullpen: its files are gone, or the table speaks another way.
 *  Loading it again mends that; nothing is lost, as all games are on the server. */
const KEY = 'bullpen.renewed';
const SOON = 20_000; // ms: a page that would load again so soon turns in a circle

class Renewal {
  /** `newer`: there is another version; `silent`: nobody answers at all. */
  state = $state<'' | 'newer' | 'silent'>('');

  /** Something of this page could not be had: why, and what now? */
  look = async (): Promise<void> => {
    const answers = await fetch('/healthz', { cache: 'no-store' }).then(() => true, () => false);
    this.state = answers ? 'newer' : 'silent';
    if (answers && Date.now() - Number(sessionStorage.getItem(KEY)) > SOON) this.load();
  };
  load = (): void => {
    sessionStorage.setItem(KEY, String(Date.now()));
    location.reload();
  };
}

export const renewal = new Renewal();
addEventListener('vite:preloadError', () => void renewal.look());
