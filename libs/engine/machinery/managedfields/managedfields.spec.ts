import { describe, expect, it } from '@jest/globals';
import {
  checkFields,
  compare,
  customType,
  difference,
  fieldsOf,
  parseOwners,
  pathText,
  union,
  type FieldsType,
} from './index.js';
import { eachPath, intersection, NONE, parseSet, type FieldSet } from './set.js';
import { mergeFields } from './merge.js';
import { removeFields } from './fields.js';
import { DEDUCED } from './type.js';

const leaf = NONE;
const type: FieldsType = customType(
  {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          size: { type: 'integer' },
          words: { type: 'array', items: { type: 'string' } },
          tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
          ports: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['port', 'protocol'],
            items: {
              type: 'object',
              properties: {
                port: { type: 'integer' },
                protocol: { type: 'string', default: 'TCP' },
                name: { type: 'string' },
              },
            },
          },
          labels: { type: 'object', additionalProperties: { type: 'string' } },
          whole: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: { type: 'string' } } },
          free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          either: { 'x-kubernetes-int-or-string': true },
        },
      },
    },
  },
  DEDUCED,
);
const spec = (value: Record<string, unknown>) => ({ spec: value });

describe('sets', () => {
  const a: FieldSet = { 'f:x': { '.': leaf, 'f:y': leaf }, 'f:z': leaf };
  it.each([
    ['union', union({ 'f:x': { 'f:y': leaf } }, { 'f:x': leaf }), { 'f:x': { '.': leaf, 'f:y': leaf } }],
    [
      'union with a leaf keeps what is below',
      union({ 'f:x': leaf }, { 'f:x': { 'f:y': leaf } }),
      { 'f:x': { '.': leaf, 'f:y': leaf } },
    ],
    [
      'difference takes a member and leaves its children',
      difference(a, { 'f:x': leaf }),
      { 'f:x': { 'f:y': leaf }, 'f:z': leaf },
    ],
    [
      'difference takes a child and leaves the member',
      difference(a, { 'f:x': { 'f:y': leaf } }),
      { 'f:x': leaf, 'f:z': leaf },
    ],
    ['difference of all is nothing', difference(a, a), {}],
    ['intersection', intersection(a, { 'f:x': { 'f:y': leaf }, 'f:q': leaf }), { 'f:x': { 'f:y': leaf } }],
  ])('%s', (_text, is, expected) => expect(is).toEqual(expected));

  it('are printed as upstream prints paths', () => {
    const paths: string[] = [];
    eachPath(
      {
        'f:spec': {
          'k:{"port":80,"protocol":"TCP"}': { '.': leaf, 'f:name': leaf },
          'v:"a"': leaf,
          'i:3': leaf,
          'f:b': leaf,
        },
      },
      (path) => paths.push(pathText(path)),
    );
    expect(paths).toEqual([
      '.spec.b',
      '.spec[3]',
      '.spec[port=80,protocol="TCP"]',
      '.spec[="a"]',
      '.spec[port=80,protocol="TCP"].name',
    ]);
  });

  it.each([
    ['keys are put in order', { 'k:{"b":1, "a":2}': {} }, { 'k:{"a":2,"b":1}': leaf }],
    ['a member alone is a leaf', { 'f:a': { '.': {} } }, { 'f:a': leaf }],
    ['an unknown element is refused', { a: {} }, undefined],
    ['a broken key is refused', { 'k:{': {} }, undefined],
    ['a value that is no object is refused', { 'f:a': 1 }, undefined],
  ])('of clients: %s', (_text, given, expected) => expect(parseSet(given)).toEqual(expected));

  it.each([
    ['no operation', { manager: 'm', apiVersion: 'v1', fieldsType: 'FieldsV1' }],
    ['no version', { manager: 'm', operation: 'Apply', fieldsType: 'FieldsV1' }],
    ['another type', { manager: 'm', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV2' }],
  ])('an entry with %s is refused', (_text, entry) => expect(parseOwners([entry])).toBeUndefined());
});

describe('compare', () => {
  it.each([
    ['a scalar changes', { size: 1 }, { size: 2 }, { modified: { 'f:size': leaf } }],
    ['an atomic list changes as a whole', { words: ['a'] }, { words: ['a', 'b'] }, { modified: { 'f:words': leaf } }],
    [
      'a set gains and loses values',
      { tags: ['a', 'b'] },
      { tags: ['b', 'c'] },
      { added: { 'f:tags': { 'v:"c"': leaf } }, removed: { 'f:tags': { 'v:"a"': leaf } } },
    ],
    ['the order of a set means nothing', { tags: ['a', 'b'] }, { tags: ['b', 'a'] }, {}],
    [
      'an item is known by its keys and their defaults',
      { ports: [{ port: 1 }] },
      { ports: [{ port: 1, protocol: 'TCP', name: 'x' }] },
      { added: { 'f:ports': { 'k:{"port":1,"protocol":"TCP"}': { 'f:name': leaf, 'f:protocol': leaf } } } },
    ],
    [
      'a map is owned by key',
      { labels: { a: '1' } },
      { labels: { a: '2', b: '1' } },
      { modified: { 'f:labels': { 'f:a': leaf } }, added: { 'f:labels': { 'f:b': leaf } } },
    ],
    [
      'a new map is owned itself, too',
      {},
      { labels: { a: '1' } },
      { added: { 'f:labels': { '.': leaf, 'f:a': leaf } } },
    ],
    [
      'an atomic map changes as a whole',
      { whole: { a: '1' } },
      { whole: { a: '2' } },
      { modified: { 'f:whole': leaf } },
    ],
    [
      'what has no schema is granular in maps',
      { free: { a: { b: 1 } } },
      { free: { a: { b: 2 } } },
      { modified: { 'f:free': { 'f:a': { 'f:b': leaf } } } },
    ],
    ['an empty map comes', {}, { labels: {} }, { added: { 'f:labels': leaf } }],
    [
      'items that repeat are owned as a whole',
      { tags: ['a'] },
      { tags: ['a', 'a'] },
      { added: { 'f:tags': { 'v:"a"': leaf } } },
    ],
  ])('%s', (_text, left, right, { added, modified, removed }: Record<string, FieldSet>) => {
    const under = (set?: FieldSet): FieldSet => (set ? { 'f:spec': set } : {});
    expect(compare(spec(left), spec(right), type)).toEqual({
      added: under(added),
      modified: under(modified),
      removed: under(removed),
    });
  });
});

it.each([
  [
    'leaves, keys and items',
    { size: 1, labels: { a: '1' }, ports: [{ port: 1 }] },
    {
      'f:labels': { 'f:a': leaf },
      'f:ports': { 'k:{"port":1,"protocol":"TCP"}': { '.': leaf, 'f:port': leaf } },
      'f:size': leaf,
    },
  ],
  ['empty maps, but no empty lists', { labels: {}, ports: [] }, { 'f:labels': leaf }],
  ['null', { size: null }, { 'f:size': leaf }],
])('a configuration sets %s', (_text, value, fields) =>
  expect(fieldsOf(spec(value), type)).toEqual({ 'f:spec': fields }),
);

it.each([
  [
    "a set keeps both, the configuration's first where it says",
    { tags: ['a', 'b', 'c'] },
    { tags: ['c', 'a', 'd'] },
    { tags: ['b', 'c', 'a', 'd'] },
  ],
  [
    'items merge by key',
    { ports: [{ port: 1, name: 'a' }, { port: 2 }] },
    { ports: [{ port: 2, name: 'b' }] },
    {
      ports: [
        { port: 1, name: 'a' },
        { port: 2, name: 'b' },
      ],
    },
  ],
  ['atomic lists are replaced', { words: ['a'] }, { words: ['b'] }, { words: ['b'] }],
  ['maps merge', { labels: { a: '1' } }, { labels: { b: '2' } }, { labels: { a: '1', b: '2' } }],
  ['an empty map empties nothing', { labels: { a: '1' } }, { labels: {} }, { labels: { a: '1' } }],
])('merge: %s', (_text, live, config, merged) =>
  expect(mergeFields(spec(live), spec(config), type)).toEqual(spec(merged)),
);

it('remove takes fields, items and keys', () => {
  const value = spec({
    size: 1,
    tags: ['a', 'b'],
    ports: [
      { port: 1, name: 'a' },
      { port: 2, name: 'b' },
    ],
    labels: { a: '1', b: '2' },
  });
  const set: FieldSet = {
    'f:spec': {
      'f:size': leaf,
      'f:tags': { 'v:"a"': leaf },
      'f:ports': { 'k:{"port":1,"protocol":"TCP"}': leaf, 'k:{"port":2,"protocol":"TCP"}': { 'f:name': leaf } },
      'f:labels': { 'f:b': leaf },
    },
  };
  expect(removeFields(value, set, type)).toEqual(spec({ tags: ['b'], ports: [{ port: 2 }], labels: { a: '1' } }));
});

it.each([
  ['an unknown field', { foo: 1 }, ['.spec.foo: field not declared in schema']],
  ['a text for a number', { size: 'x' }, ['.spec.size: expected numeric (int or float), got string']],
  ['a repeated value', { tags: ['a', 'a'] }, ['.spec.tags: duplicate entries for key [="a"]']],
  [
    'an item without its key',
    { ports: [{ name: 'x' }] },
    [
      '.spec.ports: element 0: associative list with keys has an element that omits key field "port" (and doesn\'t have default value)',
    ],
  ],
  ['either of two', { either: '50%', free: { any: [1, 'a'] } }, []],
])('check: %s', (_text, value, errors) => expect(checkFields(spec(value), type)).toEqual(errors));
