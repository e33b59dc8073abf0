import './fonts.css';
import './themes.css';
import './app.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { speaker } from './lib/i18n.svelte';
import { settings } from './lib/settings.svelte';

// Sentences first: no page in the wrong language, not even for a moment.
void speaker.speak(settings.kept.language).then(() => mount(App, { target: document.getElementById('app')! }));

// Installed as an app, it says in words when the server cannot be reached (public/sw.js).
if (import.meta.env.PROD) void navigator.serviceWorker?.register('/sw.js').catch(() => {});
