import '@fontsource-variable/nunito/wght.css';
import '@fontsource-variable/bitter/wght.css';
import '@fontsource/lilita-one/400.css';
import './themes.css';
import './app.css';
import { mount } from 'svelte';
import App from './App.svelte';

export default mount(App, { target: document.getElementById('app')! });
