import { expect, test } from '@jest/globals';
import { AGE, create, errorsOf, row, updateErrors } from '../../testing.js';
import { kind } from './kind.js';

const BAD_KEY =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
const IMMUTABLE = 'Forbidden: field is immutable when `immutable` is set';

test.each<[string, Record<string, unknown>, string[]]>([
  ['keys', { data: { 'a.b-c_D': '' }, binaryData: { e: '' } }, []],
  ['a key', { data: { 'a b': '' } }, [`data[a b]: Invalid value: "a b": ${BAD_KEY}`]],
  ['a binary key', { binaryData: { 'a b': '' } }, [`binaryData[a b]: Invalid value: "a b": ${BAD_KEY}`]],
  ['one too large', { data: { a: 'x'.repeat(1024 * 1024 + 1) } }, [': Too long: may not be more than 1048576 bytes']],
  ['one just as large as may be', { data: { a: 'x'.repeat(1024 * 1024) } }, []],
])('%s', (_, fields, errors) => expect(errorsOf(kind, fields)).toEqual(errors));

test.each<[string, object, object, string[]]>([
  ['other data', { data: { a: 'b' } }, { data: { a: 'c' } }, []],
  [
    'other data of an immutable one',
    { immutable: true, data: { a: 'b' } },
    { immutable: true, data: { a: 'c' } },
    [`data: ${IMMUTABLE}`],
  ],
  [
    'other binary data',
    { immutable: true },
    { immutable: true, binaryData: { a: 'YQ==' } },
    [`binaryData: ${IMMUTABLE}`],
  ],
  ['mutable again', { immutable: true }, {}, [`immutable: ${IMMUTABLE}`]],
])('an update: %s', (_, before, after, errors) =>
  expect(updateErrors(kind, { ...before }, { ...after })).toEqual(errors),
);

test('its row counts data and binary data', () =>
  expect(row(kind, create(kind, { data: { a: '', b: '' }, binaryData: { c: '' } }))).toEqual({
    Name: 'a',
    Data: 3,
    Age: AGE,
  }));
