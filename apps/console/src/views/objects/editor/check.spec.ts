import { expect, test } from '@jest/globals';
import { checkYaml } from './check.js';
import { Schemas } from './schema.js';

const string = { type: 'string' };
const schemas = new Schemas({
  components: {
    schemas: {
      Thing: {
        'x-kubernetes-group-version-kind': [{ group: '', version: 'v1', kind: 'Thing' }],
        type: 'object',
        properties: {
          apiVersion: string,
          kind: string,
          metadata: { type: 'object', additionalProperties: string },
          spec: {
            type: 'object',
            required: ['name'],
            properties: {
              name: string,
              count: { type: 'integer' },
              port: { 'x-kubernetes-int-or-string': true },
              policy: { type: 'string', enum: ['Always', 'Never'] },
              list: { type: 'array', items: { type: 'object', properties: { a: { type: 'boolean' } } } },
            },
          },
        },
      },
    },
  },
});
const words = {
  unknownField: (path: string) => `unknown ${path}`,
  missingField: (path: string) => `missing ${path}`,
  wrongType: (type: string) => `not ${type}`,
};
const check = (text: string): string[] =>
  checkYaml(text, (_, kind) => (kind === 'Thing' ? schemas : undefined), words).map(
    ({ from, to, message }) => `${text.slice(from, to).split('\n')[0]}: ${message}`,
  );
const HEAD = 'apiVersion: v1\nkind: Thing\n';

test.each([
  ['metadata: {anything: goes}\nspec: {name: x, count: 3, port: http, policy: Always, list: [{a: true}]}\n', []],
  ['spec: {name: x, nme: y}\n', ['nme: unknown spec.nme']],
  ['spec: {name: x, count: "3"}\n', ['"3": not integer']],
  ['spec: {name: 5}\n', ['5: not string']],
  ['spec: {name: x, policy: Sometimes}\n', ['Sometimes: not Always, Never']],
  ['spec: {name: x, list: [{b: 1}]}\n', ['b: unknown spec.list[0].b']],
  ['spec: {name: x, list: {a: true}}\n', ['{a: true}: not []object']],
  ['spec: {count: 1}\n', ['{: missing name']],
  ['spec:\n', []],
])('%j', (text, problems) => expect(check(HEAD + text)).toEqual(problems));

test('what is no YAML is told, and what has no schema is not judged', () => {
  expect(check('a: [1, 2\n').length).toBeGreaterThan(0);
  expect(check('kind: Other\nfoo: bar\n')).toEqual([]);
  expect(check(`kind: Other\n---\n${HEAD}spec: {name: x, more: 1}\n`)).toEqual(['more: unknown spec.more']);
});
