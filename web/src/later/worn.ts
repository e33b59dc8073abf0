/** How a page looks that is fetched only when somebody opens it: all others do without its style. */
import { onMount } from 'svelte';

export function worn(css: string): void {
  onMount(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    };
  });
}
