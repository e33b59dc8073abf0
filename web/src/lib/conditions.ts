/** What was agreed at a table, in the words of the form that it was set with; and who sits there. */
import { speaker, t } from './i18n.svelte';
import { optionCalled, valueCalled } from './options';
import type { SeatShown, TableFacts } from './wire';

const HOUR = 3600;
const DAY = 24 * HOUR;
/** Seconds that a table can be set to: for people who sit together, and for those who have days. */
export const CLOCKS = [null, 15, 30, 60, 120, 300, 12 * HOUR, DAY, 3 * DAY, 7 * DAY];
export type Latecomers = NonNullable<TableFacts['latecomers']>;
export const LATECOMERS: Latecomers[] = ['ask', 'welcome', 'never'];

export const clockCalled = (seconds: number | null): string =>
  seconds === null
    ? t('lobby.no_clock')
    : seconds < 120
      ? t('lobby.seconds', { n: seconds })
      : seconds <= HOUR
        ? t('lobby.minutes', { n: seconds / 60 })
        : seconds % DAY
          ? speaker.time(seconds / HOUR, 'hour')
          : speaker.time(seconds / DAY, 'day');

/** What is left of a clock of hours or days, as exact as anybody needs it. */
export function timeCalled(seconds: number, how: 'long' | 'narrow' = 'long'): string {
  const days = Math.round(seconds / DAY);
  if (days > 1) return speaker.time(days, 'day', how);
  const hours = Math.round(seconds / HOUR);
  if (hours > 1) return speaker.time(hours, 'hour', how);
  return speaker.time(Math.max(1, Math.ceil(seconds / 60)), 'minute', how);
}

const inWords = (game: string, value: unknown): string =>
  typeof value === 'number' ? speaker.number(value) : valueCalled(game, String(value));

/** One line each; what is switched off, or just usual, is not spoken of. */
export function conditionsOf(facts: TableFacts): string[] {
  const { game, clock, options, coach, spectators, listed, latecomers } = facts;
  const rules = Object.entries(options)
    .filter(([name, value]) => value !== null && value !== false && name !== 'first_seat')
    .map(([name, value]) =>
      value === true
        ? optionCalled(game, name)
        : `${optionCalled(game, name)}: ${inWords(game, value)}`
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
        : inWords(facts.game, value);
  return `${optionCalled(facts.game, option)}: ${says}`;
}

/** Nobody should take a bot for a person. */
export const withKind = ({ kind, name }: SeatShown): string =>
  kind === 'bot' ? t('table.bot_called', { name }) : name;

export const namesOf = (seats: SeatShown[]): string =>
  seats
    .filter((seat) => seat.name)
    .map(withKind)
    .join(', ');
