import { expect, test } from '@jest/globals';
import type { StructuralSchema } from '../schema/structural-schema.js';
import { estimateExtent, lookUpSizes, MAX_REQUEST } from './sizes.js';

const MAX_TEXT = MAX_REQUEST - 2;

test.each<[StructuralSchema, { max: number; minBytes: number } | undefined]>([
  [{ type: 'boolean' }, { max: 0, minBytes: 4 }],
  [{ type: 'integer' }, { max: 0, minBytes: 1 }],
  [{ type: 'string' }, { max: MAX_TEXT, minBytes: 2 }],
  [
    { type: 'string', maxLength: 10 },
    { max: 40, minBytes: 2 },
  ],
  [
    { type: 'string', format: 'byte', maxLength: 10 },
    { max: 10, minBytes: 2 },
  ],
  [
    { type: 'string', format: 'date' },
    { max: 12, minBytes: 12 },
  ],
  [
    { type: 'string', format: 'date-time' },
    { max: 32, minBytes: 21 },
  ],
  [
    { type: 'string', enum: ['a', 'abc'] },
    { max: 3, minBytes: 2 },
  ],
  [{ 'x-kubernetes-int-or-string': true }, { max: MAX_TEXT, minBytes: 1 }],
  [
    { 'x-kubernetes-int-or-string': true, maxLength: 5 },
    { max: 20, minBytes: 1 },
  ],
  [
    { type: 'array', maxItems: 7, items: { type: 'string' } },
    { max: 7, minBytes: 2 },
  ],
  // An item takes two quotes and a comma.
  [
    { type: 'array', items: { type: 'string' } },
    { max: Math.floor(MAX_TEXT / 3), minBytes: 2 },
  ],
  [
    { type: 'object', maxProperties: 4, additionalProperties: { type: 'integer' } },
    { max: 4, minBytes: 2 },
  ],
  // An entry takes a digit, two quotes around a key and punctuation.
  [
    { type: 'object', additionalProperties: { type: 'integer' } },
    { max: Math.floor(MAX_TEXT / 7), minBytes: 2 },
  ],
  // {"ab":1,} with what is required
  [
    { type: 'object', required: ['ab'], properties: { ab: { type: 'integer' }, c: { type: 'string' } } },
    { max: 0, minBytes: 2 + 2 + 1 + 4 },
  ],
  [
    { type: 'object', required: ['ab'], properties: { ab: { type: 'integer', default: 1 } } },
    { max: 0, minBytes: 2 },
  ],
  [{ type: 'array' }, undefined],
  [{}, undefined],
])('the extent of %j', (schema, expected) => {
  const extent = estimateExtent(schema, false);
  expect(extent && { max: extent.max, minBytes: extent.minBytes }).toEqual(expected);
});

const ROOT: StructuralSchema = {
  type: 'object',
  properties: {
    'a-list': { type: 'array', maxItems: 3, items: { type: 'string', maxLength: 5 } },
    map: { type: 'object', maxProperties: 2, additionalProperties: { type: 'string', maxLength: 1 } },
  },
};
test.each<[string[], number | undefined]>([
  [['a__dash__list'], 3],
  [['a__dash__list', '@items'], 20],
  [['map'], 2],
  [['map', '@values'], 4],
  [['map', '@keys'], 0],
  [['metadata', 'name'], MAX_TEXT],
  [['none'], undefined],
  [['map', '@items', 'none'], undefined],
])('the size at %j is at most %s', (path, max) =>
  expect(lookUpSizes(estimateExtent(ROOT, true)!)(path)).toEqual(max === undefined ? undefined : { min: 0, max }),
);
