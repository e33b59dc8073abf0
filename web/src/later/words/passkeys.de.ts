import type { Entry } from '../../i18n/shape';

export const words: Record<string, Entry> = {
  title: 'Passkeys',
  lead: 'Einen Passkey verwahrt dein Telefon, dein Computer oder dein Passwort-Manager. Mit ihm bist du auf einem anderen Gerät wieder du, ohne Code.',
  no_name:
    'Passkeys gehen hier nicht: Dieser Server wurde über eine Adresse aus Zahlen geöffnet, und ein Passkey gehört zu einem Namen. Nimm einen Code.',
  not_safe:
    'Passkeys gehen hier nicht: Sie brauchen eine Adresse, die mit https beginnt. Nimm einen Code.',
  not_known: 'Dieser Browser kennt keine Passkeys. Nimm einen Code.',
  add: 'Einen Passkey anlegen',
  use: 'Ich habe hier schon gespielt: mit meinem Passkey',
  one: 'Passkey {number}, seit {day}',
  last: 'zuletzt benutzt {day}',
  remove: 'Entfernen',
  added: 'Der Passkey ist angelegt.',
  used: 'Willkommen zurück, {name}.',
  removed: 'Hier ist er entfernt. Auch auf deinem Gerät kannst du ihn löschen.',
  cancelled: 'Nichts wurde geändert.',
  here_already: 'Dieses Gerät hat schon einen Passkey für dich.',
  stored:
    'Hier gespeichert: ein öffentlicher Schlüssel, der kein Geheimnis ist, wann er angelegt und zuletzt benutzt wurde.'
};
