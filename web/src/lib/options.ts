/** What an option of a table is called, and what it changes: the same wherever it is named. */
import { speaker, t } from './i18n.svelte';

/** Where a game's own words stand. */
export const ownKey = (game: string, key: string): string => `${game.replaceAll('-', '_')}.${key}`;

/** A game has words of its own for what only it has; the others are common to several. */
function inWordsOf(game: string, key: string): string | null {
  const own = ownKey(game, key);
  const common = `lobby.${key}`;
  return speaker.has(own) ? t(own) : speaker.has(common) ? t(common) : null;
}

export const optionCalled = (game: string, name: string): string =>
  inWordsOf(game, `option_${name}`) ?? name;

export const valueCalled = (game: string, value: string): string =>
  inWordsOf(game, `value_${value}`) ?? value;

export const optionExplained = (game: string, option: { name: string; text: string }): string =>
  inWordsOf(game, `about_${option.name}`) ?? option.text;
