/** What was agreed at a table, in the words of the form that it was set with; and who sits there. */
import { speaker, t } from './i18n.svelte';
import { optionCalled, valueCalled } from './options';
import type { SeatShown, TableFacts } from './wire';

/** Seconds that a table can be set to. */
export const CLOCKS = [null, 15, 30, 60, 120, 300];
export type Latecomers = NonNullable<TableFacts['latecomers']>;
export const LATECOMERS: Latecomers[] = ['ask', 'welcome', 'never'];

export const clockCalled = (seconds: number | null): string =>
  seconds === null
    ? t('lobby.no_clock')
    : seconds < 120
      ? t('lobby.seconds', { n: seconds })
      : t('lobby.minutes', { n: seconds / 60 });

const inWords = (value: unknown): string =>
  typeof value === 'number' ? speaker.number(value) : valueCalled(String(value));

/** One line each; what is switched off, or just usual, is not spoken of. */
export function conditionsOf(facts: TableFacts): string[] {
  const { clock, options, coach, spectators, listed, latecomers } = facts;
  const rules = Object.entries(options)
    .filter(([name, value]) => value !== null && value !== false && name !== 'first_seat')
    .map(([name, value]) =>
      value === true ? optionCalled(name) : `${optionCalled(name)}: ${inWords(value)}`
    );
  return [
    `${t('lobby.clock')}: ${clockCalled(clock)}`,
    ...rules,
    ...(coach ? [t('lobby.with_coach')] : []),
    ...(listed ? [t('lobby.is_listed')] : []),
    ...(latecomers === 'welcome' ? [t('lobby.late_welcome')] : []),
    ...(spectators ? [] : [t('lobby.no_spectators')])
  ];
}

/** What the host has changed, by its name on the wire. */
export function changeInWords(name: string, facts: TableFacts, seats: number): string {
  switch (name) {
    case 'seats':
      return t('table.changed_seats', { n: seats });
    case 'clock':
      return `${t('lobby.clock')}: ${clockCalled(facts.clock)}`;
    case 'listed':
      return t(facts.listed ? 'lobby.is_listed' : 'lobby.is_private');
    case 'coach':
      return t(facts.coach ? 'lobby.with_coach' : 'lobby.without_coach');
    case 'latecomers':
      return `${t('lobby.latecomers')}: ${t(`lobby.latecomers_${facts.latecomers ?? 'ask'}`)}`;
  }
  const option = name.replace('options.', '');
  const value = facts.options[option];
  const says =
    typeof value === 'boolean'
      ? t(value ? 'common.yes' : 'common.no')
      : value === null
        ? t('lobby.option_default')
        : inWords(value);
  return `${optionCalled(option)}: ${says}`;
}

/** Nobody should take a bot for a person. */
export const withKind = ({ kind, name }: SeatShown): string =>
  kind === 'bot' ? t('table.bot_called', { name }) : name;

export const namesOf = (seats: SeatShown[]): string =>
  seats
    .filter((seat) => seat.name)
    .map(withKind)
    .join(', ');
