import { expect, test } from '@jest/globals';
import { addEntries, marksOf, MAX_MARKS, nearestMark, NOTHING } from './marks.js';
import { advanceOf, momentAt, playOn, timeOfMoment } from './moments.js';

const entry = (revision: number, second: number, object = 'pod/shop/a') => ({
  ...{ revision, at: new Date(second * 1_000).toISOString(), actor: 'jane', object, text: object },
  ...{ verb: 'create', fields: [] as readonly string[], cause: 0 },
});

test('marks in their order; the gravest of those at one place; no clocks', () => {
  const users = [entry(1, 10), entry(2, 500, 'check/c'), entry(3, 900, 'fault/f'), entry(4, 700, 'clock/clock')];
  const warnings = [
    { at: 10_001, text: 'w' },
    { at: 5_000_000, text: 'later' },
  ];
  expect(
    marksOf({ users, faults: [entry(3, 900, 'fault/f')], warnings }, 0, 1_000_000).map(({ kind }) => kind),
  ).toEqual([...['warning', 'check', 'fault']]);
});

test('what was typed is told in its own words, before what it did', () => {
  const typed = { ...entry(1, 10, 'node/control-plane'), verb: 'type', fields: ['kubectl scale deployment web'] };
  expect(marksOf({ users: [entry(2, 10.1), typed], faults: [], warnings: [] }, 0, 1_000_000)).toEqual([
    { kind: 'command', at: 10_000, text: 'kubectl scale deployment web', more: 1 },
  ]);
});

test.each([
  [4, 0],
  [16, 1],
  [90, 2],
])('at %d the nearest mark is number %d', (at, index) =>
  expect(nearestMark([{ at: 0 }, { at: 10 }, { at: 30 }], at)).toBe(index),
);

test('marks are bounded', () => {
  const users = Array.from({ length: 5_000 }, (_, i) => entry(i, i));
  expect(marksOf({ users, faults: [], warnings: [] }, 0, 5_000_000).length).toBeLessThanOrEqual(MAX_MARKS);
});

test('a place on the bar is a moment, and a moment has its place', () => {
  expect([momentAt(1, 0, 1_000), momentAt(0.5, 0, 1_000)]).toEqual(['', '1970-01-01T00:00:00.500Z']);
  expect([timeOfMoment('', 9), timeOfMoment('-2s', 9_000), timeOfMoment('4711', 9)]).toEqual([9, 7_000, undefined]);
});

test('played on, the past comes to the present', () => {
  expect(playOn(1_000, 500, 5_000)).toBe('1970-01-01T00:00:01.500Z');
  expect([playOn(4_900, 500, 5_000), playOn(undefined, 500, 5_000)]).toEqual(['', '']);
});

test.each([
  [' 10m ', { by: '10m' }],
  ['1h30m', { by: '1h30m' }],
  ['size(pods) == 3', { until: 'size(pods) == 3' }],
])('%j lets the time go on', (text, advance) => expect(advanceOf(text)).toEqual(advance));

test('pages of the record are put together, each change once and the newest first', () => {
  const page = (...users: ReturnType<typeof entry>[]) => ({ ...NOTHING, users });
  const known = addEntries(addEntries(NOTHING, page(entry(5, 50), entry(4, 40))), page(entry(4, 40), entry(1, 10)));
  expect(addEntries(known, page(entry(9, 90))).users.map(({ revision }) => revision)).toEqual([9, 5, 4, 1]);
});
