import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import svelte from 'eslint-plugin-svelte';
import { defineConfig, globalIgnores } from 'eslint/config';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

export default defineConfig(
  globalIgnores(['node_modules/']),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  svelte.configs.recommended,
  {
    files: ['**/*.ts', '**/*.svelte'],
    extends: [ts.configs.strictTypeChecked, ts.configs.stylisticTypeChecked],
    languageOptions: {
      globals: globals.browser,
      parserOptions: { projectService: true, extraFileExtensions: ['.svelte'] }
    },
    rules: {
      // Numbers read in texts as they are written; whatever else is put into one is a mistake.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // `_` is what has to be named to get at what comes after it.
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_$', varsIgnorePattern: '^_$' }
      ],
      // `() => {}` is an answer that nobody waits for.
      '@typescript-eslint/no-empty-function': ['error', { allow: ['arrowFunctions'] }],
      // No text is as good as an empty one, and `false` as good as nothing.
      '@typescript-eslint/prefer-nullish-coalescing': [
        'error',
        { ignorePrimitives: { string: true, boolean: true } }
      ],
      // `void speaker.language` names what an effect depends on.
      '@typescript-eslint/no-meaningless-void-operator': 'off',
      // What is looked up by a name or a number may be missing, which its type does not say
      // (`noUncheckedIndexedAccess` is off), and an old browser may lack what the types promise.
      '@typescript-eslint/no-unnecessary-condition': 'off'
    }
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } }
  },
  { files: ['public/sw.js'], languageOptions: { globals: globals.serviceworker } },
  { files: ['tests/*.mjs'], languageOptions: { globals: globals.node } },
  {
    // A kit is asked only about a table that is shown, so there is a view.
    files: ['src/games/kits/**', 'src/games/rows.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unnecessary-type-assertion': 'off',
      '@typescript-eslint/prefer-optional-chain': 'off'
    }
  },
  {
    // A test that does not find what it looks for fails, which is what it is for; and what stands in
    // for a server promises an answer that is there already.
    files: ['tests/**'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/require-await': 'off'
    }
  },
  prettier,
  svelte.configs.prettier,
  {
    // Prettier breaks code at 100; this is for what it leaves alone, comments above all.
    rules: { 'max-len': ['error', { code: 120, ignoreUrls: true }] }
  },
  {
    // A sentence is one line, so that it can be found and its translation stands in the same place.
    files: ['src/i18n/*/*.ts', 'src/later/words/*.ts'],
    rules: { 'max-len': 'off' }
  }
);
