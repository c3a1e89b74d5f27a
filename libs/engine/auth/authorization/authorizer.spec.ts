import { describe, expect, test } from '@jest/globals';
import { makeAccess, type Access } from '../../machinery/requests/auth.js';
import type { User } from '../../machinery/client.js';
import { AuthState, userOf } from '../testing.js';
import { authorize, isSuperuser, rulesFor } from './authorizer.js';

const state = new AuthState({ now: 0 });
state.addRole('reader', '', 'get,list core pods\nget /metrics');
state.addRole('writer', 'shop', 'create core pods');
state.bind('all', '', 'ClusterRole/reader', { kind: 'Group', name: 'auditors' });
state.bind('read', 'shop', 'ClusterRole/reader', { kind: 'User', name: 'jane' });
state.bind('write', 'shop', 'Role/writer', { kind: 'ServiceAccount', name: 'bot' });
state.bind('lost', 'shop', 'Role/nobody', { kind: 'User', name: 'bob' });
state.bind('lost-too', 'shop', 'Role/nothing', { kind: 'User', name: 'eve' });
state.bind('lost-all', '', 'ClusterRole/nothing', { kind: 'User', name: 'eve' });

const pods = (verb: string, namespace: string): Access => makeAccess(verb, { resource: 'pods', namespace });
const NODE = userOf('system:node:one', 'system:nodes', 'auditors');

test.each([
  [userOf('root', 'system:masters'), true],
  [userOf('system:masters', 'root'), false],
])('%j is a superuser: %s', (user, expected) => expect(isSuperuser(user)).toBe(expected));

describe('authorize', () => {
  const BY_ALL = 'RBAC: allowed by ClusterRoleBinding "all" of ClusterRole "reader" to Group "auditors"';
  test.each<[string, User, Access, object]>([
    ['a superuser', userOf('root', 'system:masters'), pods('delete', 'shop'), { allowed: true }],
    ['a group, everywhere', userOf('x', 'auditors'), pods('list', ''), { allowed: true, reason: BY_ALL }],
    ['a URL', userOf('x', 'auditors'), makeAccess('get', { path: '/metrics' }), { allowed: true, reason: BY_ALL }],
    [
      'a cluster role in one namespace',
      userOf('jane'),
      pods('list', 'shop'),
      { allowed: true, reason: 'RBAC: allowed by RoleBinding "read/shop" of ClusterRole "reader" to User "jane"' },
    ],
    ['and not in another', userOf('jane'), pods('list', 'other'), { allowed: false }],
    ['nor everywhere', userOf('jane'), pods('list', ''), { allowed: false }],
    [
      'a service account of the same namespace',
      userOf('system:serviceaccount:shop:bot'),
      pods('create', 'shop'),
      {
        allowed: true,
        reason: 'RBAC: allowed by RoleBinding "write/shop" of Role "writer" to ServiceAccount "bot/shop"',
      },
    ],
    ['and not its namesake', userOf('system:serviceaccount:other:bot'), pods('create', 'shop'), { allowed: false }],
    [
      'a role that does not exist',
      userOf('bob'),
      pods('list', 'shop'),
      { allowed: false, reason: 'RBAC: role.rbac.authorization.k8s.io "nobody" not found' },
    ],
    [
      'two roles that do not exist',
      userOf('eve'),
      pods('list', 'shop'),
      {
        allowed: false,
        reason:
          'RBAC: [clusterrole.rbac.authorization.k8s.io "nothing" not found, role.rbac.authorization.k8s.io "nothing" not found]',
      },
    ],
    ['a node by itself', NODE, makeAccess('get', { resource: 'nodes', name: 'one' }), { allowed: true }],
    ['a node by a role', NODE, makeAccess('list', { resource: 'pods' }), { allowed: true, reason: BY_ALL }],
    [
      'a node by neither',
      NODE,
      makeAccess('list', { resource: 'secrets', namespace: 'shop' }),
      { allowed: false, reason: 'No Object name found' },
    ],
  ])('%s', (_, user, access, decision) => expect(authorize(user, access, state)).toEqual(decision));
});

describe('rulesFor', () => {
  const READER = {
    resourceRules: [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'] }],
    nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/metrics'] }],
  };
  test('are those of the roles, with the errors of others', () =>
    expect(rulesFor(userOf('bob', 'auditors'), 'shop', state)).toEqual({
      ...READER,
      incomplete: false,
      evaluationError: 'role.rbac.authorization.k8s.io "nobody" not found',
    }));
  test('are complete without errors', () =>
    expect(rulesFor(userOf('jane'), 'shop', state)).toEqual({ ...READER, incomplete: false }));
  test('are incomplete for a node', () =>
    expect(rulesFor(NODE, 'shop', state)).toEqual({
      ...READER,
      incomplete: true,
      evaluationError: 'node authorizer does not support user rule resolution',
    }));
});
