import { describe, expect, test } from '@jest/globals';
import { hasFormat, isKnownFormat } from './formats.js';

test.each<[string, string[], string[]]>([
  ['bsonobjectid', ['507f1f77bcf86cd799439011'], ['507f1f77bcf86cd79943901']],
  ['byte', ['YQ==', 'YWJj'], ['YQ', '', 'Y*==']],
  ['cidr', ['10.0.0.0/8', '2001:db8::/32'], ['10.0.0.0', '10.0.0.0/33']],
  ['creditcard', ['4111111111111111', '4111-1111-1111-1111'], ['4111111111111112', '1']],
  ['date', ['2026-01-31'], ['2026-02-30', '31.01.2026']],
  ['date-time', ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.5+01:00'], ['2026-01-31', 'today']],
  ['duration', ['1h30m', '5 ms', '2 h'], ['soon', '5']],
  ['email', ['ann@example.com', 'Ann <ann@example.com>'], ['ann', 'ann@']],
  ['hexcolor', ['#fff', 'a0b1c2'], ['#ff', '#gggggg']],
  ['hostname', ['example.com', 'localhost'], ['-a.com', 'a_b']],
  ['ipv4', ['10.0.0.1'], ['10.0.0', '::1']],
  ['ipv6', ['::1', '2001:db8::1'], ['10.0.0.1', ':::']],
  ['isbn', ['0-306-40615-2', '978-3-16-148410-0'], ['0-306-40615-3']],
  ['isbn10', ['0306406152', '080442957X'], ['9783161484100']],
  ['isbn13', ['9783161484100'], ['0306406152']],
  ['k8s-long-name', ['a.b-c.d'], ['A.b', 'a..b']],
  ['k8s-short-name', ['a-b'], ['a.b', '-a']],
  ['mac', ['00:1a:2B:3c:4d:5e', '001a.2b3c.4d5e'], ['00:1a:2b:3c:4d']],
  ['rgbcolor', ['rgb(255, 0,0)'], ['rgb(256,0,0)', '255,0,0']],
  ['ssn', ['123-45-6789', '123456789'], ['12-345-6789']],
  ['uri', ['https://example.com/a', '/a'], ['a b', 'a']],
  ['uuid', ['123e4567-e89b-12d3-a456-426614174000'], ['123e4567']],
  ['uuid4', ['123e4567-e89b-42d3-a456-426614174000'], ['123e4567-e89b-12d3-a456-426614174000']],
  ['uuid5', ['123e4567-e89b-52d3-a456-426614174000'], ['123e4567-e89b-42d3-a456-426614174000']],
])('%s', (format, good, bad) => {
  expect([good.filter((text) => !hasFormat(text, format)), bad.filter((text) => hasFormat(text, format))]).toEqual([
    [],
    [],
  ]);
});

describe('a format', () => {
  test.each<[string | undefined, string, boolean]>([
    ['string', 'date', true],
    ['string', 'password', true],
    ['string', 'of-our-own', false],
    ['string', 'int32', false],
    ['integer', 'int32', true],
    ['integer', 'double', false],
    ['number', 'double', true],
    ['object', 'date', false],
    [undefined, 'date', true],
    ['', 'ipv4', true],
    ['string', 'constructor', false],
  ])('of type %s, %s, is known: %s', (type, format, expected) => expect(isKnownFormat(type, format)).toBe(expected));
  test('that is unknown is not validated', () => expect(hasFormat('x', 'of-our-own')).toBe(true));
  test('does not fit a text without end', () => expect(hasFormat('1'.repeat(70_000), 'byte')).toBe(false));
});
