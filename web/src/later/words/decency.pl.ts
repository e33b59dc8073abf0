import type { Entry } from '../../i18n/shape';

export const words: Record<string, Entry> = {
  hush: 'Ukryj, co pisze',
  report: 'Zgłoś',
  about: 'O co chodzi?',
  about_chat: 'O to, co zostało napisane',
  about_name: 'O imię',
  note: 'Chcesz coś dodać? (nieobowiązkowe)',
  what_happens:
    'Operator tego serwera może przeczytać twoje zgłoszenie z ostatnimi wierszami tego czatu i zmienić komuś imię albo go uciszyć. Przy stole nikt się o tym nie dowie.',
  send: 'Wyślij zgłoszenie',
  reported: {
    one: 'Zgłoszono, z {lines} wierszem czatu. Zgłoszenie zostanie usunięte po załatwieniu, najpóźniej po {days} dniach.',
    few: 'Zgłoszono, z {lines} wierszami czatu. Zgłoszenie zostanie usunięte po załatwieniu, najpóźniej po {days} dniach.',
    many: 'Zgłoszono, z {lines} wierszami czatu. Zgłoszenie zostanie usunięte po załatwieniu, najpóźniej po {days} dniach.',
    other:
      'Zgłoszono, z {lines} wiersza czatu. Zgłoszenie zostanie usunięte po załatwieniu, najpóźniej po {days} dniach.'
  },
  nobody: 'Poza tobą są tu tylko boty.',
  talk: 'Przy tym stole można mówić',
  talk_free: 'wszystko',
  talk_phrases: 'gotowe zwroty',
  talk_off: 'nic',
  words: 'Słowa, które są tu odrzucane; * oznacza cokolwiek przed lub za słowem',
  save: 'Zapisz',
  agreed: 'Zapisano.'
};
