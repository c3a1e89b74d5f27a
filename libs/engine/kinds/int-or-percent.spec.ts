import { expect, test } from '@jest/globals';
import { Path } from '../machinery/meta/field.js';
import { getIntOrPercentValue, validateNotMoreThan100Percent, validatePositiveIntOrPercent } from './int-or-percent.js';

const path = Path.of('max');
const PERCENT =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

test.each<[number | string, number, string[]]>([
  [3, 3, []],
  ['25%', 25, []],
  ['100%', 100, []],
  ['101%', 101, ['max: Invalid value: "101%": must not be greater than 100%']],
  [101, 101, []],
  [-1, -1, ['max: Invalid value: -1: must be greater than or equal to 0']],
  ['200', 200, [`max: Invalid value: "200": ${PERCENT}`]],
  ['many', 0, [`max: Invalid value: "many": ${PERCENT}`]],
])('%j is worth %d', (value, worth, errors) => {
  expect(getIntOrPercentValue(value)).toBe(worth);
  expect(
    [...validatePositiveIntOrPercent(value, path), ...validateNotMoreThan100Percent(value, path)].map((e) => e.message),
  ).toEqual(errors);
});
