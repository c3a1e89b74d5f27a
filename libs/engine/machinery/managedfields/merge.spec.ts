import { expect, it } from '@jest/globals';
import { mergeFields } from './merge.js';
import { spec, TYPE } from './testing.js';

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
  expect(mergeFields(spec(live), spec(config), TYPE)).toEqual(spec(merged)),
);
