import type { Kit } from '../kit';
import { baronOxx } from './baron-oxx';
import { bullenparty } from './bullenparty';
import { elevenNimmt } from './eleven-nimmt';
import { hornochsen } from './hornochsen';
import { sixNimmt } from './six-nimmt';
import { xNimmt } from './x-nimmt';

const KITS: Record<string, Kit> = {
  hornochsen,
  'eleven-nimmt': elevenNimmt,
  'x-nimmt': xNimmt,
  'baron-oxx': baronOxx,
  bullenparty,
  'six-nimmt': sixNimmt
};

export const kitOf = (game: string): Kit | null => KITS[game] ?? null;
