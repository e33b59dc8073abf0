import type { Entry } from '../../i18n/shape';

export const words: Record<string, Entry> = {
  title: 'Szybka gra',
  lead: 'Wybierz grę i liczbę graczy: siadasz z kimś, kto czeka na to samo, albo czekasz na innych.',
  size: 'Liczba graczy',
  players: { one: '{n} gracz', few: '{n} graczy', many: '{n} graczy', other: '{n} gracza' },
  waiting: { one: 'czeka {n}', few: 'czekają {n}', many: 'czeka {n}', other: 'czeka {n}' },
  find: 'Znajdź stół',
  here: 'Jest {n} z {of}. Gra zacznie się sama, gdy będą wszyscy.',
  bots: 'Graj teraz z botami',
  bots_soon: 'Jeśli nikt nie przyjdzie, za {n} s możesz grać dalej z botami.'
};
