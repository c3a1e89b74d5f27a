import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { INNER, preloadsOf, TIME_BAR, type Manifest } from './preloads.js';

const view = (name: string, ...imports: string[]): Manifest => ({
  [`src/views/${name}/index.tsx`]: { file: `assets/${name}.js`, imports: ['index.html', ...imports] },
});
const manifest: Manifest = {
  'index.html': { file: 'assets/main.js', isEntry: true },
  _shared: { file: 'assets/shared.js', imports: ['index.html'] },
  ...view('clusters'),
  ...view('overview', '_shared'),
  ...view('objects', '_shared'),
  ...view('terminal'),
  [TIME_BAR]: { file: 'assets/time.js', imports: ['_shared'] },
  'src/views/objects/details/Details.tsx': { file: 'assets/details.js' },
  'src/views/objects/details/SummaryTab.tsx': { file: 'assets/summary.js' },
  'src/views/objects/details/Yaml.tsx': { file: 'assets/yaml.js' },
  'src/views/objects/details/History.tsx': { file: 'assets/history.js' },
  'src/views/objects/rollout/Revisions.tsx': { file: 'assets/revisions.js' },
  'src/views/terminal/Session.tsx': { file: 'assets/session.js' },
};

test.each<[string, string[]]>([
  ['/', ['clusters']],
  ['/#sign-in=tl_1', ['clusters']],
  ['/c/1', ['overview', 'shared', 'time']],
  ['/c/1/objects/pods?tab=yaml', ['objects', 'shared', 'time']],
  ['/c/1/objects/pods/default/a', ['objects', 'shared', 'time', 'details', 'summary']],
  ['/c/1/objects/pods/default/a?tab=yaml', ['objects', 'shared', 'time', 'details', 'yaml']],
  ['/c/1/objects/pods/default/a?tab=history', ['objects', 'shared', 'time', 'details', 'history']],
  ['/c/1/objects/deployments.apps/a/b?tab=revisions', ['objects', 'shared', 'time', 'details', 'revisions']],
  ['/c/1/terminal?open=a', ['terminal', 'time', 'shared', 'session']],
  ['/embed/objects/pods/default/a?cluster=1', ['objects', 'shared', 'details', 'summary']],
  ['/c/1/constructor', ['time', 'shared']],
  ['//%', []],
])('%s begins with %j', (url, names) =>
  expect(preloadsOf(manifest, url).sort()).toEqual(names.map((name) => `assets/${name}.js`).sort()),
);

test.each([TIME_BAR, ...new Set(Object.values(INNER).flat())])('%s is a source of the console', (source) =>
  expect(fs.existsSync(path.resolve('apps/console', source))).toBe(true),
);

const BUILT = path.resolve('dist/console/.vite/manifest.json');
const built = fs.existsSync(BUILT) ? (JSON.parse(fs.readFileSync(BUILT, 'utf8')) as Manifest) : undefined;

(built ? test : test.skip)('the build names them, and each view', () => {
  const views = fs.readdirSync('apps/console/src/views', { withFileTypes: true }).filter((one) => one.isDirectory());
  const sources = views.map(({ name }) => `src/views/${name}/index.tsx`);
  expect([TIME_BAR, ...Object.values(INNER).flat(), ...sources].filter((source) => !built?.[source])).toEqual([]);
});
