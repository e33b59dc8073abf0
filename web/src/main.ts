import './fonts.css';
import './themes.css';
import './app.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { speaker } from './lib/i18n.svelte';
import { settings } from './lib/settings.svelte';

const FONTS = ["16px 'Nunito Variable'", "24px 'Bitter Variable'"];
const LONGEST_WAIT = 800; // ms for fonts: after that the page is shown without them

// Sentences first, and letters in their shape: no page in the wrong language, and none that moves while it is read.
await speaker.speak(settings.kept.language);
const fonts = Promise.all(FONTS.map((font) => document.fonts.load(font, speaker.letters)));
await Promise.race([fonts, new Promise((late) => setTimeout(late, LONGEST_WAIT))]).catch(() => {});
mount(App, { target: document.getElementById('app') ?? document.body });
document.querySelector('.splash')?.remove(); // a page has one `main`, for whoever asks for it

// Installed as an app, it says in words when the server cannot be reached (public/sw.js).
if (import.meta.env.PROD) void navigator.serviceWorker?.register('/sw.js').catch(() => {});
