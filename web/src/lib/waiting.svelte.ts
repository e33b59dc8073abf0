/** Tables that wait for me: a number in the tab, and on the icon of the app. */
interface Seen {
  your_turn: boolean;
  alone: boolean;
  clock: number | null;
}

export const LONGEST_SITTING = 3600; // seconds for a decision; whoever has longer need not be there
export const isOverDays = (clock: number | null | undefined): boolean =>
  (clock ?? 0) > LONGEST_SITTING;

class Waiting {
  count = $state(0);
  /** Whether anything can come while nobody looks. */
  overDays = $state(false);
  mark = $derived(this.count ? `(${this.count}) ` : '');

  /** Bots wait for as long as it takes: of them nobody needs to be reminded. */
  see = (tables: Seen[]): void => {
    this.overDays = tables.some((one) => isOverDays(one.clock));
    this.count = tables.filter(
      (one) => one.your_turn && (!one.alone || isOverDays(one.clock))
    ).length;
    const shown = this.count ? navigator.setAppBadge?.(this.count) : navigator.clearAppBadge?.();
    void shown?.catch(() => {});
  };
}

export const waiting = new Waiting();
