import type { rules as en } from '../en/rules';
import type { Same } from '../shape';

export const rules: Same<typeof en> = {
  title: 'Zasady',
  of: 'Zasady: {game}',
  others: 'Inne gry',
  contents: 'Spis treści',
  seen: 'Co widać',
  learn: 'Naucz się, grając',
  cards: 'Wszystkie karty',
  age: 'od {n} lat',
  examples: 'Przykłady',
  then: 'potem',
  try: 'Wypróbuj',
  try_label: 'Wypróbuj: {name}',
  close_try: 'Zamknij',
  stage: 'Pozycja do wypróbowania: {name}',
  stage_lead:
    'Prawdziwa pozycja. Zagraj tu, co chcesz: odpowiadają te same zasady co przy każdym stole.',
  suggestion: 'Do tej zasady: {move}',
  show_me: 'Pokaż mi',
  start_over: 'Od nowa',
  seen_it: 'To wszystko. Zacznij od nowa i spróbuj czegoś innego!',
  options: 'Opcje stołu',
  options_lead: 'Co można zmienić, przygotowując stół.',
  own_words: 'Naszymi słowami. Odrzucony ruch powołuje się na te numery (na przykład {id}).'
};
