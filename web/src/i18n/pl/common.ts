import type { common as en } from '../en/common';
import type { Same } from '../shape';

export const common: Same<typeof en> = {
  app: 'Bullpen',
  card: 'Karta {card}, {shows}',
  face_down: 'Zakryta karta',
  special_card: 'Karta specjalna {card}',
  zero_card: 'Karta zero {card}',
  bull_card: 'Karta byka',
  bull_card_with: 'Karta byka, {shows}',
  heads: {
    one: '{n} bycza głowa',
    few: '{n} bycze głowy',
    many: '{n} byczych głów',
    other: '{n} byczej głowy'
  },
  green_heads: {
    one: '{n} zielona głowa, dobra',
    few: '{n} zielone głowy, dobre',
    many: '{n} zielonych głów, dobrych',
    other: '{n} zielonej głowy'
  },
  red_heads: {
    one: '{n} czerwona głowa, zła',
    few: '{n} czerwone głowy, złe',
    many: '{n} czerwonych głów, złych',
    other: '{n} czerwonej głowy'
  },
  bulls: { one: '{n} byk', few: '{n} byki', many: '{n} byków', other: '{n} byka' },
  minus_points: {
    one: '{n} punkt ujemny',
    few: '{n} punkty ujemne',
    many: '{n} punktów ujemnych',
    other: '{n} punktu ujemnego'
  },
  points: { one: '{n} punkt', few: '{n} punkty', many: '{n} punktów', other: '{n} punktu' },
  cards: { one: '{n} karta', few: '{n} karty', many: '{n} kart', other: '{n} karty' },
  cards_in_hand: {
    one: '{n} karta na ręce',
    few: '{n} karty na ręce',
    many: '{n} kart na ręce',
    other: '{n} karty na ręce'
  },
  blue: {
    one: '{n} niebieski byk',
    few: '{n} niebieskie byki',
    many: '{n} niebieskich byków',
    other: '{n} niebieskiego byka'
  },
  yellow: {
    one: '{n} żółty byk',
    few: '{n} żółte byki',
    many: '{n} żółtych byków',
    other: '{n} żółtego byka'
  },
  green: {
    one: '{n} zielony byk',
    few: '{n} zielone byki',
    many: '{n} zielonych byków',
    other: '{n} zielonego byka'
  },
  red: {
    one: '{n} czerwony byk',
    few: '{n} czerwone byki',
    many: '{n} czerwonych byków',
    other: '{n} czerwonego byka'
  },
  black: {
    one: '{n} czarny byk',
    few: '{n} czarne byki',
    many: '{n} czarnych byków',
    other: '{n} czarnego byka'
  },
  white: {
    one: '{n} biały byk',
    few: '{n} białe byki',
    many: '{n} białych byków',
    other: '{n} białego byka'
  },
  close: 'Zamknij',
  yes: 'Tak',
  no: 'Nie',
  home: 'Wszystkie gry',
  games: 'Gry',
  settings: 'Ustawienia',
  name: 'Twoje imię',
  language: 'Język',
  theme: 'Kolory',
  theme_meadow: 'Łąka',
  theme_dusk: 'Zmierzch',
  theme_barn: 'Stodoła',
  theme_daylight: 'Dzień',
  theme_contrast: 'Wysoki kontrast',
  speed: 'Animacje',
  speed_relaxed: 'wolne',
  speed_normal: 'zwykłe',
  speed_brisk: 'szybkie',
  speed_instant: 'wyłączone',
  sound: 'Dźwięki',
  loading: 'Chwileczkę…',
  failed: 'Nie udało się: {why}',
  not_found: 'Nie ma takiej strony.',
  no_game: 'Nie ma tu gry „{game}”. Wybierz jedną z tych.',
  newer:
    'Na serwerze jest nowszy Bullpen. Wczytaj stronę ponownie, aby grać dalej; żadna gra nie przepadnie.',
  load_again: 'Wczytaj ponownie',
  unofficial:
    'Nieoficjalny projekt fanów. Autorem gier jest Wolfgang Kramer (X nimmt! z Reinhardem Staupe, Baron Oxx z Michaelem Kieslingiem), wydawcą AMIGO.'
};
