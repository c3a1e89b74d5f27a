import { describe, expect, test } from '@jest/globals';
import { AGE, create, errorsOf, row, updateErrors } from '../../testing.js';
import { kind as ClusterRoleBindings } from '../clusterrolebinding/kind.js';
import { kind as RoleBindings } from './kind.js';

const roleRef = { kind: 'ClusterRole', name: 'view' };

describe('a binding', () => {
  test.each<[string, object, string[]]>([
    ['to no role', { roleRef: { kind: 'ClusterRole' } }, ['roleRef.name: Required value']],
    [
      'to another kind',
      { roleRef: { kind: 'Pod', name: 'x' } },
      ['roleRef.kind: Unsupported value: "Pod": supported values: "Role", "ClusterRole"'],
    ],
    [
      'of an unknown subject',
      { roleRef, subjects: [{ kind: 'Robot', name: 'r' }] },
      ['subjects[0].kind: Unsupported value: "Robot": supported values: "ServiceAccount", "User", "Group"'],
    ],
    ['of a nameless user', { roleRef, subjects: [{ kind: 'User' }] }, ['subjects[0].name: Required value']],
    ['of a service account of its own namespace', { roleRef, subjects: [{ kind: 'ServiceAccount', name: 'bot' }] }, []],
  ])('%s', (_, fields, errors) => expect(errorsOf(RoleBindings, { ...fields })).toEqual(errors));

  test('of a cluster needs the namespaces of service accounts, and a ClusterRole', () =>
    expect(
      errorsOf(ClusterRoleBindings, {
        roleRef: { kind: 'Role', name: 'x' },
        subjects: [{ kind: 'ServiceAccount', name: 'bot' }],
      }),
    ).toEqual([
      'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
      'subjects[0].namespace: Required value',
    ]));

  test('cannot change its role', () =>
    expect(updateErrors(RoleBindings, { roleRef }, { roleRef: { kind: 'ClusterRole', name: 'edit' } })).toEqual([
      'roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"ClusterRole","Name":"edit"}: cannot change roleRef',
    ]));

  test('defaults groups and prints its subjects', () => {
    const binding = create(RoleBindings, {
      roleRef,
      subjects: [
        { kind: 'User', name: 'ann' },
        { kind: 'User', name: 'bob' },
        { kind: 'Group', name: 'ops' },
        { kind: 'ServiceAccount', name: 'bot', namespace: 'ci' },
      ],
    });
    expect(binding.subjects?.map((s) => s.apiGroup)).toEqual([
      'rbac.authorization.k8s.io',
      'rbac.authorization.k8s.io',
      'rbac.authorization.k8s.io',
      undefined,
    ]);
    expect(row(RoleBindings, binding)).toEqual({
      Name: 'a',
      Role: 'ClusterRole/view',
      Age: AGE,
      Users: 'ann, bob',
      Groups: 'ops',
      ServiceAccounts: 'ci/bot',
    });
  });
});
