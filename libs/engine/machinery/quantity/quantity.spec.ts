import { describe, expect, test } from '@jest/globals';
import {
  addQuantities,
  canonicalQuantity,
  compareQuantity,
  isQuantity,
  milliValue,
  quantityFault,
  quantityValue,
  subtractQuantities,
} from './quantity.js';

const FORMAT = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const SUFFIX = "unable to parse quantity's suffix";

describe('quantities', () => {
  test.each([
    ['0.5', '500m'],
    ['1000m', '1'],
    ['1024Mi', '1Gi'],
    ['1.5Gi', '1536Mi'],
    ['1e3', '1e3'],
    ['1000', '1k'],
    ['1E3', '1e3'],
    ['100', '100'],
    ['1023', '1023'],
    ['0', '0'],
    ['0Gi', '0'],
    ['-1Ki', '-1Ki'],
    ['.5', '500m'],
    ['2.', '2'],
    ['1500M', '1500M'],
    ['0.5Gi', '512Mi'],
    ['0.5Ki', '512'],
    ['1.1Ki', '1126400m'],
    ['100e-3', '100e-3'],
    ['5E', '5E'],
    ['0.0000000001', '1n'],
  ])('%s is printed as %s', (text, canonical) => expect(canonicalQuantity(text)).toBe(canonical));

  test.each([
    ['64mi', SUFFIX],
    ['1ki', SUFFIX],
    ['1e', SUFFIX],
    ['1e-', SUFFIX],
    ['1i', SUFFIX],
    ['256MB', FORMAT],
    ['', FORMAT],
    ['1 Gi', FORMAT],
    ['1.2.3', FORMAT],
    ['1.1.M', FORMAT],
    ['1+1.0M', FORMAT],
    ['0.1am', FORMAT],
    ['abc', FORMAT],
    ['1e999', FORMAT],
    ['0'.repeat(1_000_000), FORMAT],
    ['E'.repeat(1_000_000), FORMAT],
  ])('%.20j is none', (text, fault) => {
    expect([isQuantity(text), quantityFault(text)]).toEqual([false, fault]);
  });

  test.each(['Gi', '.', '+'])('%j is 0, as upstream reads it', (text) => expect(canonicalQuantity(text)).toBe('0'));

  test.each([
    ['100m', 1, 100],
    ['1Ki', 1024, 1_024_000],
    ['2', 2, 2000],
    ['1500m', 2, 1500],
    ['1u', 1, 1],
  ])('%s has value %d and milli-value %d', (text, value, milli) => {
    expect(quantityValue(text)).toBe(value);
    expect(milliValue(text)).toBe(milli);
  });

  test('are compared and added whatever their suffixes', () => {
    expect(compareQuantity('1Gi', '1G')).toBeGreaterThan(0);
    expect(compareQuantity('1000m', '1')).toBe(0);
    expect(addQuantities('100m', '1')).toBe('1100m');
    expect(addQuantities('0', '64Mi')).toBe('64Mi');
    expect(subtractQuantities('1Gi', '512Mi')).toBe('512Mi');
  });
});
