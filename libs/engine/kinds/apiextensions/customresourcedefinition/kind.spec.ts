import { describe, expect, test } from '@jest/globals';
import { create, errorsOf, updateErrors } from '../../testing.js';
import { kind as Definitions } from './kind.js';

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
