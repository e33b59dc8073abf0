export const words = {
  title: 'Quick match',
  lead: 'Choose a game and how many play: you sit down with whoever waits for the same, or wait for them.',
  size: 'Players',
  players: { one: '{n} player', other: '{n} players' },
  waiting: { one: '{n} waits', other: '{n} wait' },
  find: 'Find a table',
  here: '{n} of {of} are here. It starts by itself when all are.',
  bots: 'Play with bots now',
  bots_soon: 'If nobody comes, you can go on with bots in {n} s.'
};
