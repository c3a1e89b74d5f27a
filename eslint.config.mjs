import js from '@eslint/js';
import hooks from 'eslint-plugin-react-hooks';
import regexp from 'eslint-plugin-regexp';
import ts from 'typescript-eslint';

const impure = (selector, message) => ({ selector, message: `The engine is pure: ${message}` });
/** What an unloaded cluster must not leave behind in its process. */
const MODULE_STATE = ['Map', 'Set', 'LRUCache'].map((name) => ({
  selector: `:matches(Program, ExportNamedDeclaration) > VariableDeclaration > VariableDeclarator > NewExpression${
    name === 'LRUCache' ? "[callee.name='LRUCache']" : `[callee.name='${name}'][arguments.length=0]`
  }`,
  message:
    'State of a module outlives the cluster that filled it: hang it on an object of the cluster (a WeakMap), ' +
    'or say in a comment why no cluster can be reached from it.',
}));

const readonly = (...names) => Object.fromEntries(names.map((name) => [name, 'readonly']));

/** What a step of the simulation does is over when it returns. */
const SYNCHRONOUS = ['libs/engine/**/*.ts', 'libs/containers/**/*.ts'];
const PROMISES = [':function[async=true]', 'AwaitExpression', "NewExpression[callee.name='Promise']"].map(
  (selector) => ({
    selector,
    message: 'The simulation is synchronous: it returns what it waits for.',
  }),
);

const GENERATED = ['**/generated/', '**/*.generated.ts', 'libs/engine/api/', 'libs/engine/kinds/index.ts'];

export default ts.config(
  { ignores: ['dist/', 'node_modules/', '.terrarium/', 'coverage/', ...GENERATED] },
  js.configs.recommended,
  ...ts.configs.recommended,
  {
    languageOptions: {
      globals: {
        ...readonly('process', 'console', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'globalThis'),
        ...readonly('fetch', 'URL', 'crypto', 'WebAssembly', 'performance', 'Buffer', 'AbortController', 'WebSocket'),
        ...readonly('structuredClone', 'TextDecoder'),
        module: 'writable',
      },
    },
    rules: {
      'no-constant-condition': ['error', { checkLoops: false }],
      'no-empty': ['error', { allowEmptyCatch: false }],
      // Text from the wire is searched for control characters on purpose.
      'no-control-regex': 'off',
      // Prettier wraps code, but neither comments (held here) nor strings: upstream's messages stay in one piece.
      'max-len': [
        'error',
        { code: 120, ignoreStrings: true, ignoreTemplateLiterals: true, ignoreRegExpLiterals: true, ignoreUrls: true },
      ],
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'none' },
      ],
      '@typescript-eslint/no-unused-expressions': ['error', { allowShortCircuit: true, allowTernary: true }],
    },
  },
  {
    // Its modules are the state of one page, and die with it.
    files: ['apps/console/**/*.ts', 'apps/console/**/*.tsx'],
    plugins: { 'react-hooks': hooks },
    rules: { 'react-hooks/rules-of-hooks': 'error', 'no-restricted-syntax': 'off' },
  },
  {
    files: ['examples/embed/*.js'],
    languageOptions: {
      globals: readonly(
        'document',
        'location',
        'customElements',
        'HTMLElement',
        'CustomEvent',
        'addEventListener',
        'removeEventListener',
      ),
    },
  },
  {
    // Functions of these run in a page.
    files: ['bench/rows/frames.mjs', 'bench/service/browser.mjs'],
    languageOptions: { globals: readonly('document', 'PerformanceObserver', 'requestAnimationFrame') },
  },
  {
    files: ['examples/browser/*.js'],
    languageOptions: { globals: readonly('document', 'btoa', 'URLSearchParams') },
  },
  {
    files: ['**/*.cjs'],
    languageOptions: { sourceType: 'commonjs' },
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
  {
    // Where promises are looked for, lint has to check types, which takes most of its time.
    files: ['**/*.ts', '**/*.tsx'],
    ignores: SYNCHRONOUS,
    languageOptions: {
      parserOptions: { project: ['tsconfig.json', 'apps/console/tsconfig.json'], tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
    },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    rules: { '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }] },
  },
  {
    // Users' text meets these patterns: a pattern that backtracks is a way to stop the service.
    files: ['apps/**/*.ts', 'libs/**/*.ts'],
    ignores: ['**/*.spec.ts', 'libs/testkit/**', 'apps/console/**'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential', ignorePartial: false }],
      'no-restricted-syntax': ['error', ...MODULE_STATE],
    },
  },
  {
    files: SYNCHRONOUS,
    ignores: ['libs/engine/scheduler/plugins/index.spec.ts'],
    rules: { 'no-restricted-syntax': ['error', ...PROMISES] },
  },
  {
    files: ['libs/containers/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: { 'no-restricted-syntax': ['error', ...MODULE_STATE, ...PROMISES] },
  },
  {
    files: ['libs/engine/**/*.ts'],
    ignores: ['**/*.spec.ts', '**/testing.ts'],
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { group: ['node:*', '@nestjs/*', '@terrarium/*'], message: 'The engine imports nothing but itself.' },
          ],
        },
      ],
      'no-restricted-globals': [
        'error',
        ...['setTimeout', 'setInterval', 'setImmediate', 'process', 'console', 'Intl', 'TextEncoder', 'TextDecoder'],
        ...['performance', 'crypto', 'fetch', 'Buffer'],
      ],
      'no-restricted-syntax': [
        'error',
        ...MODULE_STATE,
        ...PROMISES,
        impure("MemberExpression[object.name='Date'][property.name='now']", 'it is told what time it is.'),
        impure("NewExpression[callee.name='Date'][arguments.length=0]", 'it is told what time it is.'),
        impure("MemberExpression[object.name='Math'][property.name='random']", "chance comes from the cluster's seed."),
        impure(
          'MemberExpression[property.name=/^(localeCompare|toLocaleString|toLocaleLowerCase|toLocaleUpperCase)$/]',
          'it sorts by code units.',
        ),
      ],
    },
  },
);
