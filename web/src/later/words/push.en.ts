export const words = {
  title: 'Notifications',
  lead: 'At tables over days this device is told when it is your turn: once a table, until you come. Never a card in it.',
  on: 'Notifications are on for this device.',
  off: 'Notifications are off for this device.',
  denied:
    'This browser has been told not to show notifications of this page; its settings can change that.',
  impossible:
    'This browser cannot do it here. It needs a page opened by https; on an iPhone or iPad add it to the home screen first.',
  switch_on: 'Tell me',
  switch_off: 'Tell me nothing',
  ask_title: 'Shall we tell you?',
  ask: 'The others have days to decide. This device can be told when it is your turn again: once, until you come, and never a card in it. You can switch it off at “Who I am”.',
  no: 'No, thanks',
  stored:
    'Stored for it, until you switch it off: the address that your browser gives for this device. What is sent there is encrypted for your browser alone.'
};
