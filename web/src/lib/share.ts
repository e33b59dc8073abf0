/** One's own share in the deal (docs/fair.md): drawn here, sealed before the start, opened when everybody's seal
 *  stands. */
import { commitmentOf, hexOf } from './fair';
import { keep, promised } from './promises';

type Listed = (string | null)[];

/** Random bytes that nobody else knows. */
export function shareFor(table: string): string {
  const { share, list } = promised(table);
  if (share && !list) return share;
  // One that has been opened is no secret any more: a table that begins anew gets another one.
  const drawn = hexOf(crypto.getRandomValues(new Uint8Array(32)));
  keep(table, {
    share: drawn,
    sealed: undefined,
    taken: undefined,
    list: undefined,
    opened: undefined
  });
  return drawn;
}

/** The commitment to one's share, at this seat. */
export function sealedFor(table: string, seat: number): string {
  const sealed = commitmentOf(table, seat, shareFor(table));
  if (promised(table).sealed !== sealed) keep(table, { sealed, seat, taken: undefined });
  return sealed;
}

/** The server keeps this commitment for one's seat: one's own, or that of another device which sits there too. */
export function takenFor(table: string, commitment: string): boolean {
  const taken = promised(table).sealed === commitment;
  keep(table, { taken });
  return taken;
}

/** The share to be opened, if it is safe: under the seal that was seen before, under one list alone, and with one's own
 *  commitment in it.  Otherwise somebody could choose theirs when they know ours. */
export function toOpen(
  table: string,
  seat: number,
  commitment: string,
  list: Listed
): string | null {
  const known = promised(table);
  if (!known.share || known.commitment !== commitment || (known.list && !same(known.list, list)))
    return null;
  if (list[seat] !== commitmentOf(table, seat, known.share)) return null;
  keep(table, { list });
  return known.share;
}

export const markOpened = (table: string): void => keep(table, { opened: true });

export const same = (one: Listed, other: Listed): boolean =>
  one.length === other.length && one.every((entry, at) => entry === other[at]);

/** What became of it.  `in`: it counted.  `dropped`: this device opened it, and it is told as not opened.
 *  `missed`: this device was away when it should have been opened.  `exchanged`: what is told now is not what this
 *  device was told before. */
export type Fate = 'none' | 'in' | 'dropped' | 'missed' | 'exchanged';

interface Told {
  commitment: string | null;
  commitments: Listed | null;
  shares: Listed | null;
  unopened: number[] | null;
}

export function fateOf(table: string, fair: Told): Fate {
  const { commitment, share, sealed, seat, taken, list, opened } = promised(table);
  if (!taken || seat === undefined || !fair.commitments || !fair.shares) return 'none';
  if (
    commitment !== fair.commitment ||
    fair.commitments[seat] !== sealed ||
    (list && !same(list, fair.commitments))
  )
    return 'exchanged';
  if (fair.unopened?.includes(seat)) return opened ? 'dropped' : 'missed';
  return fair.shares[seat] === share ? 'in' : 'exchanged';
}
