import { expect, test } from '@jest/globals';
import { AGE, create, errorsOf, row, updateErrors } from '../../testing.js';
import { kind } from './kind.js';

const roleRef = { kind: 'ClusterRole', name: 'view' };

test.each<[string, object, string[]]>([
  ['of a user', { roleRef, subjects: [{ kind: 'User', name: 'ann' }] }, []],
  [
    'to a Role',
    { roleRef: { kind: 'Role', name: 'x' } },
    ['roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"'],
  ],
  [
    'of a service account of no namespace',
    { roleRef, subjects: [{ kind: 'ServiceAccount', name: 'bot' }] },
    ['subjects[0].namespace: Required value'],
  ],
])('a binding %s', (_, fields, errors) => expect(errorsOf(kind, { ...fields })).toEqual(errors));

test('cannot change its role', () =>
  expect(updateErrors(kind, { roleRef }, { roleRef: { kind: 'ClusterRole', name: 'edit' } })).toEqual([
    'roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"ClusterRole","Name":"edit"}: cannot change roleRef',
  ]));

test('prints its role and subjects', () =>
  expect(row(kind, create(kind, { roleRef, subjects: [{ kind: 'Group', name: 'ops' }] }))).toEqual({
    Name: 'a',
    Role: 'ClusterRole/view',
    Age: AGE,
    Users: '',
    Groups: 'ops',
    ServiceAccounts: '',
  }));
