import type { tutorial as en } from '../en/tutorial';
import type { Same } from '../shape';

export const tutorial: Same<typeof en> = {
  title: 'Naucz się gry',
  of: 'Twoja pierwsza gra w {game}',
  lead: 'Prawdziwa gra z dwoma łagodnymi botami. W trakcie dowiesz się, co teraz zrobić i dlaczego.',
  start: 'Naucz się grać w {game}',
  next: 'Jasne',
  skip: 'Graj dalej bez pomocy',
  step: '{at} z {of}',
  over: 'Wiesz już dość: graj dalej i baw się dobrze!',
  finished: 'To była twoja pierwsza gra w {game}. Znasz już wszystko, co ważne.',
  failed: 'Nie udało się przygotować stołu: {why}',
  quiet: 'Graj dalej: odezwę się, gdy pojawi się coś nowego.'
};
