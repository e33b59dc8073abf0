/** Cards that fly: First, Last, Invert, Play with the Web Animations API.
 *
 *  Every card on the screen carries data-flip: `c43`, or `place#index` where it lies face down (`idOf`).  Places that
 *  show no single cards carry data-place, seats data-seat: cards that come from there or go there fly to them. */
import { tick } from 'svelte';

/** Where a flight begins or ends: a place, and the seat before which it lies. */
export interface End {
  place: string;
  seat: number | null;
}
export interface Flight {
  cards: number[];
  from: End;
  to: End;
}

interface Pose {
  x: number;
  y: number;
  width: number;
  turned: number;
}

export const idOf = (card: number, place: string, index: number): string =>
  card ? `c${card}` : `${place}#${index}`;

export const reducedMotion = (): boolean =>
  typeof matchMedia === 'function' && matchMedia('(prefers-reduced-motion: reduce)').matches;

export const wait = (ms: number): Promise<void> =>
  ms <= 0 ? Promise.resolve() : new Promise((done) => setTimeout(done, ms));

const LIFT = 26; // px that a card rises on its way
const FAR = 60; // px: shorter ways are slid, not flown

/** Changes the page and lets every card go from where it was to where it is now. */
export async function fly(mutate: () => void, flights: Flight[], duration: number): Promise<void> {
  const before = new Map<string, { pose: Pose; node: HTMLElement }>();
  for (const node of flipping()) before.set(flipOf(node), { pose: poseOf(node), node });
  mutate();
  await tick();
  if (duration <= 0) return;
  const still = reducedMotion();
  const origins = new Map<string, End>(
    flights.flatMap(({ cards, from }) =>
      cards.filter(Boolean).map((card): [string, End] => [`c${card}`, from])
    )
  );
  const running: Promise<unknown>[] = [];
  const now = new Set<string>();
  for (const node of flipping()) {
    const id = flipOf(node);
    now.add(id);
    const was = before.get(id)?.pose ?? anchorPose(origins.get(id), node);
    if (was && typeof node.animate === 'function')
      running.push(still ? fade(node, was) : travel(node, was, duration));
  }
  for (const { cards, to } of flights) {
    const leaving = cards
      .flatMap((card) => before.get(`c${card}`) ?? [])
      .filter((one) => !now.has(flipOf(one.node)));
    if (!still)
      leaving.forEach((one, at) => running.push(leave(one.node, one.pose, to, duration, at)));
  }
  await Promise.allSettled(running);
}

/** Whatever flies has arrived. */
export function land(): void {
  if (typeof document.getAnimations !== 'function') return;
  for (const flight of document.getAnimations()) if (flight.id === 'fly') flight.finish();
}

const flipping = (): NodeListOf<HTMLElement> =>
  document.querySelectorAll<HTMLElement>('[data-flip]');
const flipOf = (node: HTMLElement): string => node.dataset.flip ?? '';

function poseOf(node: HTMLElement): Pose {
  const box = node.getBoundingClientRect();
  const turned = parseFloat(getComputedStyle(node).rotate) || 0;
  return {
    x: box.left + box.width / 2,
    y: box.top + box.height / 2,
    width: node.offsetWidth,
    turned
  };
}

/** Where a place is on the screen: itself, or the seat that it belongs to. */
function anchorOf({ place, seat }: End): HTMLElement | null {
  const exact = document.querySelector<HTMLElement>(`[data-place="${place}"]`);
  if (exact || seat === null) return exact;
  return document.querySelector<HTMLElement>(`[data-seat="${seat}"]`);
}

function anchorPose(end: End | undefined, node: HTMLElement): Pose | null {
  const anchor = end ? anchorOf(end) : null;
  if (!anchor) return null;
  const box = anchor.getBoundingClientRect();
  return {
    x: box.left + box.width / 2,
    y: box.top + box.height / 2,
    width: node.offsetWidth * 0.4,
    turned: 0
  };
}

function shifted(node: HTMLElement): [number, number] {
  const [x, y] = getComputedStyle(node).translate.split(' ').map(parseFloat);
  return [x || 0, y || 0];
}

function fade(node: HTMLElement, was: Pose): Promise<unknown> {
  const is = poseOf(node);
  if (Math.hypot(was.x - is.x, was.y - is.y) < 1) return Promise.resolve();
  return node.animate({ opacity: [0.2, 1] }, { duration: 140 }).finished;
}

function travel(node: HTMLElement, was: Pose, duration: number): Promise<unknown> {
  const is = poseOf(node);
  const dx = was.x - is.x;
  const dy = was.y - is.y;
  const far = Math.hypot(dx, dy);
  if (far < 1 && Math.abs(was.turned - is.turned) < 0.2) return Promise.resolve();
  const [x, y] = shifted(node);
  const size = is.width ? was.width / is.width : 1;
  const flies = far > FAR;
  if (flies) node.classList.add('flying');
  const way = node.animate(
    [
      {
        translate: `${x + dx}px ${y + dy}px`,
        rotate: `${was.turned}deg`,
        scale: `${size}`,
        easing: 'cubic-bezier(.3,.1,.3,1)'
      },
      {
        offset: 0.45,
        translate: `${x + dx * 0.42}px ${y + dy * 0.42 - (flies ? LIFT : 0)}px`,
        rotate: `${(was.turned + is.turned) / 2}deg`,
        scale: `${(size + 1) / 2 + (flies ? 0.07 : 0)}`,
        easing: 'cubic-bezier(.2,.7,.2,1)'
      },
      { translate: `${x}px ${y}px`, rotate: `${is.turned}deg`, scale: '1' }
    ],
    { id: 'fly', duration: flies ? duration : duration * 0.7 }
  );
  return way.finished.finally(() => node.classList.remove('flying'));
}

/** A card that is no longer shown goes as a copy to the place that took it. */
function leave(
  node: HTMLElement,
  was: Pose,
  to: End,
  duration: number,
  at: number
): Promise<unknown> {
  const target = anchorOf(to)?.getBoundingClientRect();
  if (!target || typeof node.animate !== 'function') return Promise.resolve();
  const copy = node.cloneNode(true) as HTMLElement;
  copy.removeAttribute('data-flip');
  copy.setAttribute('aria-hidden', 'true');
  copy.inert = true;
  copy.classList.add('leaving');
  const height = was.width * 1.4;
  Object.assign(copy.style, {
    left: `${was.x - was.width / 2}px`,
    top: `${was.y - height / 2}px`,
    width: `${was.width}px`,
    height: `${height}px`
  });
  document.body.append(copy);
  const dx = target.left + target.width / 2 - was.x;
  const dy = target.top + target.height / 2 - was.y;
  const way = copy.animate(
    [
      { translate: '0 0', scale: '1', opacity: 1 },
      { offset: 0.28, translate: '0 -16px', scale: '1.06', opacity: 1 },
      {
        translate: `${dx}px ${dy}px`,
        scale: '.3',
        rotate: `${at % 2 ? -14 : 14}deg`,
        opacity: 0.35
      }
    ],
    {
      id: 'fly',
      duration: duration * 1.1,
      delay: at * duration * 0.09,
      easing: 'cubic-bezier(.5,0,.2,1)',
      fill: 'both'
    }
  );
  return way.finished.finally(() => copy.remove());
}
