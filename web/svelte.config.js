import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

/** Short names for the classes that keep a component's styles to itself: they stand in every rule. */
const cssHash = ({ hash, filename }) => `s${hash(filename).slice(0, 4)}`;

export default {
  preprocess: vitePreprocess(),
  compilerOptions: { runes: true, cssHash, discloseVersion: false }
};
