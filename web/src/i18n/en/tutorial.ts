import type { Entry } from '../shape';

export const tutorial = {
  title: 'Learn a game',
  of: 'Your first game of {game}',
  lead: 'A real game against two gentle bots. While you play, you are told what to do now, and why.',
  start: 'Learn {game}',
  next: 'Got it',
  skip: 'Play on without help',
  step: '{at} of {of}',
  over: 'You know enough now: play on, and have fun!',
  finished: 'That was your first game of {game}. Now you know all of it that matters.',
  failed: 'The table could not be set up: {why}',
  quiet: 'Play on: I speak up when there is something new.'
} satisfies Record<string, Entry>;
