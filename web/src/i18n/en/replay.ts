import type { Entry } from '../shape';

export const replay = {
  title: 'Replay'
} satisfies Record<string, Entry>;
