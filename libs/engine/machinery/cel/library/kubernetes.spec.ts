import { expect, test } from '@jest/globals';
import { evaluate } from '../testing.js';

const NO_QUANTITY = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

test.each<[string, unknown]>([
  ['sign(quantity("-1Mi"))', -1],
  ['sign(quantity("0"))', 0],
  ['quantity("50k").isInteger()', true],
  ['quantity("50.5").isInteger()', false],
  ['quantity("50k").asInteger()', 50_000],
  ['quantity("1.5").asInteger()', 'cannot convert value to integer'],
  ['quantity("1.5").asApproximateFloat()', 1.5],
  ['quantity("1Gi").isGreaterThan(quantity("1G"))', true],
  ['quantity("1Gi").isLessThan(quantity("1G"))', false],
  ['quantity("1Ki").compareTo(quantity("1024"))', 0],
  ['quantity("1").compareTo(quantity("2"))', -1],
  ['quantity("50k").add(quantity("20k")) == quantity("70k")', true],
  ['quantity("50k").add(20) == quantity("50020")', true],
  ['quantity("50k").sub(quantity("20k")) == quantity("30k")', true],
  ['quantity("50k").sub(20) == quantity("49980")', true],
  ['isQuantity("1.3Gi") && !isQuantity("1,3")', true],
  ['quantity("10 Mo")', NO_QUANTITY],
])('of quantities, %s is %s', (text, outcome) => expect(evaluate(text)).toEqual(outcome));

test.each<[string, unknown]>([
  ['url("https://user:pw@example.com:8080/a%20b?q=1&q=2&r=%21").getScheme()', 'https'],
  ['url("https://user:pw@example.com:8080/a").getHost()', 'example.com:8080'],
  ['url("https://example.com:8080/a").getHostname()', 'example.com'],
  ['url("https://[::1]:80/a").getHostname()', '::1'],
  ['url("https://example.com:8080/a").getPort()', '8080'],
  ['url("https://example.com/a%20b").getEscapedPath()', '/a%20b'],
  ['url("https://example.com/?q=1&q=2&r=%21").getQuery()', { q: ['1', '2'], r: ['!'] }],
  ['isURL("/absolute/path") && !isURL("../relative")', true],
  ['url("../relative")', 'URL parse error during conversion from string: parse "../relative": invalid URI for request'],
])('of URLs, %s is %s', (text, outcome) => expect(evaluate(text)).toEqual(outcome));

test.each<[string, unknown]>([
  ['semver("1.2.3-beta+b1").major()', 1],
  ['semver("1.2.3-beta+b1").minor()', 2],
  ['semver("1.2.3-beta+b1").patch()', 3],
  ['semver("1.2.3").isGreaterThan(semver("1.2.3-rc.1"))', true],
  ['semver("1.2.3").isLessThan(semver("1.10.0"))', true],
  ['semver("1.2.3").compareTo(semver("1.2.3"))', 0],
  ['isSemver("1.0") || isSemver("v1.0.0")', false],
  ['isSemver("v1.0", true)', true],
])('of semantic versions, %s is %s', (text, outcome) => expect(evaluate(text)).toEqual(outcome));

test('jsonpatch.escapeKey escapes what a JSON pointer cannot hold', () =>
  expect(evaluate('jsonpatch.escapeKey("example.com/a~b")')).toBe('example.com~1a~0b'));
