import type { Entry } from '../../i18n/shape';

export const words: Record<string, Entry> = {
  title: 'Schnelles Spiel',
  lead: 'Wähle ein Spiel und wie viele mitspielen: Du setzt dich zu jemandem, der auf dasselbe wartet, oder wartest selbst.',
  size: 'Spieler',
  players: { one: '{n} Spieler', other: '{n} Spieler' },
  waiting: { one: '{n} wartet', other: '{n} warten' },
  find: 'Tisch finden',
  here: '{n} von {of} sind da. Es beginnt von selbst, wenn alle da sind.',
  bots: 'Jetzt mit Bots spielen',
  bots_soon: 'Wenn niemand kommt, kannst du in {n} s mit Bots weitermachen.'
};
