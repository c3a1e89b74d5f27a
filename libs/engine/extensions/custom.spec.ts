import { describe, expect, test } from '@jest/globals';
import type { CustomResourceDefinition } from '../api/apiextensions_v1.js';
import type { Unstructured } from '../machinery/meta/object.js';
import { kind as Definitions } from '../kinds/apiextensions/customresourcedefinition/kind.js';
import { compileCrd } from './compile.js';
import { AGE, context, create, errorsOf, row, updateErrors } from '../kinds/testing.js';
import { compileJsonPath } from './jsonpath.js';
import { applyDefaults } from './defaulting.js';
import { findUnknownFields, prune } from './pruning.js';
import { validateAgainstSchema } from './schema-validation.js';

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

const SPEC = 'spec.validation.openAPIV3Schema.properties[spec]';
const withSpec = (spec: object): object => ({
  versions: [
    version('v1', {
      storage: true,
      schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', ...spec } } } },
    }),
  ],
});

describe('a CustomResourceDefinition', () => {
  test.each<[string, object, string[]]>([
    ['that is good', {}, []],
    [
      'of another name',
      { names: { plural: 'coats', kind: 'Coat' } },
      ['metadata.name: Invalid value: "shirts.stable.example.com": must be spec.names.plural+"."+spec.group'],
    ],
    ['of no scope', { scope: undefined }, ['spec.scope: Required value']],
    [
      'without a schema',
      { versions: [{ name: 'v1', served: true, storage: true }] },
      ['spec.versions[0].schema.openAPIV3Schema: Required value'],
    ],
    [
      'with two storage versions',
      { versions: [version('v1', { storage: true }), version('v2', { storage: true })] },
      [
        'spec.versions: Invalid value: ["v1","v2"]: must have exactly one version marked as storage version',
        'status.storedVersions: Invalid value: ["v1"]: must have the storage version v2',
      ],
    ],
    [
      'without types',
      { versions: [version('v1', { storage: true, schema: { openAPIV3Schema: { properties: { spec: {} } } } })] },
      [
        'spec.validation.openAPIV3Schema.type: Required value: must not be empty at the root',
        'spec.validation.openAPIV3Schema.properties[spec].type: Required value: must not be empty for specified object fields',
      ],
    ],
    [
      'with an array of nothing',
      {
        versions: [
          version('v1', {
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'array' } } } },
          }),
        ],
      },
      ['spec.validation.openAPIV3Schema.properties[spec].items: Required value: must be specified'],
    ],
    [
      'with a rule that names no field',
      withSpec({
        properties: { size: { type: 'integer' } },
        'x-kubernetes-validations': [{ rule: 'self.length > 1' }],
      }),
      [
        `${SPEC}.x-kubernetes-validations[0].rule: Invalid value: {"Rule":"self.length \\u003e 1","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: compilation failed: ERROR: <input>:1:5: undefined field 'length'\n | self.length > 1\n | ....^`,
      ],
    ],
    [
      'with a rule that is no question',
      withSpec({
        properties: { size: { type: 'integer' } },
        'x-kubernetes-validations': [{ rule: 'self.size', fieldPath: '.none', reason: 'Odd', message: ' ' }],
      }),
      [
        `${SPEC}.x-kubernetes-validations[0].message: Invalid value: " ": message must be non-empty if specified`,
        `${SPEC}.x-kubernetes-validations[0].reason: Unsupported value: "Odd": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"`,
        `${SPEC}.x-kubernetes-validations[0].fieldPath: Invalid value: ".none": fieldPath must be a valid path: does not refer to a valid field`,
        `${SPEC}.x-kubernetes-validations[0].rule: Invalid value: {"Rule":"self.size","Message":" ","MessageExpression":"","Reason":"Odd","FieldPath":".none","OptionalOldSelf":null}: cel expression must evaluate to a bool`,
      ],
    ],
    [
      'with a branch that has a structure',
      withSpec({
        properties: { size: { type: 'integer' } },
        anyOf: [{ type: 'object', properties: { color: { description: 'x' } } }],
      }),
      [
        `${SPEC}.anyOf[0].type: Forbidden: must be empty to be structural`,
        `${SPEC}.anyOf[0].properties[color].description: Forbidden: must be empty to be structural`,
        `${SPEC}.properties[color]: Required value: because it is defined in ${SPEC}.anyOf[0].properties[color]`,
      ],
    ],
    [
      'with a port',
      withSpec({
        properties: { port: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] } },
      }),
      [],
    ],
    [
      'with a default of another type',
      withSpec({ properties: { size: { type: 'integer', default: 'big' } } }),
      [`${SPEC}.properties[size].default: Invalid value: "string":  in body must be of type integer: "string"`],
    ],
    [
      'with a default of unknown fields',
      withSpec({ properties: { size: { type: 'object', default: { big: true } } } }),
      [`${SPEC}.properties[size].default: Invalid value: {"big":true}: must not have unknown fields`],
    ],
    [
      'with a pattern that is none',
      withSpec({ properties: { name: { type: 'string', pattern: '(' } } }),
      [
        expect.stringContaining(
          `${SPEC}.properties[name].pattern: Invalid value: "(": must be a valid regular expression, but isn't: error parsing regexp: missing closing ): `,
        ) as unknown as string,
      ],
    ],
    [
      'with a list of unknown keys',
      withSpec({
        properties: {
          list: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['k'],
            items: { type: 'object' },
          },
        },
      }),
      [
        `${SPEC}.properties[list].x-kubernetes-list-map-keys: Invalid value: ["k"]: entries must all be names of item properties`,
      ],
    ],
    [
      'with a map whose key may be missing',
      withSpec({
        properties: {
          list: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['k'],
            items: { type: 'object', properties: { k: { type: 'string' } } },
          },
        },
      }),
      [
        `${SPEC}.properties[list].items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property`,
      ],
    ],
    [
      'with a set of objects',
      withSpec({
        properties: {
          set: {
            type: 'array',
            'x-kubernetes-list-type': 'set',
            items: { type: 'object', properties: { k: { type: 'string' } } },
          },
        },
      }),
      [
        `${SPEC}.properties[set].items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set`,
      ],
    ],
    [
      'with definitions',
      withSpec({ properties: { a: { type: 'object', definitions: { b: { type: 'string' } } } } }),
      [`${SPEC}.properties[a].definitions: Forbidden: definitions is not supported`],
    ],
    [
      'with a default that breaks its rule',
      withSpec({
        properties: { a: { type: 'string', default: 'no', 'x-kubernetes-validations': [{ rule: 'self == "yes"' }] } },
      }),
      [`${SPEC}.properties[a].default: Invalid value: "no": failed rule: self == "yes"`],
    ],
    [
      'that selects by what is not there',
      {
        versions: [
          version('v1', {
            storage: true,
            selectableFields: [{ jsonPath: '.spec.none' }, { jsonPath: '.spec' }, { jsonPath: 'spec.color' }],
          }),
        ],
      },
      [
        'spec.versions[0].selectableFields[0].jsonPath: Invalid value: ".spec.none": is an invalid path: does not refer to a valid field',
        'spec.versions[0].selectableFields[1].jsonPath: Invalid value: ".spec": must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
        'spec.versions[0].selectableFields[2].jsonPath: Invalid value: "spec.color": is an invalid path: expected [ or . but got: spec',
      ],
    ],
    [
      'that warns of what is not deprecated',
      { versions: [version('v1', { storage: true, deprecationWarning: 'old' })] },
      ['spec.versions[0].deprecationWarning: Invalid value: "old": can only be set for deprecated versions'],
    ],
    [
      'with rules for the metadata',
      {
        versions: [
          version('v1', {
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } },
              },
            },
          }),
        ],
      },
      [
        'spec.validation.openAPIV3Schema.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified',
      ],
    ],
    [
      'with a column of no type',
      {
        versions: [
          version('v1', {
            storage: true,
            additionalPrinterColumns: [{ name: 'Size', type: 'size', jsonPath: 'spec' }],
          }),
        ],
      },
      [
        'spec.additionalPrinterColumns[0].type: Invalid value: "size": must be one of boolean,date,integer,number,string',
        'spec.additionalPrinterColumns[0].JSONPath: Invalid value: "spec": must be a simple json path starting with .',
      ],
    ],
  ])('%s', (_, fields, errors) => expect(errorsOf(Definitions, shirts(fields))).toEqual(errors));

  test('gets its names and versions on create', () => {
    const { spec, status } = create(Definitions, shirts());
    expect([spec.names, spec.conversion, status.storedVersions]).toEqual([
      { plural: 'shirts', singular: 'shirt', kind: 'Shirt', listKind: 'ShirtList', shortNames: ['sh'] },
      { strategy: 'None' },
      ['v1'],
    ]);
  });

  test('cannot change its group', () =>
    expect(updateErrors(Definitions, shirts(), shirts({ group: 'other.io' }))).toEqual([
      'spec.group: Invalid value: "other.io": field is immutable',
    ]));
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

