import type { rules as en } from '../en/rules';
import type { Same } from '../shape';

export const rules: Same<typeof en> = {
  title: 'Zasady'
};
