import { expect, test } from '@jest/globals';
import { cpuText, linePoints, memoryText, readQuantity, usageOf } from './usage.js';

test.each([
  ['250m', 0.25],
  ['1500000n', 0.0015],
  ['2Ki', 2048],
  ['', 0],
  ['x', 0],
])('%s is %d', (text, value) => expect(readQuantity(text)).toBeCloseTo(value));

test('a pod uses what its containers use', () => {
  const containers = [{ usage: { cpu: '100m', memory: '1Mi' } }, { usage: { cpu: '50m', memory: '2Mi' } }];
  expect(usageOf({ containers })).toEqual({ cpu: expect.closeTo(0.15), memory: 3 * 2 ** 20 });
  expect(usageOf({ usage: { cpu: '2', memory: '1Gi' } })).toEqual({ cpu: 2, memory: 2 ** 30 });
  expect(usageOf(undefined)).toEqual({ cpu: 0, memory: 0 });
});

test('as kubectl top prints it', () =>
  expect([cpuText(0.2504), cpuText(2), memoryText(3 * 2 ** 20)]).toEqual(['250m', '2.00', '3Mi']));

test('the newest value is on the right', () => {
  expect(linePoints([0, 1], 100, 10, 11)).toBe('90.0,8.0 100.0,2.0');
  expect(linePoints([], 100, 10, 11)).toBe('');
});
