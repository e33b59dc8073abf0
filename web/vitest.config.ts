/** Apart from vite.config.ts, so that the client can be built where nothing to test it with is installed. */
import { svelteTesting } from '@testing-library/svelte/vite';
import { mergeConfig } from 'vite';
import { defineConfig } from 'vitest/config';
import client from './vite.config';

export default mergeConfig(
  client,
  defineConfig({
    // takes Svelte's browser build under Vitest and unmounts after each test
    plugins: [svelteTesting()],
    test: {
      environment: 'happy-dom',
      include: ['tests/**/*.test.ts'],
      setupFiles: ['tests/setup.ts'],
      // a limit for what hangs, as in tests/patience.py: a busy machine is no fault
      testTimeout: 180_000,
      hookTimeout: 180_000,
      expect: { poll: { timeout: 180_000 } }
    }
  })
);
