import type { Entry } from '../shape';

export const review = {
  title: 'Review',
  of: 'Review: {game}',
  thinking:
    'The coach is going through the game, decision by decision. That takes a minute or two; this page shows it as soon as it is done.',
  seat: 'Whose game',
  lead_now: 'At the end: {lead} points against the mean of the others.',
  because: 'How it came about',
  deal: 'Luck of the deal',
  deal_about: 'what the cards promised before the first choice',
  play: 'What happened',
  play_about: 'cards that came, and how the others played',
  skill: 'Own decisions',
  skill_about: 'compared with random play',
  sum: 'Lead at the end',
  lost: {
    one: 'Clear mistakes cost about {points} point.',
    other: 'Clear mistakes cost about {points} points.'
  },
  no_lost: 'No clear mistake.',
  chart: 'Expected lead, decision by decision',
  chart_told: 'From {first} at the start to {last} at the end; mistakes at decisions {mistakes}.',
  chart_told_none: 'From {first} at the start to {last} at the end; no clear mistakes.',
  mistakes: 'What could have been better',
  none: 'Nothing: every decision was fine, as far as the coach can tell.',
  grade_inaccuracy: 'inaccuracy',
  grade_mistake: 'mistake',
  grade_blunder: 'blunder',
  counts: 'Of {all} decisions that left a choice, {fine} were fine.',
  played: 'Played: {move}',
  better: 'Better: {move}',
  cost: {
    one: 'cost about {points} point (± {error})',
    other: 'cost about {points} points (± {error})'
  },
  cost_exact: {
    one: 'cost exactly {points} point: this was solved',
    other: 'cost exactly {points} points: this was solved'
  },
  where: 'Round {round}, {name}, decision {at} of {of}',
  where_game: 'Game {round}, {name}, decision {at} of {of}',
  where_you: 'Round {round}, your decision {at} of {of}',
  where_game_you: 'Game {round}, your decision {at} of {of}',
  look: 'Look at the position',
  all: 'All candidates',
  estimate:
    'These are estimates from many simulated games. A difference within the error is no difference.',
  // Candidates, also in the coach's panel
  candidates: 'Expected lead of each candidate',
  lead: '{lead} ± {error}',
  best: 'best',
  as_good: 'as good',
  yours: 'played',
  coach_says: 'The coach says: {move}',
  coach_even: 'Several are as good as each other.',
  coach_play: 'Do that',
  coach_more: 'The bar is the expected lead over the mean of the others; the thin line its error.',
  coach_first:
    'Ask, and the coach plays this position through a few thousand times, knowing only what you know.',
  memory_hand: '{name}: surely in hand',
  memory_pile: '{name}: taken',
  memory_stack: 'In the stack under the {top}',
  memory_none: 'Every card shown so far is still visible; covered ones will be listed here.',
  remembered: 'What you could remember'
} satisfies Record<string, Entry>;
