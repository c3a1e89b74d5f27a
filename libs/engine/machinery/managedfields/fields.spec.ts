import { expect, it } from '@jest/globals';
import { fieldsOf, removeFields } from './fields.js';
import { NONE, type FieldSet } from './set.js';
import { spec, TYPE } from './testing.js';

const leaf = NONE;

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
  expect(fieldsOf(spec(value), TYPE)).toEqual({ 'f:spec': fields }),
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
  expect(removeFields(value, set, TYPE)).toEqual(spec({ tags: ['b'], ports: [{ port: 2 }], labels: { a: '1' } }));
});
