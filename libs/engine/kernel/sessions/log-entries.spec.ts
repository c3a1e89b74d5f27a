import { expect, test } from '@jest/globals';
import type { LogLine } from '../container.js';
import { countEntries, decodeEntries, lastTimeOf, textOfEntries } from './log-entries.js';

const ENTRIES = '1767225600000 stdout F one\n1767225600500 stderr P two \n1767225601000 stdout F \n';
const LINES: LogLine[] = [
  { at: 1_767_225_600_000, stream: 'stdout', text: 'one', isPartial: false },
  { at: 1_767_225_600_500, stream: 'stderr', text: 'two ', isPartial: true },
  { at: 1_767_225_601_000, stream: 'stdout', text: '', isPartial: false },
];

test.each([
  [0, LINES],
  [1, LINES.slice(1)],
  [3, []],
  [9, []],
])('entries without the first %d', (skipped, expected) => {
  const lines: LogLine[] = [];
  decodeEntries(ENTRIES, lines, skipped, 0);
  expect(lines).toEqual(expected);
});

test('times are counted from a start', () => {
  const lines: LogLine[] = [];
  decodeEntries(ENTRIES, lines, 0, 1_767_225_600_000);
  expect(lines.map(({ at }) => at)).toEqual([0, 500, 1_000]);
});

test.each([
  ['', 0],
  ['1 stdout F a\n', 1],
  [ENTRIES, 3],
])('%j has %d entries', (content, count) => {
  expect(countEntries({ type: 'file', mode: 0o640, user: 0, group: 0, modified: 0, content })).toBe(count);
});

test.each([
  ['', '', undefined],
  ['1 stdout F a\n', 'a\n', 1],
  [ENTRIES, 'one\ntwo \n', 1_767_225_601_000],
  ['1 stdout F  F \n2 stderr P P\n', ' F \nP', 2],
])('%j says %j, at last at %p', (entries, text, at) => {
  expect(textOfEntries(entries)).toBe(text);
  expect(lastTimeOf(entries)).toBe(at);
});
