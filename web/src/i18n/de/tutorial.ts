import type { tutorial as en } from '../en/tutorial';
import type { Same } from '../shape';

export const tutorial: Same<typeof en> = {
  title: 'Ein Spiel lernen',
  of: 'Deine erste Partie {game}',
  lead: 'Eine echte Partie gegen zwei sanfte Bots. Während du spielst, erfährst du, was jetzt zu tun ist und warum.',
  start: '{game} lernen',
  next: 'Verstanden',
  skip: 'Ohne Hilfe weiterspielen',
  step: '{at} von {of}',
  over: 'Jetzt weißt du genug: Spiel weiter, und viel Spaß!',
  finished: 'Das war deine erste Partie {game}. Jetzt kennst du alles, was wichtig ist.',
  failed: 'Der Tisch ließ sich nicht anlegen: {why}',
  quiet: 'Spiel weiter: Ich melde mich, wenn es etwas Neues gibt.'
};
