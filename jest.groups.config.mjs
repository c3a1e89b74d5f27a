import { edges, engine, swc } from './jest.config.mjs';

const groups = { testMatch: ['**/*.spec.cjs', '**/*.spec.mjs'] };
const [, swcOptions] = swc('es6');

/** All specs in groups, as scripts/local/spec-groups.mjs writes them for `npm test`. */
export default {
  projects: [
    { ...engine, ...groups, roots: ['<rootDir>/.terrarium/groups/engine'] },
    {
      ...edges,
      ...groups,
      roots: ['<rootDir>/.terrarium/groups/edges'],
      transform: { '\\.spec\\.ts$': ['<rootDir>/libs/testkit/grouped-spec.mjs', swcOptions], ...edges.transform },
    },
  ],
  testSequencer: '<rootDir>/libs/testkit/longest-first.mjs',
};
