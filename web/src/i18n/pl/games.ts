import type { games as en } from '../en/games';
import type { Same } from '../shape';

export const games: Same<typeof en> = {
  minutes: 'ok. {n} min',
  basis_established: 'karty jak w druku',
  basis_reconstruction: 'karty odtworzone',
  basis_own: 'własne karty',
  row_full: '{row}: {cards}; {heads}',
  would_go: 'Trafi tutaj: {place}.',
  would_lay: 'Położysz ją zakrytą; co z tego wyniknie, zależy też od innych.',
  would_begin: 'Zacznie nowy stosik.',
  would_take_from: 'Zabierzesz: {place}, {heads}.',
  would_choose: 'Potem wybierzesz: {places}.',
  would_choose_then: 'Potem wybierzesz dalej.',
  would_land: 'Trafi do rzędu {row}.',
  would_take: 'Zabierze rząd {row}: {heads}!',
  take: 'Zabieram',
  here: 'Tutaj',
  round_of: 'Runda {round} z {of}',
  game_of: 'Gra {round} z {of}',
  draw_left: {
    one: '{n} karta do dobrania',
    few: '{n} karty do dobrania',
    many: '{n} kart do dobrania',
    other: '{n} karty do dobrania'
  },
  cards_taken: {
    one: '{n} zabrana karta',
    few: '{n} zabrane karty',
    many: '{n} zabranych kart',
    other: '{n} zabranej karty'
  },
  place_row: 'Rząd',
  place_pile: 'Stosik',
  place_hand: 'Ręka',
  place_draw: 'Stos dobierania',
  place_laid: 'Odkryte karty',
  place_bulls: 'Karty byka',
  pile_says: 'Stosik {cards}: {heads}',
  empty: 'pusto',
  table_of: 'Stół',
  tally: 'Skąd wzięły się punkty',
  choose_where: 'Teraz wybierz miejsce',
  new_pile: 'Nowy stosik',
  main_pile: 'najbogatszy stosik',
  no_piles: 'jeszcze bez stosiku',
  new_card: 'nowa'
};
