import { expect, test } from '@jest/globals';
import { parseMicroTime, parseTime } from './go-time.js';

const LAYOUT = '"2006-01-02T15:04:05Z07:00"';

test.each([
  ['2026-11-21T02:37:00Z', '2026-11-21T02:37:00Z'],
  ['2026-11-21T02:37:00+01:30', '2026-11-21T01:07:00Z'],
  ['2026-11-21T02:37:00.987Z', '2026-11-21T02:37:00Z'],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00Z'],
])('the time %s is printed %s', (text, value) => expect(parseTime(text)).toEqual({ value }));

test.each([
  ['', `parsing time "" as ${LAYOUT}: cannot parse "" as "2006"`],
  ['yesterday', `parsing time "yesterday" as ${LAYOUT}: cannot parse "yesterday" as "2006"`],
  ['2026-11-21', `parsing time "2026-11-21" as ${LAYOUT}: cannot parse "" as "T"`],
  ['2026-11-21T02:37:00', `parsing time "2026-11-21T02:37:00" as ${LAYOUT}: cannot parse "" as "Z07:00"`],
  ['2026-13-01T00:00:00Z', 'parsing time "2026-13-01T00:00:00Z": month out of range'],
  ['2026-00-01T00:00:00Z', 'parsing time "2026-00-01T00:00:00Z": month out of range'],
  ['2026-01-32T00:00:00Z', 'parsing time "2026-01-32T00:00:00Z": day out of range'],
  ['2026-01-01T24:00:00Z', 'parsing time "2026-01-01T24:00:00Z": hour out of range'],
  ['2026-01-01T00:60:00Z', 'parsing time "2026-01-01T00:60:00Z": minute out of range'],
  ['2026-01-01T00:00:00Zx', 'parsing time "2026-01-01T00:00:00Zx": extra text: "x"'],
])('the time %j is refused', (text, error) => expect(parseTime(text)).toEqual({ error }));

test.each([
  ['2026-11-21T02:37:00.123456Z', '2026-11-21T02:37:00.123456Z'],
  ['2026-11-21T02:37:00.123456+01:00', '2026-11-21T01:37:00.123456Z'],
])('the micro time %s is printed %s', (text, value) => expect(parseMicroTime(text)).toEqual({ value }));

test('a micro time has six digits', () =>
  expect(parseMicroTime('2026-11-21T02:37:00Z')).toEqual({
    error: 'parsing time "2026-11-21T02:37:00Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
  }));
