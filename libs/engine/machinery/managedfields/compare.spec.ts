import { expect, it } from '@jest/globals';
import { compare } from './compare.js';
import { NONE, type FieldSet } from './set.js';
import { spec, TYPE } from './testing.js';

const leaf = NONE;

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
  ['a new map is owned itself, too', {}, { labels: { a: '1' } }, { added: { 'f:labels': { '.': leaf, 'f:a': leaf } } }],
  ['an atomic map changes as a whole', { whole: { a: '1' } }, { whole: { a: '2' } }, { modified: { 'f:whole': leaf } }],
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
  expect(compare(spec(left), spec(right), TYPE)).toEqual({
    added: under(added),
    modified: under(modified),
    removed: under(removed),
  });
});
