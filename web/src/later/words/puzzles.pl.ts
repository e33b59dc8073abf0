import type { Entry } from '../../i18n/shape';

export const words: Record<string, Entry> = {
  title: 'Zagadki',
  lead: 'Pozycje z gier między botami. Jeden ruch jest ponad wszelką wątpliwość lepszy od innych: który?',
  of: { one: '{n} zagadka', few: '{n} zagadki', many: '{n} zagadek', other: '{n} zagadki' },
  none: 'Nie ma jeszcze zagadek',
  solved: 'rozwiązane: {n}',
  number: 'Zagadka {n} z {all}',
  seats: {
    one: '{n} gracz',
    few: '{n} gracze, jednym jesteś ty',
    many: '{n} graczy, jednym jesteś ty',
    other: '{n} gracza, jednym jesteś ty'
  },
  yours: 'Twój ruch: co jest najlepsze?',
  right: 'Dobrze!',
  wrong: 'Nie najlepiej',
  next: 'Następna zagadka',
  again: 'Spróbuj jeszcze raz',
  answer: 'Co mówi trener',
  other_games: 'Inne gry',
  solvers: {
    one: '{solved} z {n} gracza przed tobą rozwiązał od razu: potrafi to od {least} % do {most} %.',
    few: '{solved} z {n} graczy przed tobą rozwiązało od razu: potrafi to od {least} % do {most} %.',
    many: '{solved} z {n} graczy przed tobą rozwiązało od razu: potrafi to od {least} % do {most} %.',
    other:
      '{solved} z {n} gracza przed tobą rozwiązało od razu: potrafi to od {least} % do {most} %.'
  },
  thinking: 'Trener myśli …'
};
