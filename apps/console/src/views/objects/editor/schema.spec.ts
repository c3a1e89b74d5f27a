import { expect, test } from '@jest/globals';
import { openApiPath, Schemas } from './schema.js';

const schemas = new Schemas({
  components: {
    schemas: {
      Pod: {
        'x-kubernetes-group-version-kind': [{ group: '', version: 'v1', kind: 'Pod' }],
        type: 'object',
        properties: {
          metadata: {
            type: 'object',
            properties: { labels: { type: 'object', additionalProperties: { type: 'string' } } },
          },
          spec: { description: 'What is wanted.', allOf: [{ $ref: '#/components/schemas/PodSpec' }] },
        },
      },
      PodSpec: {
        description: 'A spec.',
        type: 'object',
        required: ['containers'],
        properties: {
          containers: { type: 'array', items: { allOf: [{ $ref: '#/components/schemas/Container' }] } },
          restartPolicy: { type: 'string', enum: ['Always', 'Never'] },
        },
      },
      Container: { type: 'object', properties: { image: { type: 'string' }, port: { format: 'int-or-string' } } },
      Circle: { $ref: '#/components/schemas/Circle' },
    },
  },
});
const pod = schemas.kind('v1', 'Pod')!;

test('fields are found by their path, through references and lists', () => {
  expect(schemas.field(pod, ['spec'])?.description).toBe('What is wanted.');
  expect(Object.keys(schemas.field(pod, ['spec', 'containers'])?.properties ?? {})).toEqual(['image', 'port']);
  expect(schemas.field(pod, ['metadata', 'labels', 'any'])?.type).toBe('string');
  expect(schemas.field(pod, ['spec', 'nothing'])).toBeUndefined();
  expect(schemas.field(pod, ['constructor'])).toBeUndefined();
  expect(schemas.kind('apps/v1', 'Pod')).toBeUndefined();
});

test.each([
  [['spec', 'restartPolicy'], 'enum'],
  [['metadata', 'labels'], 'map[string]string'],
  [['spec', 'containers', 'port'], 'integer or string'],
])('%j is of type %s', (path, type) => expect(schemas.typeName(schemas.field(pod, path)!)).toBe(type));

test('a list is named by its items', () =>
  expect(schemas.typeName(schemas.child(schemas.field(pod, ['spec'])!, 'containers')!)).toBe('[]object'));

test('what may have any key is open', () => {
  expect(schemas.isOpen(schemas.field(pod, ['metadata', 'labels'])!)).toBe(true);
  expect(schemas.isOpen(schemas.field(pod, ['spec'])!)).toBe(false);
  expect(schemas.isOpen({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: {} })).toBe(true);
});

test('a reference to itself ends', () =>
  expect(schemas.resolve({ $ref: '#/components/schemas/Circle' })).toBeDefined());

test('paths of documents', () =>
  expect([openApiPath('v1'), openApiPath('apps/v1')]).toEqual(['/openapi/v3/api/v1', '/openapi/v3/apis/apps/v1']));
