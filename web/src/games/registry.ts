/** One component a game: where its places lie on the screen.  Each is fetched when a table of its game is opened. */
import type { Component } from 'svelte';
import type { Table } from '../lib/table.svelte';

export interface BoardProps {
  table: Table;
}
type Loaded = Promise<{ default: Component<BoardProps> }>;

const BOARDS: Record<string, () => Loaded> = {
  hornochsen: () => import('./Hornochsen.svelte'),
  'eleven-nimmt': () => import('./ElevenNimmt.svelte'),
  'x-nimmt': () => import('./XNimmt.svelte'),
  'baron-oxx': () => import('./BaronOxx.svelte'),
  bullenparty: () => import('./Bullenparty.svelte'),
  'six-nimmt': () => import('./SixNimmt.svelte')
};

export const boardOf = (game: string): Loaded => BOARDS[game]();
export const GAME_IDS = ['six-nimmt', 'x-nimmt', 'baron-oxx', 'hornochsen', 'eleven-nimmt', 'bullenparty'];
