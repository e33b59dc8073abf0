import type { Entry } from '../../i18n/shape';

export const words: Record<string, Entry> = {
  hush: 'Nicht zeigen, was hier geschrieben wird',
  report: 'Melden',
  about: 'Worum geht es?',
  about_chat: 'Was geschrieben wurde',
  about_name: 'Den Namen',
  note: 'Etwas dazu? (freiwillig)',
  what_happens:
    'Wer diesen Server betreibt, kann deine Meldung lesen, mit den letzten Zeilen dieses Chats, und jemanden umbenennen oder stumm schalten. Am Tisch erfährt niemand davon.',
  send: 'Meldung abschicken',
  reported: {
    one: 'Gemeldet, mit {lines} Zeile aus dem Chat. Die Meldung wird gelöscht, wenn sie erledigt ist, spätestens nach {days} Tagen.',
    other:
      'Gemeldet, mit {lines} Zeilen aus dem Chat. Die Meldung wird gelöscht, wenn sie erledigt ist, spätestens nach {days} Tagen.'
  },
  nobody: 'Außer dir sind nur Bots hier.',
  talk: 'An diesem Tisch darf man',
  talk_free: 'alles sagen',
  talk_phrases: 'fertige Sätze sagen',
  talk_off: 'nichts sagen',
  words: 'Wörter, die hier abgelehnt werden; * steht für alles davor oder dahinter',
  save: 'Speichern',
  agreed: 'Gespeichert.'
};
