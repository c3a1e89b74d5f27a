import { expect, test } from '@jest/globals';
import { aggregate, decodeConfig, findTypeError } from './config-file.js';

const SCHEME = { kind: 'K', versions: ['g/v1'], source: 'scheme.go:1' };

test.each([
  ['kind: K\napiVersion: g/v1\na: 1', undefined],
  ['kind: K\napiVersion: g/v2', 'no kind "K" is registered for version "g/v2" in scheme "scheme.go:1"'],
  ['[]', "Object 'Kind' is missing in '[]'"],
  ['', "Object 'Kind' is missing in 'null'"],
])('%j: %s', (text, failure) => expect(decodeConfig(text, SCHEME).failure).toBe(failure));

test.each([
  [{ s: 'a', b: true, l: ['a'], o: [{}] }, undefined],
  [{ s: null }, undefined],
  [{ s: 1 }, 'json: cannot unmarshal number into Go struct field T.s of type string'],
  [{ b: 'x' }, 'json: cannot unmarshal string into Go struct field T.b of type bool'],
  [{ l: 'x' }, 'json: cannot unmarshal string into Go struct field T.l of type []string'],
  [{ l: [true] }, 'json: cannot unmarshal bool into Go struct field T.l of type string'],
  [{ o: [[]] }, 'json: cannot unmarshal array into Go struct field T.o of type v1.O'],
])('%j: %s', (value, error) =>
  expect(findTypeError('T', value, { s: 'string', b: 'bool', l: '[]string', o: '[]v1.O' })).toBe(error),
);

test('several errors are a list', () => expect([aggregate(['a']), aggregate(['a', 'b'])]).toEqual(['a', '[a, b]']));
