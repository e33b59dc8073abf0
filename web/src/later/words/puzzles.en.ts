export const words = {
  title: 'Puzzles',
  lead: 'Positions from games between bots. One move is better than all others, beyond doubt: which one?',
  of: { one: '{n} puzzle', other: '{n} puzzles' },
  none: 'No puzzles yet',
  solved: '{n} solved',
  number: 'Puzzle {n} of {all}',
  seats: { one: '{n} player', other: '{n} players, you are one of them' },
  yours: 'Your move: what is best?',
  right: 'Right!',
  wrong: 'Not the best',
  next: 'Next puzzle',
  again: 'Try it again',
  answer: 'What the coach says',
  other_games: 'Other games',
  solvers: {
    one: '{solved} of {n} player before you solved it at once: between {least} % and {most} % do.',
    other:
      '{solved} of {n} players before you solved it at once: between {least} % and {most} % do.'
  },
  thinking: 'The coach is thinking …'
};
