import type { tutorial as en } from '../en/tutorial';
import type { Same } from '../shape';

export const tutorial: Same<typeof en> = {
  title: 'Samouczek'
};
