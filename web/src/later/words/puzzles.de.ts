import type { Entry } from '../../i18n/shape';

export const words: Record<string, Entry> = {
  title: 'Rätsel',
  lead: 'Stellungen aus Partien zwischen Bots. Ein Zug ist zweifelsfrei besser als alle anderen: welcher?',
  of: { one: '{n} Rätsel', other: '{n} Rätsel' },
  none: 'Noch keine Rätsel',
  solved: '{n} gelöst',
  number: 'Rätsel {n} von {all}',
  seats: { one: '{n} Spieler', other: '{n} Spieler, du bist einer davon' },
  yours: 'Du bist am Zug: Was ist am besten?',
  right: 'Richtig!',
  wrong: 'Nicht das Beste',
  next: 'Nächstes Rätsel',
  again: 'Noch einmal versuchen',
  answer: 'Was der Trainer sagt',
  other_games: 'Andere Spiele',
  solvers: {
    one: '{solved} von {n} Person vor dir hat es auf Anhieb gelöst: Zwischen {least} % und {most} % können das.',
    other:
      '{solved} von {n} vor dir haben es auf Anhieb gelöst: Zwischen {least} % und {most} % können das.'
  },
  thinking: 'Der Trainer überlegt …'
};
