import type { Entry } from '../shape';

export const rules = {
  title: 'Rules',
  of: 'Rules: {game}',
  others: 'Other games',
  contents: 'Contents',
  seen: 'What you see',
  learn: 'Learn by playing',
  cards: 'All cards',
  age: 'from {n} years',
  examples: 'Examples',
  then: 'then',
  try: 'Try it',
  try_label: 'Try it: {name}',
  close_try: 'Close',
  stage: 'A position to try: {name}',
  stage_lead: 'A real position. Play what you like here: the same rules answer as at every table.',
  suggestion: 'For this rule: {move}',
  show_me: 'Show me',
  start_over: 'Start over',
  seen_it: 'That was it. Start over and try something else!',
  options: 'Table options',
  options_lead: 'What can be changed when a table is set up.',
  own_words: 'In our own words. A refused move quotes these ids (such as {id}).'
} satisfies Record<string, Entry>;
