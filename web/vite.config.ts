import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

/** What is opened together is fetched together; the rest of what several pages share is found by itself. */
const part = (name: string, ...files: string[]) => ({
  name,
  test: new RegExp(`/src/(${files.join('|')})\\.(svelte|ts)`)
});
const TOGETHER = [
  { name: 'svelte', test: /node_modules/ },
  part(
    'base',
    'lib/(api|cards|fair|i18n|options|promises|renewed|route|settings|sha256|share)',
    'ui/(Bull|Card|Dialog|Fan|Nowhere|Page|SettingsDialog|Sprites)',
    'games/(registry|covers)'
  ),
  part(
    'play',
    'games/((kits|boards)/)?(?!registry|covers)[\\w-]+',
    'pages/(Table|Playing|WaitingRoom|Join)',
    'lib/(table|showing|places|socket|flip|sound|offline|review)',
    'ui/(Announcer|Bars|Candidates|Chat|Clock|Coach|Hand|Log|Memory|Piles|Qr|Result|RoundEnd)',
    'ui/(Rows|ScoreChart|Seats|Tally|seat)'
  ),
  part('after', 'pages/(Replay|Review|Verify|Statistics)', 'ui/(Hands|LeadChart)'),
  { name: 'clubs', test: /\/src\/later\/(clubs?|MonthStandings|NewTournament|Rounds|Tournament)/i },
  { name: 'later', test: /\/src\/later\/(?!words\/|BigScreen)/ },
  part('learn', 'pages/(Rules|Tutorial)', 'lib/lessons', 'ui/(Stage|RuleText)')
];

export default defineConfig({
  plugins: [svelte()],
  build: {
    target: 'es2022',
    outDir: '../src/bullpen/server/web',
    emptyOutDir: true,
    assetsInlineLimit: 0, // the server's policy allows no fonts or scripts inside other files
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 300,
    cssCodeSplit: false, // one file packs better than forty
    rolldownOptions: {
      output: { codeSplitting: { includeDependenciesRecursively: false, groups: TOGETHER } }
    }
  },
  // `npm run dev` beside `bullpen serve`
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8000', ws: true } } }
});
