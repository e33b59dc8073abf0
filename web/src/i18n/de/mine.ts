import type { mine as english } from '../en/mine';
import type { Same } from '../shape';

export const mine: Same<typeof english> = {
  title: 'Meine Tische',
  all: 'Alle meine Tische · {n}',
  running: 'Laufende Partien',
  none: 'Gerade läuft keine Partie. Beginne eine, und du findest sie hier wieder, auf allen deinen Geräten.',
  your_turn: 'Du bist dran',
  turn_of: 'Warten auf {names}',
  bots_turn: 'Die Bots spielen',
  waiting: 'Wartet auf Mitspieler',
  opening: 'Die Karten werden ausgeteilt',
  with: 'mit {names}',
  go_on: 'Weiter',
  go_on_label: 'Weiter: {game}, {names}',
  leave: 'Verlassen',
  leave_label: 'Verlassen: {game}, {names}',
  end: 'Beenden',
  end_label: 'Beenden: {game}, {names}',
  end_sure: 'Diese Partie für immer beenden? Für die Wertung ist sie verloren.',
  leave_sure: 'Verlassen? Ein Bot spielt für dich weiter; du kannst zurückkommen.',
  close_sure: 'Den Platz aufgeben?',
  daily_sure: 'Für immer beenden? Einen zweiten Versuch gibt es nicht.',
  sealed: 'Die Partie des Tages: morgen offen.',
  finished: 'Zu Ende gespielt',
  none_finished: 'Noch keine Partie zu Ende gespielt.',
  by_game: 'Spiel',
  all_games: 'alle Spiele',
  won: 'gewonnen',
  replay: 'Wiederholung',
  replay_label: 'Wiederholung: {game}, {day}',
  review: 'Analyse',
  review_label: 'Analyse: {game}, {day}',
  more: 'Mehr zeigen',
  full: 'Zu meinen Tischen',
  statistics: 'Meine Ergebnisse nach Spiel',
  ratings: 'Spielstärken',
  rating: 'Spielstärke {was} → {now}',
  me: 'Wer ich bin',
  me_lead:
    'Kein Konto, kein Passwort, keine E-Mail: Dieses Gerät wird an einem eigenen Geheimnis erkannt, und du kannst weitere dazunehmen.',
  nobody:
    'Auf diesem Gerät ist noch niemand bekannt. Sag, wie du heißt, oder benutze einen Code von einem anderen Gerät.',
  colour: 'Farbe',
  colour_0: 'Wiese',
  colour_1: 'Himmel',
  colour_2: 'Sonne',
  colour_3: 'Ton',
  colour_4: 'Pflaume',
  colour_5: 'Schiefer',
  save: 'Speichern',
  saved: 'Gespeichert.',
  devices: { one: '{n} Gerät', other: '{n} Geräte' },
  another: 'Auf einem anderen Gerät benutzen',
  another_lead:
    'Erzeuge hier einen Code und öffne ihn dort. Er gilt einmal, zehn Minuten lang. Wer ihn hat, wird du: Zeig ihn sonst niemandem.',
  make_code: 'Code erzeugen',
  code: 'Code',
  code_how:
    'Auf dem anderen Gerät: das Quadrat scannen, oder {address} öffnen und den Code eintippen.',
  qr: 'QR-Code für das andere Gerät',
  have_code: 'Ich habe einen Code von einem anderen Gerät',
  use: 'Code benutzen',
  use_sure:
    'Dieses Gerät gehört dann dem, der den Code erzeugt hat, und die hier gespielten Partien kommen mit. Benutze nur eigene Codes.',
  used: 'Dieses Gerät gehört jetzt zu {name}.',
  recovery: 'Ein Code zum Ausdrucken',
  recovery_lead:
    'Für den Fall, dass alle Geräte verloren sind. Er gilt, bis du einen neuen erzeugst; bewahre ihn wie einen Schlüssel auf.',
  make_recovery: 'Code zum Ausdrucken erzeugen',
  print: 'Drucken',
  stored: 'Was gespeichert wird, und wozu',
  stored_name:
    'Dein Name, deine Farbe und deine Sprache, damit du sie nicht wieder eingeben musst.',
  stored_device:
    'Ein Hash eines zufälligen Cookies für jedes deiner Geräte, damit deine Partien wiedergefunden werden.',
  stored_code: 'Ein Hash der Codes, die du erzeugst, bis sie benutzt oder zehn Minuten alt sind.',
  stored_tables:
    'An welchen Tischen du sitzt oder saßest, deine Züge dort, und was du geschrieben hast.',
  stored_results:
    'Punkte und Gewinner beendeter Partien; am Tag einer Partie des Tages ein Hash deines Netzes, damit niemand doppelt zählt.',
  stored_not:
    'Keine Adresse, keine E-Mail, nichts über dich von anderswo, und nichts wird irgendwohin geschickt außer den Benachrichtigungen, die du einschaltest.',
  export: 'Alles herunterladen',
  delete: 'Mich löschen',
  delete_lead:
    'Dein Name und deine Spielstärken verschwinden sofort, auf allen Geräten. Beendete Partien bleiben den anderen, mit „Früher dabei“ an deiner Stelle; laufende gehen mit einem Bot weiter oder enden.',
  delete_sure: 'Ja, mich für immer löschen',
  keep: 'Nein, alles behalten',
  deleted: 'Du bist vergessen. Was bleibt, sind Partien ohne deinen Namen.'
};
