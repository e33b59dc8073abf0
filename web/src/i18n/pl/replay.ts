import type { replay as en } from '../en/replay';
import type { Same } from '../shape';

export const replay: Same<typeof en> = {
  title: 'Powtórka'
};
