import { describe, expect, test } from '@jest/globals';
import { kind as ClusterRoles } from '../../kinds/rbac/clusterrole/kind.js';
import { kind as ClusterRoleBindings } from '../../kinds/rbac/clusterrolebinding/kind.js';
import { kind as Roles } from '../../kinds/rbac/role/kind.js';
import { kind as RoleBindings } from '../../kinds/rbac/rolebinding/kind.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { ADMIN, ANN, createRequest, objectOf, refusalOf, type RequestFields } from '../testing.js';
import { plugin } from './plugin.js';

const rule = (verb: string, resource: string, more: object = {}): object => ({
  verbs: [verb],
  apiGroups: [''],
  resources: [resource],
  ...more,
});
const RBAC = { apiGroups: ['rbac.authorization.k8s.io'] };
/** A ClusterRole of ann's with the rules. */
const holding = (...rules: object[]): KubeObject[] => [
  objectOf(ClusterRoles, { metadata: { name: 'ann' }, rules }),
  objectOf(ClusterRoleBindings, {
    roleRef: { kind: 'ClusterRole', name: 'ann' },
    subjects: [{ kind: 'User', name: 'ann' }],
  }),
];
const ESCALATION = (resource: string): string =>
  `${resource} is forbidden: user "ann" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["pods"], Verbs:["get"]}`;

describe('a role', () => {
  const role = objectOf(Roles, { rules: [rule('get', 'pods')] });
  test.each<[string, RequestFields, KubeObject[], string | undefined]>([
    ['by who holds nothing', {}, [], ESCALATION('roles.rbac.authorization.k8s.io "a"')],
    ['by who holds its rules', {}, holding(rule('get', 'pods')), undefined],
    ['by who holds more', {}, holding(rule('*', '*')), undefined],
    ['by who may escalate', {}, holding(rule('escalate', 'roles', RBAC)), undefined],
    ['by a superuser', { user: ADMIN }, [], undefined],
    ['by a component', { fromOutside: false }, [], undefined],
    ['with the same rules as before', { old: role }, [], undefined],
    [
      'with more rules than before',
      { old: objectOf(Roles, { rules: [] }) },
      [],
      ESCALATION('roles.rbac.authorization.k8s.io "a"'),
    ],
    ['that is deleted', { object: undefined, old: role }, [], undefined],
  ])('%s', (_, fields, stored, message) =>
    expect(refusalOf(plugin, createRequest(Roles, { object: role, user: ANN, ...fields }, stored))).toBe(message),
  );

  test.each<[string, KubeObject[], string | undefined]>([
    [
      'takes all permissions',
      holding(rule('get', 'pods')),
      'clusterroles.rbac.authorization.k8s.io "a" is forbidden: must have cluster-admin privileges to use the aggregationRule',
    ],
    [
      'is admitted with all permissions',
      holding({ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }, { verbs: ['*'], nonResourceURLs: ['*'] }),
      undefined,
    ],
  ])('an aggregation rule %s', (_, stored, message) =>
    expect(
      refusalOf(
        plugin,
        createRequest(ClusterRoles, { object: objectOf(ClusterRoles, { aggregationRule: {} }), user: ANN }, stored),
      ),
    ).toBe(message),
  );
});

describe('a binding', () => {
  const TARGET = objectOf(ClusterRoles, { metadata: { name: 'reader' }, rules: [rule('get', 'pods')] });
  const binding = objectOf(RoleBindings, { roleRef: { kind: 'ClusterRole', name: 'reader' }, subjects: [] });
  test.each<[string, RequestFields, KubeObject[], string | undefined]>([
    ['by who holds nothing', {}, [TARGET], ESCALATION('rolebindings.rbac.authorization.k8s.io "a"')],
    ['by who holds its rules', {}, [TARGET, ...holding(rule('get', 'pods'))], undefined],
    [
      'by who may bind the role',
      {},
      [TARGET, ...holding(rule('bind', 'clusterroles', { ...RBAC, resourceNames: ['reader'] }))],
      undefined,
    ],
    [
      'by who may bind another',
      {},
      [TARGET, ...holding(rule('bind', 'clusterroles', { ...RBAC, resourceNames: ['x'] }))],
      ESCALATION('rolebindings.rbac.authorization.k8s.io "a"'),
    ],
    ['to a role that does not exist', {}, [], 'rolebindings.rbac.authorization.k8s.io "reader" not found'],
    ['that stays the same', { old: binding }, [TARGET], undefined],
  ])('%s', (_, fields, stored, message) =>
    expect(refusalOf(plugin, createRequest(RoleBindings, { object: binding, user: ANN, ...fields }, stored))).toBe(
      message,
    ),
  );
});
