import { edges, engine, swc } from './jest.config.mjs';

const groups = { testMatch: ['**/*.spec.cjs', '**/*.spec.mjs'] };
/** What uses the engine only from outside takes what the build has bundled: 2,500 modules less, a tenth faster. */
const bundled = (project) => ({
  moduleNameMapper: {
    '^@terrarium/(engine|containers)$': '<rootDir>/dist/libs/$1/index.js',
    ...project.moduleNameMapper,
  },
});
const [, swcOptions] = swc('es6');

/** All specs in groups, as scripts/local/spec-groups.mjs writes them for `npm test`. */
export default {
  projects: [
    { ...engine, ...groups, roots: ['<rootDir>/.terrarium/groups/engine'] },
    {
      ...engine,
      ...groups,
      ...bundled(engine),
      displayName: 'testkit',
      roots: ['<rootDir>/.terrarium/groups/testkit'],
    },
    {
      ...edges,
      ...groups,
      ...bundled(edges),
      roots: ['<rootDir>/.terrarium/groups/edges'],
      transform: { '\\.spec\\.ts$': ['<rootDir>/libs/testkit/grouped-spec.mjs', swcOptions], ...edges.transform },
    },
  ],
  testSequencer: '<rootDir>/libs/testkit/longest-first.mjs',
};
