/** What was agreed at a table, in the words of the form that it was set with; and who sits there. */
import { speaker, t } from './i18n.svelte';
import { optionCalled, valueCalled } from './options';
import type { SeatShown, TableFacts } from './wire';

export const clockCalled = (seconds: number | null): string =>
  seconds === null
    ? t('lobby.no_clock')
    : seconds < 120
      ? t('lobby.seconds', { n: seconds })
      : t('lobby.minutes', { n: seconds / 60 });

const inWords = (value: unknown): string =>
  typeof value === 'number' ? speaker.number(value) : valueCalled(String(value));

/** One line each; what is switched off, or just usual, is not spoken of. */
export function conditionsOf({ clock, options, coach, spectators }: TableFacts): string[] {
  const rules = Object.entries(options)
    .filter(([name, value]) => value !== null && value !== false && name !== 'first_seat')
    .map(([name, value]) =>
      value === true ? optionCalled(name) : `${optionCalled(name)}: ${inWords(value)}`
    );
  return [
    `${t('lobby.clock')}: ${clockCalled(clock)}`,
    ...rules,
    ...(coach ? [t('lobby.with_coach')] : []),
    ...(spectators ? [] : [t('lobby.no_spectators')])
  ];
}

/** Nobody should take a bot for a person. */
export const withKind = ({ kind, name }: SeatShown): string =>
  kind === 'bot' ? t('table.bot_called', { name }) : name;

export const namesOf = (seats: SeatShown[]): string =>
  seats
    .filter((seat) => seat.name)
    .map(withKind)
    .join(', ');
