import { expect, test } from '@jest/globals';
import { ANSIC, formatGoTime, timeJson } from './go-time.js';

const AT = Date.UTC(2026, 0, 2, 15, 4, 5, 60);

test.each([
  [ANSIC, 'Fri Jan  2 15:04:05 2026'],
  ['2006-01-02T15:04:05Z07:00', '2026-01-02T15:04:05Z'],
  ['02/01/06 03:04 PM', '02/01/26 03:04 PM'],
  ['Monday, 2 January 2006 -0700 MST', 'Friday, 2 January 2026 +0000 UTC'],
  ['15:04:05.000', '15:04:05.060'],
])('%s', (layout, text) => expect(formatGoTime(layout, AT)).toBe(text));

test('as Go writes a time in JSON', () => expect(timeJson(AT)).toBe('2026-01-02T15:04:05.06Z'));
