import type { review as en } from '../en/review';
import type { Same } from '../shape';

export const review: Same<typeof en> = {
  title: 'Analiza'
};
