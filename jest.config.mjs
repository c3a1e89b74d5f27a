/**
 * Tests stand beside the code. Run through `npm test`, or `node --experimental-vm-modules node_modules/jest/bin/jest.js
 * PATH`. The engine and what runs in containers are pure, and what the testkit runs on them measures no time: their
 * specs run as CommonJS, which loads a module graph in a third of the time that jest takes for ES modules. Specs of the
 * edges start servers and wait for them; they run as ES modules. `npm test` runs both in groups
 * (jest.groups.config.mjs).
 */
export const swc = (module) => [
  '@swc/jest',
  {
    swcrc: false,
    sourceMaps: 'inline',
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
      keepClassNames: true,
    },
    module: { type: module },
  },
];

const shared = {
  // A test that waits for something says for how long; this is for those that only take their time on a busy machine.
  testTimeout: 30_000,
  testEnvironment: 'node',
  // Each import names a module without its extension: most are TypeScript.
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json', 'node', 'tsx', 'jsx'],
  globalSetup: '<rootDir>/libs/testkit/global-setup.mjs',
  globalTeardown: '<rootDir>/libs/testkit/global-teardown.mjs',
  setupFilesAfterEnv: ['<rootDir>/libs/testkit/pure.mjs'],
  testMatch: ['**/*.spec.ts'],
  moduleNameMapper: {
    '^@terrarium/(engine|containers|host|store|platform|testkit)$': '<rootDir>/libs/$1/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
};

/** Packages that the engine and the containers of its specs use, and that are ES modules only. */
const ES_MODULES = ['@noble', '@scure', 'ipaddr.js', 'lru-cache', 're2js', 'rfc6902', 'unbash', 'yaml'];

/** The one suite of the testkit that starts a service. */
const HOSTILE = '<rootDir>/libs/testkit/hostile/';

export const engine = {
  ...shared,
  displayName: 'engine',
  roots: ['<rootDir>/libs/engine', '<rootDir>/libs/containers', '<rootDir>/libs/testkit'],
  testPathIgnorePatterns: ['/node_modules/', HOSTILE],
  transform: { '^.+\\.(ts|js)$': swc('commonjs') },
  transformIgnorePatterns: [`/node_modules/(?!(${ES_MODULES.join('|')})/)`],
};

export const edges = {
  ...shared,
  displayName: 'edges',
  roots: ['<rootDir>/libs', '<rootDir>/apps', '<rootDir>/scripts', '<rootDir>/examples'],
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/libs/engine/',
    '<rootDir>/libs/containers/',
    '<rootDir>/libs/testkit/(?!hostile/)',
  ],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': swc('es6') },
};

export default { projects: [engine, edges], testSequencer: '<rootDir>/libs/testkit/longest-first.mjs' };
