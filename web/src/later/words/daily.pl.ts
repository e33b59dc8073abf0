import type { Entry } from '../../i18n/shape';

export const words: Record<string, Entry> = {
  lead: 'Co dzień jedno rozdanie w każdej grze: dla wszystkich te same karty i te same boty. Liczy się jedna próba, pierwsza.',
  next: 'Następne rozdania za {time}',
  streak: {
    one: '{n} dzień z rzędu',
    few: '{n} dni z rzędu',
    many: '{n} dni z rzędu',
    other: '{n} dnia z rzędu'
  },
  no_streak: 'Zagraj dziś, a zacznie się twoja seria.',
  today: 'Dziś, {day}',
  yesterday: 'Wczoraj, {day}',
  play: 'Graj',
  go_on: 'Graj dalej',
  given_up: 'Poddane. Jutro będzie nowe.',
  late: 'Skończone po końcu dnia: twój wynik nie liczy się wśród innych.',
  not_counted:
    'Zanim to rozdanie dobiegło u ciebie końca, zaczął w nie grać ktoś inny z twojej sieci: twój wynik nie liczy się wśród innych.',
  not_played: 'Nie masz tu wyniku.',
  nobody: 'Nikt w nie nie zagrał.',
  you: 'Ty',
  expert: 'Ekspert',
  expert_plays: 'jeszcze gra',
  ahead: 'Lepiej niż ekspert!',
  even: 'Tak dobrze jak ekspert.',
  behind: 'Tym razem ekspert był lepszy.',
  all: 'Wszyscy, którzy zagrali',
  bar: {
    one: '{n} osoba z wynikiem {score}',
    few: '{n} osoby z wynikiem {score}',
    many: '{n} osób z wynikiem {score}',
    other: '{n} osoby z wynikiem {score}'
  },
  among: 'Lepiej niż {n} z {all} pozostałych',
  alone: 'To pierwszy wynik w tym rozdaniu.',
  fewest: 'Najlepiej mieć najmniej punktów.',
  most: 'Najlepiej mieć najwięcej punktów.',
  copy: 'Kopiuj tekst',
  copied: 'Skopiowano.',
  by_hand: 'Skopiuj ten tekst:',
  picture: 'Obrazek',
  picture_alt: 'Twój wynik jako obrazek: {text}',
  spoils: 'Tekst i obrazek nie pokazują żadnej karty.',
  best: 'Najlepsza znaleziona gra',
  best_you: 'twoja',
  best_player: 'kogoś z graczy',
  best_expert: 'eksperta',
  replay: 'Powtórka',
  check: 'Sprawdź rozdanie',
  mine: 'Moja gra',
  fixed: 'Ustalone wcześniej',
  fixed_how:
    'Pierwszego dnia ten serwer ogłosił jeden skrót, który ustala rozdania wszystkich następnych dni. Sekret dnia jest ogłaszany, gdy dzień minie; musi prowadzić do tego skrótu, co sprawdza „bullpen verify”.',
  fixed_since: 'Ogłoszono na {day}',
  fixed_today: 'Skrót dzisiejszej tajemnicy',
  points: {
    one: '{n} punkt',
    few: '{n} punkty',
    many: '{n} punktów',
    other: '{n} punktu'
  }
};
