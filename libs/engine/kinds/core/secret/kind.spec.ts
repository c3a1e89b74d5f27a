import { expect, test } from '@jest/globals';
import { AGE, create, make, row, updateErrors, warningsOf } from '../../testing.js';
import { kind } from './kind.js';

test('stringData becomes data', () => {
  const secret = create(kind, { data: { a: 'YQ==', c: 'YQ==' }, stringData: { b: 'b', c: 'c' } });
  expect(secret).toMatchObject({ type: 'Opaque', data: { a: 'YQ==', b: 'Yg==', c: 'Yw==' } });
  expect(secret.stringData).toBeUndefined();
});

const IMMUTABLE = 'Forbidden: field is immutable when `immutable` is set';
test.each<[string, object, object, string[]]>([
  ['of the data', { data: { a: 'YQ==' } }, { data: { a: 'Yg==' } }, []],
  [
    'of the type',
    { type: 'Opaque' },
    { type: 'example.com/a' },
    ['type: Invalid value: "example.com/a": field is immutable'],
  ],
  [
    'of an immutable one',
    { immutable: true, data: { a: 'YQ==' } },
    { data: { a: 'Yg==' } },
    [`immutable: ${IMMUTABLE}`, `data: ${IMMUTABLE}`],
  ],
])('an update %s', (_, before, after, errors) =>
  expect(updateErrors(kind, { ...before }, { ...after })).toEqual(errors),
);

const CERTIFICATE = btoa('-----BEGIN CERTIFICATE-----');
test.each<[object, string[]]>([
  [{ 'tls.crt': 'YQ==', 'tls.key': 'YQ==' }, ['tls: failed to find any PEM data in certificate input']],
  [{ 'tls.crt': CERTIFICATE, 'tls.key': 'YQ==' }, ['tls: failed to find any PEM data in key input']],
  [{ 'tls.crt': CERTIFICATE, 'tls.key': btoa('-----BEGIN PRIVATE KEY-----') }, []],
])('a TLS secret of %j warns', (data, warnings) =>
  expect(warningsOf(kind, { type: 'kubernetes.io/tls', data })).toEqual(warnings),
);

test('its row', () =>
  expect(row(kind, make(kind, { type: 'Opaque', data: { a: '' } }))).toEqual({
    Name: 'a',
    Type: 'Opaque',
    Data: 1,
    Age: AGE,
  }));

test('it is selected by its type', () => expect(kind.fieldSelectors!['type']!(create(kind))).toBe('Opaque'));
