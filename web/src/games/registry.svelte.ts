/** What this client has of its own for a game, found by the name of its file: `boards/x-nimmt.svelte` shows where its
 *  places lie, and has its words (`kit`).  It does not have to be there. */
import type { Component } from 'svelte';
import type { Table } from '../lib/table.svelte';
import type { Kit } from './kit';

export interface BoardProps {
  table: Table;
}
interface Board {
  default: Component<BoardProps>;
  kit?: Kit;
}

const BOARDS = import.meta.glob<Board>('./boards/*.svelte');
const generic = (): Promise<Board> => import('./Generic.svelte');
const NONE: Kit = {};
let kits = $state.raw<Record<string, Kit>>({});

/** Fetched when a table of its game is opened; `?board=generic` shows what a game without a board looks like. */
export async function boardOf(game: string): Promise<Board> {
  const own = BOARDS[`./boards/${game}.svelte`];
  const board = own ? await own() : await generic();
  if (board.kit && !(game in kits)) kits = { ...kits, [game]: board.kit };
  const plain = /[?&]board=generic\b/.test(location.search);
  return plain ? generic() : board;
}

/** The words of a game, as soon as its board is there. */
export const kitOf = (game: string): Kit => kits[game] ?? NONE;
