import type { review as en } from '../en/review';
import type { Same } from '../shape';

export const review: Same<typeof en> = {
  title: 'Analyse',
  of: 'Analyse: {game}',
  thinking:
    'Der Trainer geht die Partie durch, Entscheidung für Entscheidung. Das dauert ein, zwei Minuten; sobald er fertig ist, erscheint die Analyse auf dieser Seite.',
  seat: 'Wessen Spiel',
  lead_now: 'Am Ende: {lead} Punkte gegenüber dem Durchschnitt der anderen.',
  because: 'Wie es dazu kam',
  deal: 'Kartenglück',
  deal_about: 'was die Karten vor der ersten Entscheidung versprachen',
  play: 'Spielglück',
  play_about: 'Karten, die kamen, und wie die anderen spielten',
  skill: 'Können',
  skill_about: 'die eigenen Entscheidungen, verglichen mit zufälligen',
  sum: 'Vorsprung am Ende',
  lost: {
    one: 'Klare Fehler kosteten etwa {points} Punkt.',
    other: 'Klare Fehler kosteten etwa {points} Punkte.'
  },
  no_lost: 'Kein klarer Fehler.',
  chart: 'Erwarteter Vorsprung, Entscheidung für Entscheidung',
  chart_told: 'Von {first} am Anfang bis {last} am Ende; Fehler bei Entscheidung {mistakes}.',
  chart_told_none: 'Von {first} am Anfang bis {last} am Ende; keine klaren Fehler.',
  mistakes: 'Was besser gewesen wäre',
  none: 'Nichts: Soweit der Trainer es beurteilen kann, war jede Entscheidung gut.',
  grade_inaccuracy: 'Ungenauigkeit',
  grade_mistake: 'Fehler',
  grade_blunder: 'grober Fehler',
  counts: 'Entscheidungen, bei denen es eine Wahl gab: {all}, davon gut: {fine}.',
  played: 'Gespielt: {move}',
  better: 'Besser: {move}',
  cost: {
    one: 'kostete etwa {points} Punkt (± {error})',
    other: 'kostete etwa {points} Punkte (± {error})'
  },
  cost_exact: {
    one: 'kostete genau {points} Punkt: Das ist durchgerechnet',
    other: 'kostete genau {points} Punkte: Das ist durchgerechnet'
  },
  where: 'Runde {round}, {name}, Entscheidung {at} von {of}',
  where_game: 'Partie {round}, {name}, Entscheidung {at} von {of}',
  where_you: 'Runde {round}, deine Entscheidung {at} von {of}',
  where_game_you: 'Partie {round}, deine Entscheidung {at} von {of}',
  look: 'Stellung ansehen',
  all: 'Alle Möglichkeiten',
  estimate:
    'Das sind Schätzungen aus vielen Probepartien. Ein Unterschied innerhalb des Fehlers ist kein Unterschied.',
  candidates: 'Erwarteter Vorsprung jeder Möglichkeit',
  lead: '{lead} ± {error}',
  best: 'am besten',
  as_good: 'ebenso gut',
  yours: 'gespielt',
  coach_says: 'Der Trainer rät: {move}',
  coach_even: 'Mehrere Möglichkeiten sind gleich gut.',
  coach_play: 'So spielen',
  coach_more:
    'Der Balken ist der erwartete Vorsprung vor dem Durchschnitt der anderen, die dünne Linie sein Fehler.',
  coach_first:
    'Frag, und der Trainer spielt diese Stellung ein paar Tausend Mal durch; dabei weiß er nur, was du weißt.',
  memory_hand: '{name}: sicher auf der Hand',
  memory_pile: '{name}: genommen',
  memory_stack: 'Im Stapel unter der {top}',
  memory_none:
    'Jede bisher gezeigte Karte ist noch zu sehen. Was später verdeckt wird, kannst du hier nachschlagen.',
  remembered: 'Was man sich merken konnte'
};
