import type { words as english } from './push.en';

export const words: typeof english = {
  title: 'Powiadomienia',
  lead: 'Przy stołach na dni to urządzenie dowie się, że to twój ruch: raz na stół, aż przyjdziesz. Nigdy nie ma w tym żadnej karty.',
  on: 'Powiadomienia na tym urządzeniu są włączone.',
  off: 'Powiadomienia na tym urządzeniu są wyłączone.',
  denied:
    'Ta przeglądarka ma nie pokazywać powiadomień tej strony; można to zmienić w jej ustawieniach.',
  impossible:
    'Ta przeglądarka tu tego nie potrafi. Strona musi być otwarta przez https; na iPhonie i iPadzie najpierw dodaj ją do ekranu początkowego.',
  switch_on: 'Powiadamiaj mnie',
  switch_off: 'Nie powiadamiaj mnie',
  ask_title: 'Powiadomić cię?',
  ask: 'Inni mają na decyzję całe dni. To urządzenie może dać znać, gdy znów będzie twój ruch: raz, aż przyjdziesz, i nigdy z kartą w treści. Wyłączysz to na stronie „Kim jestem”.',
  no: 'Nie, dziękuję',
  stored:
    'Zapisane w tym celu, aż to wyłączysz: adres, który twoja przeglądarka podaje dla tego urządzenia. To, co tam trafia, jest zaszyfrowane tylko dla niej.'
};
