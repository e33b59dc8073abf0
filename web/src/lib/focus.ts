/** Who plays by keys never has to look for the table anew: when what had the focus is gone, or may not be pressed any
 *  more, the next thing to press has it. */

/** What can be pressed, the most wanted first.  A card of the hand is there also while nothing may be played. */
const WANTED = [
  '[data-card][aria-disabled="false"][tabindex="0"]',
  '[data-card][aria-disabled="false"]',
  'main .choose',
  'footer .acts button:enabled',
  '[data-card][tabindex="0"]',
  'header a'
];

/** Also where it cannot be pressed any more: the browser takes the focus from there, sooner or later. */
const isLost = (node: Element | null): boolean =>
  node === null || node === document.body || !node.isConnected || node.matches(':disabled');

const AGAIN_MS = 100; // until another try: a card that flies cannot have the focus yet

let hadIt = false; // also at the table before: who plays again goes on by keys

/** An attachment for the page of a table. */
export function keepsFocus(room: HTMLElement): () => void {
  let asked = 0;
  let again: ReturnType<typeof setTimeout> | undefined;
  const noted = () => (hadIt = true);
  const mend = () => {
    if (!hadIt || !isLost(document.activeElement) || document.querySelector('dialog[open]')) return;
    const next = WANTED.map((what) => room.querySelector<HTMLElement>(what)).find(Boolean);
    next?.focus({ preventScroll: true });
    if (next && isLost(document.activeElement)) again = setTimeout(mend, AGAIN_MS);
  };
  // A button that is disabled loses the focus only when the page is drawn.
  const look = () => {
    clearTimeout(again);
    cancelAnimationFrame(asked);
    asked = requestAnimationFrame(() => (asked = requestAnimationFrame(mend)));
  };
  const watch = new MutationObserver(look);
  const attributeFilter = ['disabled', 'open'];
  watch.observe(document.body, { childList: true, subtree: true, attributeFilter });
  room.addEventListener('focusin', noted);
  room.addEventListener('focusout', look);
  look();
  return () => {
    watch.disconnect();
    clearTimeout(again);
    cancelAnimationFrame(asked);
    room.removeEventListener('focusin', noted);
    room.removeEventListener('focusout', look);
  };
}
