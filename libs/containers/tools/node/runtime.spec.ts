import { expect, test } from '@jest/globals';
import { shortDuration } from './kubeadm/certs/certs.js';
import { formatTable, humanDuration, humanSize } from './runtime.js';
import { formatSpan, longTime } from './systemd/service-status.js';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

test.each([
  [500, 'Less than a second'],
  [SECOND, '1 second'],
  [59 * SECOND, '59 seconds'],
  [61 * SECOND, 'About a minute'],
  [59 * 60 * SECOND, '59 minutes'],
  [HOUR, 'About an hour'],
  [47 * HOUR, '47 hours'],
  [72 * HOUR, '3 days'],
  [21 * 24 * HOUR, '3 weeks'],
])('%d ms is %s ago', (ms, expected) => expect(humanDuration(ms)).toBe(expected));

test.each([
  [500, '500ms'],
  [59 * SECOND, '59s'],
  [61 * SECOND, '1min 1s'],
  [HOUR + 120 * SECOND, '1h 2min'],
  [25 * HOUR, '1 day 1h'],
  [72 * HOUR, '3 days'],
])('systemd says of %d ms: %s', (ms, expected) => expect(formatSpan(ms)).toBe(expected));

test.each([
  [-1, '0s'],
  [-2_000, '<invalid>'],
  [30 * SECOND, '30s'],
  [90 * SECOND, '1m'],
  [HOUR, '1h'],
  [48 * HOUR, '2d'],
  [24 * 400 * HOUR, '1y'],
])('kubeadm says of %d ms: %s', (ms, expected) => expect(shortDuration(ms)).toBe(expected));

test.each([
  [2_140_000, '2.14MB'],
  [36_512_345, '36.5MB'],
  [999, '999B'],
])('%d bytes are %s', (bytes, expected) => expect(humanSize(bytes)).toBe(expected));

test('a time in full', () => expect(longTime(Date.UTC(2026, 10, 22, 16, 7, 35))).toBe('Sun 2026-11-22 16:07:35 UTC'));

test('cells are 20 wide at least, the last one as it is', () =>
  expect(
    formatTable([
      ['A', 'B'],
      ['1', '2'],
    ]),
  ).toBe(`A${' '.repeat(19)}B\n1${' '.repeat(19)}2\n`));
