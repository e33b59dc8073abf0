/** What an option of a table is called, and what it changes: the same wherever it is named. */
import { speaker, t } from './i18n.svelte';

export function optionCalled(name: string): string {
  const key = `lobby.option_${name}`;
  return speaker.has(key) ? t(key) : name;
}

export function valueCalled(value: string): string {
  const key = `lobby.value_${value}`;
  return speaker.has(key) ? t(key) : value;
}

export function optionExplained(game: string, option: { name: string; text: string }): string {
  const key = `${game.replaceAll('-', '_')}.about_${option.name}`;
  return speaker.has(key) ? t(key) : option.text;
}
