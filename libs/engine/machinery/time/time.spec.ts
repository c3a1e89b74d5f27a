import { describe, expect, test } from '@jest/globals';
import { DAY, HOUR, humanDuration, MINUTE, SECOND, timestamp } from './time.js';

describe('ages print as kubectl prints them', () => {
  test.each([
    [0, '0s'],
    [119 * SECOND, '119s'],
    [2 * MINUTE, '2m'],
    [150 * SECOND, '2m30s'],
    [10 * MINUTE + 5 * SECOND, '10m'],
    [179 * MINUTE, '179m'],
    [3 * HOUR, '3h'],
    [5 * HOUR + 20 * MINUTE, '5h20m'],
    [30 * HOUR, '30h'],
    [3 * DAY + 4 * HOUR, '3d4h'],
    [10 * DAY, '10d'],
    [800 * DAY, '2y70d'],
    [-5 * SECOND, '<invalid>'],
  ])('%d ms is %s', (span, text) => expect(humanDuration(span)).toBe(text));
});

test('timestamps have whole seconds and a Z', () => expect(timestamp(1_763_692_620_999)).toBe('2025-11-21T02:37:00Z'));
