import { describe, expect, test } from '@jest/globals';
import { compilePrinterColumn } from './printer-columns.js';

const NOW = Date.parse('2026-01-01T12:00:00Z');
const OBJECT = {
  metadata: { name: 'a' },
  spec: {
    size: 3.7,
    ready: true,
    name: 'x',
    tags: ['a', 'b'],
    made: '2026-01-01T11:55:00Z',
    none: null,
    map: { a: 1 },
  },
} as never;
const cell = (type: string, jsonPath: string): unknown =>
  compilePrinterColumn({ name: 'C', type, jsonPath }).cell(OBJECT, NOW);

test.each<[string, string, unknown]>([
  ['integer', '.spec.size', 3],
  ['integer', '.spec.name', null],
  ['number', '.spec.size', 3.7],
  ['number', '.spec.name', null],
  ['boolean', '.spec.ready', true],
  ['boolean', '.spec.name', null],
  ['date', '.spec.made', '5m'],
  ['date', '.spec.name', '<invalid>'],
  ['date', '.spec.size', '<invalid>'],
  ['string', '.spec.name', 'x'],
  ['string', '.spec.size', '3.7'],
  ['string', '.spec.map', '{"a":1}'],
  ['string', '.spec.tags', '["a","b"]'],
  ['string', '.spec.tags[*]', 'a b'],
  ['string', '.spec.none', null],
  ['string', '.spec.missing', null],
  ['string', 'no path[', null],
  ['size', '.spec.name', 'x'],
])('a column of type %s at %s', (type, path, expected) => expect(cell(type, path)).toBe(expected));

describe('the head', () => {
  test('is what the CRD says', () =>
    expect(
      compilePrinterColumn({
        name: 'Size',
        type: 'integer',
        jsonPath: '.a',
        format: 'int32',
        priority: 1,
        description: 'd',
      }),
    ).toMatchObject({ name: 'Size', type: 'integer', format: 'int32', priority: 1, description: 'd' }));
  test('has a description and a type anyway', () =>
    expect(compilePrinterColumn({ name: 'Size', type: 'size', jsonPath: '.a' })).toMatchObject({
      type: 'string',
      description: 'Custom resource definition column (in JSONPath format): .a',
    }));
});
