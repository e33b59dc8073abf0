/** The deal of the day: what the server tells of it, and how a result is told on without showing a card. */
import { ask, type Seated } from '../lib/api';

export interface ScoreCount {
  score: number;
  players: number;
}
export interface DailyGame {
  game: string;
  best: 'fewest' | 'most';
  status: 'new' | 'playing' | 'finished' | 'late' | 'given_up';
  table: string | null;
  score: number | null;
  counted: boolean;
  expert: number | null;
  scores: ScoreCount[];
  line: { table: string; score: number; by: 'you' | 'player' | 'expert' } | null;
}
export interface Daily {
  day: string;
  seconds: number;
  commitment: string;
  published: { day: string; commitment: string };
  streak: number;
  games: DailyGame[];
  yesterday: { day: string; secret: string; games: DailyGame[] };
}

export const daily = () => ask<Daily>('/daily');
export const play = (game: string, name: string) => ask<Seated>(`/daily/${game}`, { name });

/** Whether the first is better, worse or as good: 1, -1, 0. */
export const compared = (best: DailyGame['best'], one: number, other: number): number =>
  Math.sign(best === 'fewest' ? other - one : one - other);

export interface Place {
  /** Others who did worse, and how many others there are. */
  ahead: number;
  others: number;
}
export function placeOf({ best, score, scores, counted }: DailyGame): Place {
  const own = score ?? 0;
  const count = (which: (one: ScoreCount) => boolean) =>
    scores.filter(which).reduce((sum, one) => sum + one.players, 0);
  return {
    ahead: count((one) => compared(best, own, one.score) > 0),
    others: count(() => true) - (counted ? 1 : 0)
  };
}

export interface Told {
  app: string;
  title: string;
  day: string;
  you: string;
  expert: string;
  score: number;
  expertScore: number | null;
  verdict: string;
  place: string;
  streak: string;
  scores: ScoreCount[];
  address: string;
}

/** To be shared: how well one did, and nothing of the cards. */
export const textOf = (told: Told): string =>
  [
    `${told.app} · ${told.title} · ${told.day}`,
    `${told.you}: ${told.score}` +
      (told.expertScore === null ? '' : ` – ${told.expert}: ${told.expertScore}`),
    told.verdict,
    told.place,
    told.streak,
    told.address
  ]
    .filter(Boolean)
    .join('\n');

export const WIDTH = 640;
export const HEIGHT = 400;
const HORNS =
  'M1.6 2.6C1.9 8.7 5.4 12 9.2 11.9h5.6c3.8.1 7.3-3.2 7.6-9.3' +
  '-2 3.3-4.7 4.7-7.6 4.6H9.2C6.3 7.3 3.6 5.900 1.6 2.6Z';
const FACE = 'M7 10.500 Q12 8.500 17 10.500 L15.500 19.500 Q12 23 8.500 19.500Z';

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The same as a picture of our own: an SVG that needs nothing else. */
export function pictureOf(told: Told): string {
  const words = (x: number, y: number, size: number, text: string, fill = '#fff8e7') =>
    `<text x="${x}" y="${y}" font-size="${size}" font-weight="700" fill="${fill}">` +
    `${escaped(text)}</text>`;
  const most = Math.max(1, ...told.scores.map((one) => one.players));
  const step = Math.min(36, 560 / Math.max(1, told.scores.length));
  const bars = told.scores.map(({ score, players }, at) => {
    const high = Math.max(4, (players / most) * 90);
    const fill = score === told.score ? '#ffd166' : '#7fb48a';
    const [x, y, wide] = [40 + at * step, 340 - high, step * 0.8].map((one) => one.toFixed(1));
    return `<rect x="${x}" y="${y}" width="${wide}" height="${high}" rx="3" fill="${fill}"/>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"`,
    ` viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" rx="28" fill="#23533a"/>`,
    `<g transform="translate(530 30) scale(3.2)" fill="#ffd166"><path d="${HORNS}"/><path d="${FACE}"/></g>`,
    words(40, 66, 34, told.title),
    words(40, 100, 22, told.day, '#cfe3d3'),
    words(40, 158, 40, `${told.you}: ${told.score}`, '#ffd166'),
    told.expertScore === null ? '' : words(40, 194, 24, `${told.expert}: ${told.expertScore}`),
    words(40, 226, 20, [told.verdict, told.place].filter(Boolean).join(' '), '#cfe3d3'),
    ...bars,
    words(40, 376, 20, [told.app, told.streak].filter(Boolean).join(' · ')),
    '</svg>'
  ].join('');
}

export const asAddress = (svg: string): string =>
  `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;

/** Painted: what other programs can show. */
export async function painted(svg: string): Promise<Blob> {
  const picture = new Image(WIDTH, HEIGHT);
  picture.src = asAddress(svg);
  await picture.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [WIDTH * 2, HEIGHT * 2];
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((done, fail) =>
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('no picture'))), 'image/png')
  );
}

/** To another program where the device can do that, else into a file. */
export async function shared(blob: Blob, name: string, text: string): Promise<void> {
  const file = new File([blob], name, { type: 'image/png' });
  if (navigator.canShare?.({ files: [file] })) {
    await navigator.share({ files: [file], text }).catch(() => {});
    return;
  }
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
