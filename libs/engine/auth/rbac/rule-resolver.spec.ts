import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Subject } from '../../api/rbac_v1.js';
import type { User } from '../../machinery/client.js';
import { AuthState, userOf } from '../testing.js';
import { getRoleReferenceRules, visitRulesFor } from './rule-resolver.js';

let state: AuthState;
beforeEach(() => {
  state = new AuthState({ now: 0 });
  state.addRole('reader', '', 'get core pods\nget core nodes');
  state.addRole('writer', 'shop', 'create core pods');
});
const grants = (user: User, namespace: string): string[] =>
  [...visitRulesFor(user, namespace, state)].map(
    ({ rule, error, source }) => `${source()}: ${error ?? `${rule?.verbs.join(',')} ${rule?.resources?.join(',')}`}`,
  );

describe('visitRulesFor', () => {
  test('has the rules of the cluster first, then those of the namespace', () => {
    state.bind('near', 'shop', 'Role/writer', { kind: 'User', name: 'jane' });
    state.bind('everywhere', '', 'ClusterRole/reader', { kind: 'Group', name: 'dev' });
    const jane = userOf('jane', 'dev');
    const everywhere = [
      'ClusterRoleBinding "everywhere" of ClusterRole "reader" to Group "dev": get pods',
      'ClusterRoleBinding "everywhere" of ClusterRole "reader" to Group "dev": get nodes',
    ];
    expect(grants(jane, 'shop')).toEqual([
      ...everywhere,
      'RoleBinding "near/shop" of Role "writer" to User "jane": create pods',
    ]);
    expect(grants(jane, 'other')).toEqual(everywhere);
    expect(grants(jane, '')).toEqual(everywhere);
  });

  test('has the error of a role that does not exist', () => {
    state.bind('lost', 'shop', 'Role/none', { kind: 'User', name: 'jane' });
    state.bind('gone', '', 'ClusterRole/none', { kind: 'User', name: 'jane' });
    expect(grants(userOf('jane'), 'shop')).toEqual([
      'ClusterRoleBinding "gone" of ClusterRole "none" to User "jane": clusterrole.rbac.authorization.k8s.io "none" not found',
      'RoleBinding "lost/shop" of Role "none" to User "jane": role.rbac.authorization.k8s.io "none" not found',
    ]);
  });

  test.each<[Subject, string, boolean]>([
    [{ kind: 'User', name: 'jane' }, 'jane', true],
    [{ kind: 'User', name: 'dev' }, 'jane', false],
    [{ kind: 'Group', name: 'dev' }, 'jane', true],
    [{ kind: 'ServiceAccount', name: 'bot', namespace: 'other' }, 'system:serviceaccount:other:bot', true],
    [{ kind: 'ServiceAccount', name: 'bot' }, 'system:serviceaccount:shop:bot', true],
    [{ kind: 'ServiceAccount', name: 'bot' }, 'system:serviceaccount:other:bot', false],
    [{ kind: 'Robot', name: 'jane' }, 'jane', false],
  ])('%j applies to %s: %s', (subject, name, applies) => {
    state.bind('b', 'shop', 'Role/writer', subject);
    expect(grants(userOf(name, 'dev'), 'shop')).toHaveLength(applies ? 1 : 0);
  });

  test('names a service account with its namespace', () => {
    state.bind('b', 'shop', 'ClusterRole/reader', { kind: 'ServiceAccount', name: 'bot' });
    expect(grants(userOf('system:serviceaccount:shop:bot'), 'shop')[0]).toBe(
      'RoleBinding "b/shop" of ClusterRole "reader" to ServiceAccount "bot/shop": get pods',
    );
  });
});

test.each([
  ['ClusterRole', 'reader', 2],
  ['Role', 'writer', 1],
  ['Role', 'reader', 'role.rbac.authorization.k8s.io "reader" not found'],
  ['ClusterRole', 'writer', 'clusterrole.rbac.authorization.k8s.io "writer" not found'],
])('the rules of %s %s: %s', (kind, name, expected) => {
  const rules = getRoleReferenceRules({ apiGroup: 'rbac.authorization.k8s.io', kind, name }, 'shop', state);
  expect(typeof rules === 'string' ? rules : rules.length).toBe(expected);
});