describe('a schema', () => {
  const spec = {
    type: 'object',
    properties: {
      a: { type: 'string' },
      kept: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      map: {
        type: 'object',
        additionalProperties: { type: 'object', properties: { b: { type: 'integer', default: 2 } } },
      },
    },
  };

  test.each<[object, object]>([
    [{ a: 'x', z: 1 }, { a: 'x' }],
    [{ kept: { z: 1 } }, { kept: { z: 1 } }],
    [{ map: { one: { b: 1, z: 1 } } }, { map: { one: { b: 1 } } }],
    [{ constructor: 1 }, {}],
  ])('prunes %j', (value, pruned) => expect(prune(spec, value)).toEqual(pruned));

  test('tells what it does not know', () =>
    expect(findUnknownFields(spec, { a: 'x', z: 1, kept: { z: 1 }, map: { one: { b: 1, z: { y: 1 } } } })).toEqual([
      'map.one.z',
      'z',
    ]));

  test('leaves a complete object as it is', () => {
    const value = { a: 'x', map: { one: { b: 1 } } };
    expect(applyDefaults(spec, prune(spec, value))).toBe(value);
  });

  test.each<[object, object]>([
    [{ map: { one: {} } }, { map: { one: { b: 2 } } }],
    [{ a: null }, {}],
    [{ map: { one: { b: null } } }, { map: { one: { b: 2 } } }],
  ])('fills %j', (value, filled) => expect(applyDefaults(spec, value)).toEqual(filled));

  test.each<[object, unknown, string[]]>([
    [{ type: 'integer' }, 'x', ['x: Invalid value: "string": x in body must be of type integer: "string"']],
    [{ type: 'integer', minimum: 1 }, 0, ['x: Invalid value: 0: x in body should be greater than or equal to 1']],
    [{ type: 'string', enum: ['b', 'a'] }, 'c', ['x: Unsupported value: "c": supported values: "b", "a"']],
    [{ type: 'object', required: ['y'] }, {}, ['x.y: Required value']],
    [{ type: 'array', maxItems: 1 }, [1, 2], ['x: Too many: 2: must have at most 1 item']],
    [
      { 'x-kubernetes-int-or-string': true },
      true,
      ['x: Invalid value: "boolean": x in body must be of type integer,string: "boolean"'],
    ],
    [
      { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      {},
      [
        '<nil>: Invalid value: "": "x" must validate one and only one schema (oneOf). Found none valid',
        'x.a: Required value',
      ],
    ],
    [
      { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      {},
      ['<nil>: Invalid value: "": "x" must validate at least one schema (anyOf)', 'x.a: Required value'],
    ],
    [
      { type: 'integer', allOf: [{ minimum: 5 }, { maximum: 9 }] },
      1,
      [
        'x: Invalid value: 1: x in body should be greater than or equal to 5',
        '<nil>: Invalid value: "": "x" must validate all the schemas (allOf)',
      ],
    ],
    [{ type: 'integer', not: { minimum: 5 } }, 7, ['<nil>: Invalid value: "": "x" must not validate the schema (not)']],
    [{ type: 'string', pattern: '^[a-z]+$' }, 'A', ['x: Invalid value: "A": x in body should match \'^[a-z]+$\'']],
    [
      { type: 'string', format: 'ipv4' },
      '1.2.3',
      ['x: Invalid value: "1.2.3": x in body must be of type ipv4: "1.2.3"'],
    ],
    [
      { type: 'string', format: 'date-time' },
      'today',
      ['x: Invalid value: "today": x in body must be of type date-time: "today"'],
    ],
    [{ type: 'string', format: 'of-our-own' }, 'today', []],
    [{ type: 'number', multipleOf: 0.1 }, 0.3, []],
    [{ type: 'string', oneOf: [{ pattern: '^a' }, { pattern: '^b' }] }, 'a', []],
    [{ type: 'string', nullable: true }, null, []],
    [
      { type: 'integer', format: 'int32' },
      5_000_000_000,
      ['<nil>: Invalid value: "": Checked value must be of type integer with format int32 in x'],
    ],
    [
      { type: 'integer', format: 'int64' },
      1.5,
      [
        'x: Invalid value: "float64": x in body must be of type int64: "float64"',
        '<nil>: Invalid value: "": Checked value must be of type integer with format int64 in x',
      ],
    ],
    [
      { type: 'string', minLength: 2, pattern: '^b' },
      'a',
      ['x: Invalid value: "a": x in body should be at least 2 chars long'],
    ],
    [{ type: 'string', format: 'isbn' }, '0-306-40615-2', []],
    [
      { type: 'string', format: 'creditcard' },
      '4111111111111112',
      ['x: Invalid value: "4111111111111112": x in body must be of type creditcard: "4111111111111112"'],
    ],
    [{ type: 'string', format: 'unheard-of' }, 'x', []],
  ])('%j of %j', (property, value, errors) =>
    expect(
      validateAgainstSchema({ x: value }, { type: 'object', properties: { x: property } }).map((e) => e.message),
    ).toEqual(errors),
  );
});

test.each<[string, unknown[]]>([
  ['.a.b', [1]],
  ['.list[0]', ['x']],
  ['.list[-1]', ['y']],
  ['.list[*]', ['x', 'y']],
  ["['a'].b", [1]],
  ['.dotted\\.name', [2]],
  ['.none.b', []],
  ['.items[?(@.k=="v")].n', [7]],
  ['{.a.b}', [1]],
])('the path %s', (path, found) =>
  expect(
    compileJsonPath(path)!({
      a: { b: 1 },
      list: ['x', 'y'],
      'dotted.name': 2,
      items: [
        { k: 'u', n: 6 },
        { k: 'v', n: 7 },
      ],
    }),
  ).toEqual(found),
);
test('what is no simple path', () => expect(compileJsonPath('.a[')).toBeUndefined());
