import { svelte } from '@sveltejs/vite-plugin-svelte';
import { svelteTesting } from '@testing-library/svelte/vite';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // svelteTesting(): takes Svelte's browser build under Vitest and unmounts after each test
  plugins: [svelte(), svelteTesting()],
  build: {
    target: 'es2022',
    outDir: '../src/bullpen/server/web',
    emptyOutDir: true,
    assetsInlineLimit: 0, // the server's policy allows no fonts or scripts inside other files
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 300
  },
  // `npm run dev` beside `bullpen serve`
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8000', ws: true } } },
  test: { environment: 'happy-dom', include: ['tests/**/*.test.ts'], setupFiles: ['tests/setup.ts'] }
});
