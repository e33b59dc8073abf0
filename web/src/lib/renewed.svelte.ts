/** A page that stayed open while the server got a newer Bullpen: its files are gone, or the table speaks another way.
 *  Loading it again mends that; nothing is lost, as all games are on the server. */
const KEY = 'bullpen.renewed';
const SOON = 20_000; // ms: a page that would load again so soon turns in a circle
const AGAIN = 5000; // ms until a silent server is asked once more

class Renewal {
  /** `newer`: there is another version; `silent`: nobody answers, or only that it cannot. */
  state = $state<'' | 'newer' | 'silent'>('');

  /** Something of this page could not be had: why, and what now? */
  look = async (): Promise<void> => {
    if (await answers()) {
      this.state = 'newer';
      this.#loadOnce();
    } else if (this.state !== 'silent') await this.#waitForAnswer();
  };
  load = (): void => {
    keepLoaded();
    location.reload();
  };

  /** The server was only away; what could not be had meanwhile comes with the page. */
  async #waitForAnswer() {
    this.state = 'silent';
    do {
      await new Promise((done) => setTimeout(done, AGAIN));
    } while (!(await answers()));
    this.state = '';
    this.#loadOnce();
  }

  #loadOnce() {
    if (Date.now() - lastLoaded() > SOON) this.load();
  }
}

const answers = (): Promise<boolean> =>
  fetch('/healthz', { cache: 'no-store' }).then(
    (answer) => answer.ok,
    () => false
  );

function keepLoaded(): void {
  try {
    sessionStorage.setItem(KEY, String(Date.now()));
  } catch {
    // a device that remembers nothing
  }
}

function lastLoaded(): number {
  try {
    return Number(sessionStorage.getItem(KEY));
  } catch {
    return Date.now(); // nobody knows: only a person may load it again, or it could turn in a circle
  }
}

export const renewal = new Renewal();
addEventListener('vite:preloadError', () => void renewal.look());
