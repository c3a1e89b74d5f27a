/** Who may import whom: docs/ARCHITECTURE.md has the picture. Each rule names what a folder must not reach. */
const engine = (...folders) => `^libs/engine/(${folders.join('|')})/`;
/** Packages that are functions of text and values: no I/O, no clock. The engine may have no other. */
const PURE_PACKAGES = [
  'yaml',
  'rfc6902',
  're2js',
  '@noble/curves',
  '@noble/hashes',
  '@scure/base',
  'ipaddr.js',
  'lru-cache',
  'fflate',
];
const PARTS = ['apiserver', 'admission', 'controllers', 'scheduler', 'node', 'cloud', 'why', 'checks'];

const ABOVE_KINDS = ['auth', 'runtime', ...PARTS, 'cluster'];

/** A spec, and what specs share. */
const TESTS = '(\\.spec|/testing)\\.ts$';

/** Folders in the same braces meet in the state, never in each other. */
const siblings = PARTS.map((part) => ({
  name: `engine-${part}-alone`,
  severity: 'error',
  from: { path: engine(part), pathNot: TESTS },
  to: { path: engine(...PARTS.filter((p) => p !== part), 'cluster') },
}));

/** A test may set up what it needs; the rules are about what ships. */
const layer = (name, from, to) => ({ name, severity: 'error', from: { path: from, pathNot: TESTS }, to: { path: to } });

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      comment: "Types count. A shell's words hold commands, and its commands words: their modules know each other.",
      from: { pathNot: '^libs/containers/shell/(interpreter|expansion)/' },
      to: { circular: true },
    },
    {
      name: 'kernel-of-nothing',
      severity: 'error',
      comment: 'A machine knows no Kubernetes: of the engine it has time, chance, UTF-8 and memoize() only.',
      from: { path: engine('kernel'), pathNot: TESTS },
      to: {
        path: '^libs/',
        pathNot: ['^libs/engine/kernel/', '^libs/engine/machinery/(time/|random|memoize|text/utf8)'],
      },
    },
    layer(
      'kernel-under-node',
      engine('machinery', 'api', 'schema', 'extensions', 'auth', 'runtime', 'apiserver', 'admission', 'controllers'),
      engine('kernel'),
    ),
    layer(
      'machinery-lowest',
      engine('machinery', 'api'),
      engine('faults', 'schema', 'extensions', 'kinds', ...ABOVE_KINDS),
    ),
    layer('faults-are-data', engine('faults'), engine('schema', 'extensions', 'kinds', ...ABOVE_KINDS)),
    layer('schema-above-machinery', engine('schema'), engine('extensions', 'kinds', ...ABOVE_KINDS)),
    layer('extensions-above-machinery', engine('extensions'), engine('schema', 'kinds', ...ABOVE_KINDS)),
    layer('kinds-above-extensions', engine('kinds'), engine('schema', ...ABOVE_KINDS)),
    layer('auth-above-kinds', engine('auth'), engine('schema', 'extensions', 'runtime', ...PARTS, 'cluster')),
    layer('runtime-below-parts', engine('runtime'), engine(...PARTS, 'cluster')),
    {
      name: 'kinds-meet-at-kind.ts',
      severity: 'error',
      comment: "A kind may import another kind's kind.ts, never its inner files.",
      from: { path: '^libs/engine/kinds/([^/]+)/([^/]+)/', pathNot: TESTS },
      to: { path: '^libs/engine/kinds/[^/]+/[^/]+/', pathNot: ['^libs/engine/kinds/$1/$2/', '/kind\\.ts$'] },
    },
    ...siblings,
    layer(
      'engine-pure',
      '^libs/engine/',
      `^(libs/(host|store|containers|platform)|apps|node_modules/(?!(${PURE_PACKAGES.join('|')})/))`,
    ),
    {
      name: 'engine-no-node',
      severity: 'error',
      from: { path: '^libs/engine/', pathNot: TESTS },
      to: { dependencyTypes: ['core'] },
    },
    layer('host-store-containers-below-platform', '^libs/(host|store|containers)/', '^(libs/platform|apps)/'),
    layer('platform-below-apps', '^libs/platform/', '^apps/'),
    {
      name: 'console-by-the-public-api',
      severity: 'error',
      comment: 'The console is a client like any other: what it knows comes over REST and GraphQL.',
      from: { path: '^apps/console/', pathNot: ['\\.spec\\.ts$', '^apps/console/testing/'] },
      to: { path: '^(libs/|apps/(?!console/))' },
    },
    layer('apps-apart', '^apps/([^/]+)/', '^apps/(?!$1)'),
    {
      name: 'testkit-only-in-tests',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: [TESTS, '^libs/testkit/', '^apps/console/testing/'] },
      to: { path: '^libs/testkit/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^dist/', '/generated/', '^libs/engine/api/'] },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.js', '.mjs', '.json'],
    },
  },
};
