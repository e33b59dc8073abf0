export const words = {
  hush: 'Hide what they write',
  report: 'Report',
  about: 'What is it about?',
  about_chat: 'What they wrote',
  about_name: 'Their name',
  note: 'Anything to add? (optional)',
  what_happens:
    'Whoever runs this server can read your report, with the last lines of this chat, and may rename or silence somebody. Nobody at the table is told.',
  send: 'Send the report',
  reported: {
    one: 'Reported, with {lines} line of the chat. It is deleted when it is done, after {days} days at the latest.',
    other:
      'Reported, with {lines} lines of the chat. It is deleted when it is done, after {days} days at the latest.'
  },
  nobody: 'There is nobody else here but bots.',
  talk: 'At this table one may say',
  talk_free: 'anything',
  talk_phrases: 'ready-made phrases',
  talk_off: 'nothing',
  words: 'Words that are refused here, with * for whatever comes before or after',
  save: 'Save',
  agreed: 'Saved.'
};
