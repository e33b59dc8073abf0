import { common } from './common';
import { lobby } from './lobby';
import { mine } from './mine';
import { table } from './table';
import { games } from './games';
import { replay } from './replay';
import { review } from './review';
import { rules } from './rules';
import { tutorial } from './tutorial';
import ofGames from './of-games.json';

export const pl = {
  common,
  lobby,
  mine,
  table,
  games,
  replay,
  review,
  rules,
  tutorial,
  ...ofGames
};
