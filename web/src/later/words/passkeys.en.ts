export const words = {
  title: 'Passkeys',
  lead: 'A passkey is kept by your phone, your computer or your password manager. With it you are the same player on another device, without a code.',
  no_name:
    'Passkeys do not work here: this server was opened by an address in figures, and a passkey belongs to a name. Use a code instead.',
  not_safe:
    'Passkeys do not work here: they need an address that begins with https. Use a code instead.',
  not_known: 'This browser does not know passkeys. Use a code instead.',
  add: 'Make a passkey',
  use: 'I have played here before: use my passkey',
  one: 'Passkey {number}, since {day}',
  last: 'last used {day}',
  remove: 'Remove',
  added: 'The passkey is made.',
  used: 'Welcome back, {name}.',
  removed: 'It is removed here. You can delete it on your device, too.',
  cancelled: 'Nothing was changed.',
  here_already: 'This device has a passkey for you already.',
  stored: 'Stored here: a public key, which is no secret, when it was made and last used.'
};
