import type { Entry } from '../shape';

export const rules = {
  title: 'Rules'
} satisfies Record<string, Entry>;
