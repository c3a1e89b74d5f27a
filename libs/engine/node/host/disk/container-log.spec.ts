import { expect, test } from '@jest/globals';
import { gunzipSync } from 'fflate';
import { fromArray, toArray } from '../../../kernel/bytes.js';
import { ContainerLog, type LogEntry } from './container-log.js';

const START = Date.parse('2026-01-01T00:00:00Z');
const SECOND = 1_000;

const current = (log: ContainerLog, at: number): string =>
  log
    .files(START + at)
    .at(-1)!
    .content();

test.each<[string, LogEntry, string]>([
  ['a line', { at: 1_001, text: 'hello' }, '2026-01-01T00:00:01.001000000Z stdout F hello\n'],
  ['of errors', { at: 0, text: 'oh', stream: 'stderr' }, '2026-01-01T00:00:00.000000000Z stderr F oh\n'],
  ['a part of one', { at: 0, text: 'ab', isPartial: true }, '2026-01-01T00:00:00.000000000Z stdout P ab\n'],
  ['an empty one', { at: 0, text: '' }, '2026-01-01T00:00:00.000000000Z stdout F \n'],
])('%s', (_name, entry, expected) => {
  const log = new ContainerLog(START);
  log.add([entry]);
  expect(current(log, 2 * SECOND)).toBe(expected);
});

test.each([
  [0, 0],
  [1, 1],
  [1_000, 1],
  [1_001, 2],
  [60_000, 3],
])('at %d ms there is what was written before: %d lines', (at, count) => {
  const log = new ContainerLog(START);
  log.add([{ at: 0, text: 'a' }]);
  log.add([
    { at: 1_000, text: 'b' },
    { at: 2_000, text: 'c' },
  ]);
  expect(current(log, at).split('\n').length - 1).toBe(count);
  expect(log.length).toBe(3);
});

/** Lines of a mebibyte, one in a second. */
function large(seconds: number): ContainerLog {
  const log = new ContainerLog(START);
  for (let i = 0; i < seconds; i++) log.add([{ at: i * SECOND, text: String(i).padEnd(1 << 20, '.') }]);
  return log;
}

const suffixes = (log: ContainerLog, at: number): string[] => log.files(START + at).map(({ suffix }) => suffix);

test('a file that is too large is renamed at the next look of the kubelet', () => {
  const log = large(12);
  expect(suffixes(log, 9_999)).toEqual(['']);
  expect(suffixes(log, 10 * SECOND)).toEqual(['.20260101-000010', '']);
  expect(current(log, 10 * SECOND)).toBe('');
});

test('older ones are compressed, and there are five at most', () => {
  const log = large(95);
  expect(suffixes(log, 95 * SECOND)).toEqual([
    '.20260101-000100.gz',
    '.20260101-000110.gz',
    '.20260101-000120.gz',
    '.20260101-000130',
    '',
  ]);
  const oldest = log.files(START + 95 * SECOND)[0]!;
  const text = fromArray(gunzipSync(toArray(oldest.content())));
  expect(text).toMatch(/^2026-01-01T00:00:\d\d\.000000000Z stdout F \d+\./);
});

test('a look at an earlier time sees the files of then', () => {
  const log = large(45);
  expect(suffixes(log, 15 * SECOND)).toEqual(['.20260101-000010', '']);
  expect(current(log, 5 * SECOND).split('\n').length - 1).toBe(5);
});
