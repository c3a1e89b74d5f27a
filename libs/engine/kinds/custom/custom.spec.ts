import { describe, expect, test } from '@jest/globals';
import type { CustomResourceDefinition } from '../../api/apiextensions_v1.js';
import type { Unstructured } from '../../machinery/object.js';
import { kind as Definitions } from '../apiextensions/customresourcedefinition/kind.js';
import { compileCrd } from '../custom.js';
import { AGE, context, created, errorsOf, row, updateErrors } from '../testing.js';
import { compilePath } from './jsonpath.js';
import { fill, prune } from './schema.js';
import { validateBySchema } from './validation.js';

const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: { size: { type: 'integer', default: 1, minimum: 1 }, color: { type: 'string', enum: ['blue', 'red'] } } }, status: { type: 'object', properties: { ready: { type: 'boolean' } } } } } };
const version = (name: string, fields: object = {}): object => ({ name, served: true, storage: false, schema, ...fields });
const columns = [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }, { name: 'Made', type: 'date', jsonPath: '.metadata.creationTimestamp' }, { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status', priority: 1 }];
const shirts = (fields: object = {}): Record<string, unknown> => ({
  metadata: { name: 'shirts.stable.example.com' },
  spec: {
    group: 'stable.example.com', scope: 'Namespaced', names: { plural: 'shirts', kind: 'Shirt', shortNames: ['sh'] },
    versions: [version('v1', { storage: true, subresources: { status: {}, scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' } }, additionalPrinterColumns: columns }), version('v1beta1')],
    ...fields,
  },
});
const compile = (fields?: object): ReturnType<typeof compileCrd> => compileCrd(created(Definitions, shirts(fields)) as CustomResourceDefinition);
const shirt = (fields: object): Unstructured => ({ apiVersion: 'stable.example.com/v1', kind: 'Shirt', metadata: { name: 'a', creationTimestamp: '2026-01-01T11:55:00Z' }, ...fields });

describe('a CustomResourceDefinition', () => {
  test.each<[string, object, string[]]>([
    ['that is good', {}, []],
    ['of another name', { names: { plural: 'coats', kind: 'Coat' } }, ['metadata.name: Invalid value: "shirts.stable.example.com": must be spec.names.plural+"."+spec.group']],
    ['of no scope', { scope: undefined }, ['spec.scope: Required value']],
    ['without a schema', { versions: [{ name: 'v1', served: true, storage: true }] }, ['spec.versions[0].schema.openAPIV3Schema: Required value: schemas are required']],
    ['with two storage versions', { versions: [version('v1', { storage: true }), version('v2', { storage: true })] }, ['spec.versions: Invalid value: ["v1","v2"]: must have exactly one version marked as storage version']],
    ['without types', { versions: [version('v1', { storage: true, schema: { openAPIV3Schema: { properties: { spec: {} } } } })] }, [
      'spec.validation.openAPIV3Schema.type: Required value: must not be empty at the root',
      'spec.validation.openAPIV3Schema.properties[spec].type: Required value: must not be empty for specified object fields',
    ]],
    ['with an array of nothing', { versions: [version('v1', { storage: true, schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'array' } } } } })] },
      ['spec.validation.openAPIV3Schema.properties[spec].items: Required value: must be specified']],
  ])('%s', (_, fields, errors) => expect(errorsOf(Definitions, shirts(fields))).toEqual(errors));

  test('gets its names and versions on create', () => {
    const { spec, status } = created(Definitions, shirts());
    expect([spec.names, spec.conversion, status.storedVersions]).toEqual([{ plural: 'shirts', singular: 'shirt', kind: 'Shirt', listKind: 'ShirtList', shortNames: ['sh'] }, { strategy: 'None' }, ['v1']]);
  });

  test('cannot change its group', () => expect(updateErrors(Definitions, shirts(), shirts({ group: 'other.io' }))).toEqual(['spec.group: Invalid value: "other.io": field is immutable']));
});

describe('the kinds of a CRD', () => {
  test('are named, scoped and stored as it says', () => {
    const [stored, beta] = compile();
    expect(stored).toMatchObject({ group: 'stable.example.com', version: 'v1', kind: 'Shirt', plural: 'shirts', singular: 'shirt', shortNames: ['sh'], scope: 'Namespaced', subresources: { status: true, scale: { spec: '.spec.size', status: '.status.size' } } });
    expect(beta!.storedAs!.toStorage({ ...shirt({}), apiVersion: 'stable.example.com/v1beta1' }).apiVersion).toBe('stable.example.com/v1');
    expect(beta!.storedAs!.fromStorage(shirt({})).apiVersion).toBe('stable.example.com/v1beta1');
  });

  test('print the columns of the version, or name and age', () => {
    const [stored, beta] = compile();
    const object = shirt({ spec: { size: 3 }, status: { conditions: [{ type: 'Other', status: 'False' }, { type: 'Ready', status: 'True' }] } });
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
  const spec = { type: 'object', properties: { a: { type: 'string' }, kept: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, map: { type: 'object', additionalProperties: { type: 'object', properties: { b: { type: 'integer', default: 2 } } } } } };

  test.each<[object, object]>([
    [{ a: 'x', z: 1 }, { a: 'x' }],
    [{ kept: { z: 1 } }, { kept: { z: 1 } }],
    [{ map: { one: { b: 1, z: 1 } } }, { map: { one: { b: 1 } } }],
    [{ constructor: 1 }, {}],
  ])('prunes %j', (value, pruned) => expect(prune(spec, value)).toEqual(pruned));

  test('leaves a complete object as it is', () => {
    const value = { a: 'x', map: { one: { b: 1 } } };
    expect(fill(spec, prune(spec, value))).toBe(value);
  });

  test.each<[object, object]>([[{ map: { one: {} } }, { map: { one: { b: 2 } } }], [{ a: null }, {}], [{ map: { one: { b: null } } }, { map: { one: { b: 2 } } }]])('fills %j', (value, filled) => expect(fill(spec, value)).toEqual(filled));

  test.each<[object, unknown, string[]]>([
    [{ type: 'integer' }, 'x', ['x: Invalid value: "string": x in body must be of type integer: "string"']],
    [{ type: 'integer', minimum: 1 }, 0, ['x: Invalid value: 0: x in body should be greater than or equal to 1']],
    [{ type: 'string', enum: ['b', 'a'] }, 'c', ['x: Unsupported value: "c": supported values: "a", "b"']],
    [{ type: 'object', required: ['y'] }, {}, ['x.y: Required value']],
    [{ type: 'array', maxItems: 1 }, [1, 2], ['x: Too many: 2: must have at most 1 item']],
    [{ 'x-kubernetes-int-or-string': true }, true, ['x: Invalid value: "boolean": x in body must be of type integer,string: "boolean"']],
    [{ type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] }, {}, ['<nil>: Invalid value: "": "x" must validate one and only one schema (oneOf). Found none valid', 'x.a: Required value']],
    [{ type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] }, {}, ['<nil>: Invalid value: "": "x" must validate at least one schema (anyOf)', 'x.a: Required value']],
    [{ type: 'integer', allOf: [{ minimum: 5 }, { maximum: 9 }] }, 1, ['x: Invalid value: 1: x in body should be greater than or equal to 5', '<nil>: Invalid value: "": "x" must validate all the schemas (allOf)']],
    [{ type: 'integer', not: { minimum: 5 } }, 7, ['<nil>: Invalid value: "": "x" must not validate the schema (not)']],
    [{ type: 'string', pattern: '^[a-z]+$' }, 'A', ["x: Invalid value: \"A\": x in body should match '^[a-z]+$'"]],
    [{ type: 'string', format: 'ipv4' }, '1.2.3', ['x: Invalid value: "1.2.3": x in body must be of type ipv4: "1.2.3"']],
    [{ type: 'string', format: 'date-time' }, 'today', ['x: Invalid value: "today": x in body must be of type date-time: "today"']],
    [{ type: 'string', format: 'of-our-own' }, 'today', []],
    [{ type: 'number', multipleOf: 0.1 }, 0.3, []],
    [{ type: 'string', oneOf: [{ pattern: '^a' }, { pattern: '^b' }] }, 'a', []],
    [{ type: 'string', nullable: true }, null, []],
  ])('%j of %j', (property, value, errors) => expect(validateBySchema({ x: value }, { type: 'object', properties: { x: property } }).map((e) => e.message)).toEqual(errors));
});

test.each<[string, unknown[]]>([
  ['.a.b', [1]], ['.list[0]', ['x']], ['.list[-1]', ['y']], ['.list[*]', ['x', 'y']], ["['a'].b", [1]], ['.dotted\\.name', [2]], ['.none.b', []], ['.items[?(@.k=="v")].n', [7]], ['{.a.b}', [1]],
])('the path %s', (path, found) =>
  expect(compilePath(path)!({ a: { b: 1 }, list: ['x', 'y'], 'dotted.name': 2, items: [{ k: 'u', n: 6 }, { k: 'v', n: 7 }] })).toEqual(found));
test('what is no simple path', () => expect(compilePath('.a[')).toBeUndefined());
