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

const isLost = (node: Element | null): boolean =>
  node === null || node === document.body || !node.isConnected;

/** An attachment for the page of a table. */
export function keepsFocus(room: HTMLElement): () => void {
  let hadIt = false;
  let asked = 0;
  const noted = () => (hadIt = true);
  const mend = () => {
    if (!hadIt || !isLost(document.activeElement) || document.querySelector('dialog[open]')) return;
    const next = WANTED.map((what) => room.querySelector<HTMLElement>(what)).find(Boolean);
    next?.focus({ preventScroll: true });
  };
  // A button that is disabled loses the focus only when the page is drawn.
  const look = () => {
    cancelAnimationFrame(asked);
    asked = requestAnimationFrame(() => (asked = requestAnimationFrame(mend)));
  };
  const watch = new MutationObserver(look);
  const attributeFilter = ['disabled', 'open'];
  watch.observe(document.body, { childList: true, subtree: true, attributeFilter });
  room.addEventListener('focusin', noted);
  return () => {
    watch.disconnect();
    cancelAnimationFrame(asked);
    room.removeEventListener('focusin', noted);
  };
}
