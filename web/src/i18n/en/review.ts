import type { Entry } from '../shape';

export const review = {
  title: 'Review'
} satisfies Record<string, Entry>;
