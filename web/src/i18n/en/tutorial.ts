import type { Entry } from '../shape';

export const tutorial = {
  title: 'Tutorial'
} satisfies Record<string, Entry>;
