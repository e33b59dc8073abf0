import type { Entry } from '../../i18n/shape';

export const words: Record<string, Entry> = {
  title: 'Spielstärken',
  lead: 'Wie stark jemand ein Spiel spielt, aus jeder Partie, die zu Ende gespielt wurde, mit Menschen und mit Bots. Ein Bot der Stufe „mittel“ hat 1.000.',
  unsure:
    '± sagt, wie sicher eine Zahl ist: 95 von 100 Mal liegt die Wahrheit darin. Die Plätze richten sich nach dem unteren Ende.',
  place: 'Platz',
  rating: 'Spielstärke',
  games: 'Partien',
  you: 'Du',
  your_place: {
    one: 'Platz {place} von {of} nach {n} Partie',
    other: 'Platz {place} von {of} nach {n} Partien'
  },
  not_yet: 'In diesem Spiel ist deine Spielstärke noch nicht bekannt.',
  nobody: 'In diesem Spiel ist noch niemandes Spielstärke bekannt.',
  page: 'Seite {page} von {pages}',
  before: 'Zurück',
  after: 'Weiter',
  to_me: 'Zu meinem Platz',
  own: 'Meine Spielstärken',
  own_none: 'Spiel eine Partie zu Ende, und hier steht zum ersten Mal deine Spielstärke.',
  board: 'Rangliste: {game}',
  stored:
    'Deine Spielstärken, und was jede Partie daran geändert hat. Dein Name und deine Spielstärken stehen auf den Ranglisten, für alle auf diesem Server.',
  stored_mark:
    'Solange eine Partie läuft, ein Zeichen, an dem man sieht, ob zwei Plätze zu einer Adresse gehören; danach wird es gelöscht.',
  stored_quality:
    'Zu jeder Partie, wie viele Entscheidungen du getroffen hast und wie viele Punkte sie verschenkt haben.',
  changed: 'Spielstärke: {value} ({change})',
  waiting: 'Deine Spielstärke wird berechnet …',
  unrated_practice: 'Nicht gewertet: Das war ein Übungstisch.',
  unrated_daily: 'Nicht gewertet: Das war die Partie des Tages.',
  unrated_coach: 'Nicht gewertet: An diesem Tisch waren Tipps eingeschaltet.',
  unrated_deck: 'Nicht gewertet: An diesem Tisch wurde mit eigenen Karten gespielt.',
  unrated_alone: 'Nicht gewertet: An diesem Tisch war niemand, an dem man dich messen könnte.',
  unrated_same_person: 'Nicht gewertet: Zwei Plätze gehörten zu einem Gerät oder einer Adresse.',
  unrated_took_over: 'Nicht gewertet: Du hast einen Platz nach dem Beginn übernommen.',
  unrated_device_changed: 'Nicht gewertet: Dieses Gerät ist erst nach dem Beginn deins geworden.',
  // Entscheidungen, wie eine Analyse sie beurteilt
  lost: {
    one: 'Punkte je Entscheidung unter der besten, aus {decisions} Entscheidung',
    other: 'Punkte je Entscheidung unter der besten, aus {decisions} Entscheidungen'
  },
  decisions: 'Punkte je Entscheidung unter der besten:',
  quality:
    'Die kleinere Zahl: die Punkte, die eine Entscheidung verschenkt, wie der Trainer sie in einer Analyse beurteilt. 0 ist am besten; eine Partie zählt einige Minuten nach ihrem Ende.'
};
