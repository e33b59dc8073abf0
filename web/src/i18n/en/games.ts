import type { Entry } from '../shape';

export const games = {
  // One line each, for the lobby
  minutes: 'about {n} min',
  basis_established: 'cards as printed',
  basis_reconstruction: 'cards reconstructed',
  basis_own: 'your own cards',
  // At the table
  row_full: '{row}: {cards}; {heads}',
  would_go: 'It would go here: {place}.',
  would_lay: 'You would lay it face down; what comes of it depends on the others, too.',
  would_begin: 'It would begin a new pile.',
  would_take_from: 'You would take: {place}, {heads}.',
  would_choose: 'You would then choose: {places}.',
  would_choose_then: 'You would then choose further.',
  would_land: 'It would land in row {row}.',
  would_take: 'It would take row {row}: {heads}!',
  take: 'Take',
  here: 'Here',
  round_of: 'Round {round} of {of}',
  game_of: 'Game {round} of {of}',
  draw_left: { one: '{n} card to draw', other: '{n} cards to draw' },
  cards_taken: { one: '{n} card taken', other: '{n} cards taken' },
  // Places, for games without a board of their own
  place_row: 'Row',
  place_pile: 'Pile',
  place_hand: 'Hand',
  place_draw: 'Draw pile',
  place_laid: 'Revealed cards',
  place_bulls: 'Bull cards',
  pile_says: 'Pile {cards}: {heads}',
  empty: 'empty',
  table_of: 'The table',
  // How the points came about
  tally: 'How the points came about',
  choose_where: 'Now choose where',
  new_pile: 'New pile',
  main_pile: 'the richest pile',
  no_piles: 'no pile yet',
  new_card: 'new'
} satisfies Record<string, Entry>;
