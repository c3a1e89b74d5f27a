/**
 * Tests stand beside the code. Run through `npm test`, or `node --experimental-vm-modules node_modules/jest/bin/jest.js
 * PATH`.
 */
export default {
  testEnvironment: 'node',
  globalSetup: '<rootDir>/libs/testkit/global-setup.mjs',
  roots: ['<rootDir>/libs', '<rootDir>/apps', '<rootDir>/scripts'],
  setupFilesAfterEnv: ['<rootDir>/libs/testkit/pure.mjs'],
  testMatch: ['**/*.spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
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
        module: { type: 'es6' },
      },
    ],
  },
  moduleNameMapper: {
    '^@terrarium/(engine|containers|host|store|platform|testkit)$': '<rootDir>/libs/$1/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
};
