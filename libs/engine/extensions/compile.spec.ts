import { describe, expect, test } from '@jest/globals';
import type { CustomResourceDefinition } from '../api/apiextensions_v1.js';
import { kind as Definitions } from '../kinds/apiextensions/customresourcedefinition/kind.js';
import { AGE, context, create, row } from '../kinds/testing.js';
import type { Unstructured } from '../machinery/meta/object.js';
import { compileCrd } from './compile.js';

const schema = {
  openAPIV3Schema: {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          size: { type: 'integer', default: 1, minimum: 1 },
          color: { type: 'string', enum: ['blue', 'red'] },
        },
      },
      status: { type: 'object', properties: { ready: { type: 'boolean' } } },
    },
  },
};
const version = (name: string, fields: object = {}): object => ({
  name,
  served: true,
  storage: false,
  schema,
  ...fields,
});
const columns = [
  { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
  { name: 'Made', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status', priority: 1 },
];
const shirts = (fields: object = {}): Record<string, unknown> => ({
  metadata: { name: 'shirts.stable.example.com' },
  spec: {
    group: 'stable.example.com',
    scope: 'Namespaced',
    names: { plural: 'shirts', kind: 'Shirt', shortNames: ['sh'] },
    versions: [
      version('v1', {
        storage: true,
        subresources: { status: {}, scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' } },
        additionalPrinterColumns: columns,
      }),
      version('v1beta1'),
    ],
    ...fields,
  },
});
const compile = (fields?: object): ReturnType<typeof compileCrd> =>
  compileCrd(create(Definitions, shirts(fields)) as CustomResourceDefinition);
const shirt = (fields: object): Unstructured => ({
  apiVersion: 'stable.example.com/v1',
  kind: 'Shirt',
  metadata: { name: 'a', creationTimestamp: '2026-01-01T11:55:00Z' },
  ...fields,
});

describe('the kinds of a CRD', () => {
  test('are named, scoped and stored as it says', () => {
    const [stored, beta] = compile();
    expect(stored).toMatchObject({
      group: 'stable.example.com',
      version: 'v1',
      kind: 'Shirt',
      plural: 'shirts',
      singular: 'shirt',
      shortNames: ['sh'],
      scope: 'Namespaced',
      subresources: { status: true, scale: { spec: '.spec.size', status: '.status.size' } },
    });
    expect(beta!.storedAs!.toStorage({ ...shirt({}), apiVersion: 'stable.example.com/v1beta1' }).apiVersion).toBe(
      'stable.example.com/v1',
    );
    expect(beta!.storedAs!.fromStorage(shirt({})).apiVersion).toBe('stable.example.com/v1beta1');
  });

  test('print the columns of the version, or name and age', () => {
    const [stored, beta] = compile();
    const object = shirt({
      spec: { size: 3 },
      status: {
        conditions: [
          { type: 'Other', status: 'False' },
          { type: 'Ready', status: 'True' },
        ],
      },
    });
    expect(row(stored!, object)).toEqual({ Name: 'a', Size: 3, Made: AGE, Ready: 'True' });
    expect(row(beta!, object)).toEqual({ Name: 'a', Age: AGE });
  });

  test('prune, default and reset what a client may not set', () => {
    const [stored] = compile();
    const draft = shirt({ spec: { colour: 'blue' }, status: { ready: true } });
    stored!.defaults!(draft);
    stored!.prepareForCreate!(draft, context);
    expect(draft).toEqual(shirt({ spec: { size: 1 } }));
  });
});

describe('a version', () => {
  const compileVersion = (fields: object): ReturnType<typeof compileCrd>[number] =>
    compile({ versions: [version('v1', { storage: true, ...fields })] })[0]!;

  test('that is not stored or served adds no kind', () =>
    expect(compile({ versions: [version('v1', { storage: true }), version('v2', { served: false })] })).toHaveLength(
      1,
    ));
  test('that is stored, but not served, is internal', () => {
    const [stored, served] = compile({ versions: [version('v1', { storage: true, served: false }), version('v2')] });
    expect([stored!.version, stored!.internal, served!.version, served!.internal]).toEqual([
      'v1',
      true,
      'v2',
      undefined,
    ]);
  });
  test.each<[string, object, string | undefined]>([
    ['is deprecated', { deprecated: true }, 'stable.example.com/v1 Shirt is deprecated'],
    ['warns in its own words', { deprecated: true, deprecationWarning: 'use v2' }, 'use v2'],
    ['is not deprecated', {}, undefined],
  ])('%s', (_, fields, deprecation) => expect(compileVersion(fields).deprecation).toBe(deprecation));
  test('has field selectors', () => {
    const { fieldSelectors } = compileVersion({ selectableFields: [{ jsonPath: '.spec.color' }] });
    expect(fieldSelectors!['spec.color']!(shirt({ spec: { color: 'red' } }))).toBe('red');
  });
  test('reports unknown fields', () =>
    expect(compileVersion({}).unknownFields!(shirt({ spec: { colour: 'blue' } }))).toEqual(['spec.colour']));
});

describe('the status', () => {
  const [stored] = compile();
  test('is not changed by an update of the object', () => {
    const draft = shirt({ spec: { size: 2 }, status: { ready: true } });
    stored!.prepareForUpdate!(draft, shirt({ spec: { size: 1 }, status: { ready: false } }), context);
    expect(draft).toEqual(shirt({ spec: { size: 2 }, status: { ready: false } }));
    stored!.prepareForUpdate!(draft, shirt({ spec: { size: 1 } }), context);
    expect(draft).toEqual(shirt({ spec: { size: 2 } }));
  });
  test('is all that an update of the status changes', () => {
    const draft = shirt({ spec: { size: 2 }, extra: 1, status: { ready: true } });
    stored!.prepareForStatusUpdate!(draft, shirt({ spec: { size: 1 }, status: { ready: false } }), context);
    expect(draft).toEqual(shirt({ spec: { size: 1 }, status: { ready: true } }));
  });
  test('is validated by itself', () =>
    expect(
      stored!.validateStatusUpdate!(shirt({ status: { ready: 'yes', size: -1 } }), shirt({ status: {} }), context).map(
        (e) => e.message,
      ),
    ).toEqual([
      'status.ready: Invalid value: "string": ready in body must be of type boolean: "string"',
      '.status.size: Invalid value: -1: should be a non-negative integer',
    ]));
});

test('an update is compared with the stored object of the same uid', () => {
  const [stored] = compile();
  const errors = (old: object, uid: string): number => {
    const read = { get: () => ({ ...shirt({ spec: old }), metadata: { uid } }) };
    const object = { ...shirt({ spec: { size: 0 } }), metadata: { name: 'a', uid: 'u' } };
    return stored!.validate!(object as never, { ...context, read } as never).length;
  };
  expect([errors({ size: 0 }, 'u'), errors({ size: 1 }, 'u'), errors({ size: 0 }, 'other')]).toEqual([0, 1, 1]);
});
