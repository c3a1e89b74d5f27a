import { expect, test } from '@jest/globals';
import { AGE, create, errorsOf, make, row, updateErrors } from '../../testing.js';
import { kind } from './kind.js';

const data = { spec: {} };

test('the first is number 0', () => expect(create(kind, { data }).revision).toBe(0));

test.each<[string, Record<string, unknown>, string[]]>([
  ['a good one', { data, revision: 1 }, []],
  ['no data', {}, ['data: Required value: data is mandatory']],
  ['one before the first', { data, revision: -1 }, ['revision: Invalid value: -1: must be greater than or equal to 0']],
])('%s', (_, fields, errors) => expect(errorsOf(kind, fields)).toEqual(errors));

test.each<[string, Record<string, unknown>, string[]]>([
  ['of its number', { data, revision: 2 }, []],
  ['of the data', { data: { spec: { a: 1 } } }, ['data: Invalid value: {"spec":{"a":1}}: field is immutable']],
])('an update %s', (_, after, errors) => expect(updateErrors(kind, { data }, after)).toEqual(errors));

const owner = { kind: 'DaemonSet', name: 'web', uid: 'u', controller: true };
test.each<[object[] | undefined, string]>([
  [[{ ...owner, apiVersion: 'apps/v1' }], 'daemonset.apps/web'],
  [[{ ...owner, apiVersion: 'v1' }], 'daemonset/web'],
  [[{ ...owner, apiVersion: 'apps/v1', controller: false }], '<none>'],
  [undefined, '<none>'],
])('a row of an object of %j', (ownerReferences, Controller) =>
  expect(row(kind, make(kind, { metadata: { ownerReferences }, revision: 3 }))).toEqual({
    Name: 'a',
    Controller,
    Revision: 3,
    Age: AGE,
  }),
);
