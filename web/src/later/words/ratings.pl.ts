import type { Entry } from '../../i18n/shape';

export const words: Record<string, Entry> = {
  title: 'Rankingi',
  lead: 'Jak dobrze ktoś gra w daną grę, na podstawie każdej gry rozegranej do końca, z ludźmi i z botami. Bot na poziomie „średni” ma 1000.',
  unsure:
    '± mówi, jak pewna jest liczba: 95 razy na 100 prawda leży w tych granicach. O miejscu decyduje dolna granica.',
  place: 'Miejsce',
  rating: 'Ranking',
  games: 'Gry',
  you: 'Ty',
  your_place: {
    one: 'miejsce {place} z {of} po {n} grze',
    few: 'miejsce {place} z {of} po {n} grach',
    many: 'miejsce {place} z {of} po {n} grach',
    other: 'miejsce {place} z {of} po {n} gry'
  },
  not_yet: 'W tej grze nie masz jeszcze rankingu.',
  nobody: 'W tej grze nikt nie ma jeszcze rankingu.',
  page: 'Strona {page} z {pages}',
  before: 'Poprzednia',
  after: 'Następna',
  to_me: 'Do mojego miejsca',
  own: 'Moje rankingi',
  own_none: 'Rozegraj grę do końca, a tutaj pojawi się twój pierwszy ranking.',
  board: 'Tabela najlepszych: {game}',
  stored:
    'Twoje rankingi i to, co zmieniła każda gra. Twoje imię i rankingi stoją w tabelach najlepszych i widzi je każdy na tym serwerze.',
  stored_mark:
    'Dopóki gra trwa: znacznik, po którym widać, czy dwa miejsca należą do jednego adresu; potem jest usuwany.',
  stored_quality: 'Do każdej gry: ile decyzji podjęto i ile punktów one oddały.',
  changed: 'Ranking: {value} ({change})',
  waiting: 'Twój ranking jest obliczany…',
  unrated_practice: 'Bez rankingu: to był stół do ćwiczeń.',
  unrated_daily: 'Bez rankingu: to było rozdanie dnia.',
  unrated_coach: 'Bez rankingu: przy tym stole były włączone podpowiedzi.',
  unrated_deck: 'Bez rankingu: przy tym stole grano własnymi kartami.',
  unrated_alone: 'Bez rankingu: przy tym stole nie ma z kim porównać twojej gry.',
  unrated_same_person: 'Bez rankingu: dwa miejsca należały do jednego urządzenia lub adresu.',
  unrated_took_over: 'Bez rankingu: miejsce zostało przejęte już po rozpoczęciu gry.',
  unrated_device_changed: 'Bez rankingu: to urządzenie stało się twoje dopiero po rozpoczęciu gry.',
  // Decyzje, tak jak ocenia je analiza
  lost: {
    one: 'punktu na decyzję poniżej najlepszej, z {decisions} decyzji',
    few: 'punktu na decyzję poniżej najlepszej, z {decisions} decyzji',
    many: 'punktu na decyzję poniżej najlepszej, z {decisions} decyzji',
    other: 'punktu na decyzję poniżej najlepszej, z {decisions} decyzji'
  },
  decisions: 'Punktów na decyzję poniżej najlepszej:',
  quality:
    'Mniejsza liczba: punkty, które oddaje jedna decyzja, tak jak trener ocenia ją w analizie. Najlepsze jest 0; gra liczy się kilka minut po jej końcu.'
};
