import type { rules as en } from '../en/rules';
import type { Same } from '../shape';

export const rules: Same<typeof en> = {
  title: 'Regeln',
  of: 'Regeln: {game}',
  others: 'Andere Spiele',
  contents: 'Inhalt',
  seen: 'Was du siehst',
  learn: 'Beim Spielen lernen',
  cards: 'Alle Karten',
  age: 'ab {n} Jahren',
  examples: 'Beispiele',
  then: 'dann',
  try: 'Ausprobieren',
  try_label: 'Ausprobieren: {name}',
  close_try: 'Schließen',
  stage: 'Eine Stellung zum Ausprobieren: {name}',
  stage_lead:
    'Eine echte Stellung. Spiel hier, was du willst: Es gelten dieselben Regeln wie an jedem Tisch.',
  suggestion: 'Zu dieser Regel: {move}',
  show_me: 'Zeig es mir',
  start_over: 'Von vorn',
  seen_it: 'Das war’s. Fang von vorn an, und probier etwas anderes!',
  options: 'Optionen am Tisch',
  options_lead: 'Was ein Tisch anders festlegen kann.',
  own_words:
    'Mit unseren eigenen Worten. Wird ein Zug abgelehnt, steht dabei eine dieser Regelnummern (wie {id}).'
};
