import type { words as english } from './push.en';

export const words: typeof english = {
  title: 'Benachrichtigungen',
  lead: 'An Tischen über Tage erfährt dieses Gerät, wenn du dran bist: einmal je Tisch, bis du kommst. Nie steht eine Karte darin.',
  on: 'Benachrichtigungen sind auf diesem Gerät an.',
  off: 'Benachrichtigungen sind auf diesem Gerät aus.',
  denied:
    'Diesem Browser wurde gesagt, von dieser Seite keine Benachrichtigungen zu zeigen; das ändern seine Einstellungen.',
  impossible:
    'Dieser Browser kann das hier nicht. Die Seite muss mit https geöffnet sein; auf iPhone und iPad gehört sie zuerst auf den Home-Bildschirm.',
  switch_on: 'Sag mir Bescheid',
  switch_off: 'Sag mir nichts mehr',
  ask_title: 'Sollen wir Bescheid sagen?',
  ask: 'Die anderen haben Tage Zeit. Dieses Gerät kann erfahren, wenn du wieder dran bist: einmal, bis du kommst, und nie mit einer Karte darin. Ausschalten kannst du es unter „Wer ich bin“.',
  no: 'Nein, danke',
  stored:
    'Dafür gespeichert, bis du es ausschaltest: die Adresse, die dein Browser für dieses Gerät nennt. Was dorthin geht, ist für deinen Browser allein verschlüsselt.'
};
