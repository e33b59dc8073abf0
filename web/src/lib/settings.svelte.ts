/** What this device remembers: who one is and how one likes it. */
import { firstSpoken, LANGUAGES, speaker, type Language } from './i18n.svelte';

export const THEMES = ['meadow', 'dusk', 'barn', 'daylight', 'contrast'] as const;
export type Theme = (typeof THEMES)[number];
export const SPEEDS = ['relaxed', 'normal', 'brisk', 'instant'] as const;
export type Speed = (typeof SPEEDS)[number];
/** How long an animation lasts, times what is usual. */
export const PACE: Record<Speed, number> = { relaxed: 1.5, normal: 1, brisk: 0.55, instant: 0 };

const KEY = 'bullpen.settings';

interface Kept {
  name: string;
  language: Language;
  theme: Theme;
  speed: Speed;
  sound: boolean;
}

function usual(): Kept {
  const language = firstSpoken(navigator.languages ?? [navigator.language]);
  const theme =
    typeof matchMedia === 'function' && matchMedia('(prefers-contrast: more)').matches
      ? 'contrast'
      : 'meadow';
  return { name: '', language, theme, speed: 'normal', sound: false };
}

function read(): Kept {
  try {
    const kept = {
      ...usual(),
      ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Kept>)
    };
    return LANGUAGES.includes(kept.language) ? kept : { ...kept, language: usual().language };
  } catch {
    return usual(); // no storage, or not ours
  }
}

class Settings {
  kept = $state<Kept>(read());

  get pace(): number {
    return PACE[this.kept.speed] ?? 1;
  }

  /** In a component that lives as long as the page. */
  apply = (): void => {
    $effect(() => {
      document.documentElement.dataset.theme = this.kept.theme;
    });
    $effect(() => {
      // A language that cannot be fetched is not spoken, and the choice goes back.
      void speaker.speak(this.kept.language).catch(() => (this.kept.language = speaker.language));
    });
    $effect(() => {
      document.documentElement.lang = speaker.language;
    });
    $effect(() => {
      try {
        localStorage.setItem(KEY, JSON.stringify(this.kept));
      } catch {
        // a device that remembers nothing
      }
    });
  };
}

export const settings = new Settings();
