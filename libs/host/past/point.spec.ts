import { describe, expect, test } from '@jest/globals';
import { parsePoint } from './point.js';

describe('a moment of the past', () => {
  test.each<[string, object]>([
    ['4711', { revision: 4711 }],
    ['0', { revision: 0 }],
    ['-10m', { ago: 600_000 }],
    ['-1d2h3m4s', { ago: 93_784_000 }],
    ['2026-11-24T10:00:00Z', { time: Date.UTC(2026, 10, 24, 10) }],
    ['2026-11-24t10:00:00.500z', { time: Date.UTC(2026, 10, 24, 10) + 500 }],
    ['2026-11-24T10:00:00+02:00', { time: Date.UTC(2026, 10, 24, 8) }],
  ])('%s', (text, point) => expect(parsePoint(text)).toEqual(point));

  test.each([
    '',
    '-',
    'soon',
    '10m',
    '-10',
    '1e3',
    '2026-11-24',
    '2026-13-24T10:00:00Z',
    '9'.repeat(16),
    'x'.repeat(500),
  ])('is not %j', (text) =>
    expect(() => parsePoint(text)).toThrow(expect.objectContaining({ code: 400, reason: 'BadRequest' })),
  );
});
