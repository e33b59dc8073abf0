/** Whom somebody does not want to hear at a table: for this tab, also after it was loaded anew. */
const KEY = 'bullpen-hushed';
export const hushedAt = (table: string): string[] => {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Record<string, string[]>;
    return kept[table] ?? [];
  } catch {
    return [];
  }
};
export const keepHushed = (table: string, hushed: string[]): void => {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ [table]: hushed }));
  } catch {
    // Then it holds until the page is loaded again.
  }
};
