import { expect, test } from '@jest/globals';
import {
  duplicate,
  forbiddenField,
  goValue,
  invalidField,
  invalidValue,
  notFoundValue,
  notSupported,
  OMITTED,
  Path,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from './field.js';

const at = Path.of('spec').child('ports').index(0).child('port');

test.each([
  [at, 'spec.ports[0].port'],
  [Path.of('metadata', 'labels').key('a/b'), 'metadata.labels[a/b]'],
  [Path.of().child('kind'), 'kind'],
  [Path.of('spec').child('a', 'b'), 'spec.a.b'],
])('a path is printed: %s', (path, text) => expect(String(path)).toBe(text));

test.each([
  [required(at), 'FieldValueRequired', 'Required value'],
  [required(at, 'must be set'), 'FieldValueRequired', 'Required value: must be set'],
  [invalidValue(at, 0, 'too small'), 'FieldValueInvalid', 'Invalid value: 0: too small'],
  [invalidValue(at, OMITTED, 'too large'), 'FieldValueInvalid', 'Invalid value: too large'],
  [invalidField(at, 'must not be'), 'FieldValueInvalid', 'Invalid value: must not be'],
  [duplicate(at, 'a'), 'FieldValueDuplicate', 'Duplicate value: "a"'],
  [duplicate(at, OMITTED), 'FieldValueDuplicate', 'Duplicate value'],
  [notFoundValue(at, 'a'), 'FieldValueNotFound', 'Not found: "a"'],
  [
    notSupported(at, 'a', ['TCP', 'UDP']),
    'FieldValueNotSupported',
    'Unsupported value: "a": supported values: "TCP", "UDP"',
  ],
  [notSupported(at, 'a', []), 'FieldValueNotSupported', 'Unsupported value: "a"'],
  [forbiddenField(at, 'no'), 'FieldValueForbidden', 'Forbidden: no'],
  [tooLong(at, 5), 'FieldValueTooLong', 'Too long: may not be more than 5 bytes'],
  [tooMany(at, 3, 1), 'FieldValueTooMany', 'Too many: 3: must have at most 1 item'],
  [tooMany(at, 3, 2), 'FieldValueTooMany', 'Too many: 3: must have at most 2 items'],
  [typeInvalid(at, [1], 'must be a map'), 'FieldValueTypeInvalid', 'Invalid value: [1]: must be a map'],
])('%j', (error, type, body) =>
  expect(error).toEqual({ type, field: 'spec.ports[0].port', body, message: `spec.ports[0].port: ${body}` }),
);

test.each([
  [undefined, 'null'],
  [null, 'null'],
  ['a"b', '"a\\"b"'],
  [1.5, '1.5'],
  [true, 'true'],
  [{ a: '<b>&' }, '{"a":"\\u003cb\\u003e\\u0026"}'],
])('%j is printed as Go does: %s', (value, text) => expect(goValue(value)).toBe(text));
