export const words = {
  title: 'Ratings',
  lead: 'How strong somebody plays a game, from every game that was played to its end, with people and with bots. A bot of the level “medium” has 1,000.',
  unsure:
    '± says how sure a number is: 95 times in 100 the truth lies within. The places go by the lower end.',
  place: 'Place',
  rating: 'Rating',
  games: 'Games',
  you: 'You',
  your_place: {
    one: 'place {place} of {of} after {n} game',
    other: 'place {place} of {of} after {n} games'
  },
  not_yet: 'You have no rating in this game yet.',
  nobody: 'Nobody has a rating in this game yet.',
  page: 'Page {page} of {pages}',
  before: 'Previous',
  after: 'Next',
  to_me: 'To my place',
  // On one's own page, and after a game
  own: 'My ratings',
  own_none: 'Play a game to its end, and your first rating stands here.',
  board: 'Leaderboard: {game}',
  stored:
    'Your ratings, and what each game changed. Your name and your ratings stand on the leaderboards, for everybody on this server.',
  stored_mark:
    'As long as a game goes on, a mark that shows whether two seats belong to one address; then it is deleted.',
  stored_quality: 'For each game how many decisions you made, and how many points they gave away.',
  changed: 'Rating: {value} ({change})',
  waiting: 'Your rating is being worked out …',
  unrated_practice: 'Not rated: this was a practice table.',
  unrated_daily: 'Not rated: this was the deal of the day.',
  unrated_coach: 'Not rated: hints were on at this table.',
  unrated_deck: 'Not rated: this table had cards of its own.',
  unrated_alone: 'Not rated: nobody at this table tells how strong you are.',
  unrated_same_person: 'Not rated: two seats belonged to one device or one address.',
  unrated_took_over: 'Not rated: you took over a seat after the start.',
  unrated_device_changed: 'Not rated: this device became yours after the start.',
  // Decisions, as a review judges them
  lost: {
    one: 'points a decision below the best, from {decisions} decision',
    other: 'points a decision below the best, from {decisions} decisions'
  },
  decisions: 'Points a decision below the best:',
  quality:
    'The smaller number: the points that a decision gives away, as the coach judges it in a review. 0 is the best; a game counts some minutes after its end.'
};
