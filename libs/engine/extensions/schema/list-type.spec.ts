import { expect, test } from '@jest/globals';
import { Path } from '../../machinery/meta/field.js';
import { mapKeyText, validateListTypes } from './list-type.js';
import type { StructuralSchema } from './structural-schema.js';

const SET: StructuralSchema = { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } };
const MAP: StructuralSchema = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['port', 'protocol'],
  items: { type: 'object', properties: { port: { type: 'integer' }, protocol: { type: 'string', default: 'TCP' } } },
};
const within = (schema: StructuralSchema): StructuralSchema => ({ type: 'object', properties: { x: schema } });

test.each<[string, StructuralSchema, unknown, string[]]>([
  ['an atomic list', within({ ...SET, 'x-kubernetes-list-type': 'atomic' }), { x: ['a', 'a'] }, []],
  ['a set', within(SET), { x: ['a', 'b'] }, []],
  [
    'a set with duplicates, each reported once',
    within(SET),
    { x: ['a', 'b', 'a', 'a', 'b'] },
    ['x[2]: Duplicate value: "a"', 'x[4]: Duplicate value: "b"'],
  ],
  ['a map', within(MAP), { x: [{ port: 1 }, { port: 2 }] }, []],
  ['a map with another second key', within(MAP), { x: [{ port: 1 }, { port: 1, protocol: 'UDP' }] }, []],
  [
    'a map with a default for a key',
    within(MAP),
    { x: [{ port: 1 }, { port: 1, protocol: 'TCP' }] },
    ['x[1]: Duplicate value: {"port":1,"protocol":"TCP"}'],
  ],
  [
    'a map of texts',
    within(MAP),
    { x: ['a'] },
    ['x[0]: Invalid value: "a": must be an object for an array of list-type map'],
  ],
  [
    'a set in a list',
    within({ type: 'array', items: within(SET) }),
    { x: [{ x: ['a', 'a'] }] },
    ['x[0].x[1]: Duplicate value: "a"'],
  ],
  [
    'a set in a map',
    within({ type: 'object', additionalProperties: SET }),
    { x: { k: ['a', 'a'] } },
    ['x[k][1]: Duplicate value: "a"'],
  ],
])('%s', (_, schema, value, errors) =>
  expect(validateListTypes(schema, value, Path.of()).map((e) => e.message)).toEqual(errors),
);

test('keys are compared with their defaults', () =>
  expect(
    [{ port: 1 }, { port: 1, protocol: 'TCP', more: 2 }, {}].map((item) => mapKeyText(item, ['port', 'protocol'], MAP)),
  ).toEqual(['{"port":1,"protocol":"TCP"}', '{"port":1,"protocol":"TCP"}', '{"protocol":"TCP"}']));
