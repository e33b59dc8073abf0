import type { Entry } from '../../i18n/shape';

export const words: Record<string, Entry> = {
  title: 'Klucze dostępu',
  lead: 'Klucz dostępu przechowuje twój telefon, komputer albo menedżer haseł. Dzięki niemu na innym urządzeniu jesteś tym samym graczem, bez kodu.',
  no_name:
    'Klucze dostępu tutaj nie działają: ten serwer otwarto pod adresem z cyfr, a klucz należy do nazwy. Użyj kodu.',
  not_safe:
    'Klucze dostępu tutaj nie działają: potrzebują adresu, który zaczyna się od https. Użyj kodu.',
  not_known: 'Ta przeglądarka nie zna kluczy dostępu. Użyj kodu.',
  add: 'Utwórz klucz dostępu',
  use: 'Już tu grałem: użyj mojego klucza',
  one: 'Klucz {number}, od {day}',
  last: 'ostatnio użyty {day}',
  remove: 'Usuń',
  added: 'Klucz dostępu jest gotowy.',
  used: 'Witaj ponownie, {name}.',
  removed: 'Tutaj jest usunięty. Możesz go usunąć także na swoim urządzeniu.',
  cancelled: 'Nic nie zmieniono.',
  here_already: 'To urządzenie ma już dla ciebie klucz dostępu.',
  stored:
    'Zapisane tutaj: klucz publiczny, który nie jest tajemnicą, kiedy go utworzono i ostatnio użyto.'
};
