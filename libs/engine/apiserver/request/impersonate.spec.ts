import { beforeEach, describe, expect, test } from '@jest/globals';
import { parseRules } from '../../auth/rbac/policy-text.js';
import type { User } from '../../machinery/client.js';
import { TestServer } from '../testing.js';
import { impersonate } from './impersonate.js';
import { Query } from '../../machinery/requests/query.js';
import { newRequestInfo, type RequestInfo } from './requestinfo.js';

const get = (path: string): RequestInfo => newRequestInfo({ method: 'GET', path }, new Query(''));
const PODS = get('/api/v1/pods');
const ROOT: User = { name: 'root', groups: ['system:masters'] };
const ANN: User = { name: 'ann', groups: [] };
const as = (user: string, groups = ''): Record<string, string> => ({
  'impersonate-user': user,
  ...(groups ? { 'impersonate-group': groups } : {}),
});

let server: TestServer;
beforeEach(() => {
  server = new TestServer();
});

/** Binds a ClusterRole to ann and to the service account shop/bot. */
function allow(name: string, rules: string): void {
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  server.put('clusterroles.rbac.authorization.k8s.io', {
    apiVersion,
    kind: 'ClusterRole',
    metadata: { name },
    rules: parseRules(rules),
  } as never);
  server.put('clusterrolebindings.rbac.authorization.k8s.io', {
    apiVersion,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { kind: 'ClusterRole', name },
    subjects: [
      { kind: 'User', name: 'ann' },
      { kind: 'ServiceAccount', namespace: 'shop', name: 'bot' },
    ],
  } as never);
}

describe('a superuser becomes', () => {
  test.each<[string, Record<string, string>, User]>([
    ['a user', as('jane'), { name: 'jane', groups: ['system:authenticated'] }],
    [
      'a user with groups, uid and extra',
      { ...as('jane', 'dev\nops,1'), 'impersonate-uid': '7', 'impersonate-extra-a%2fb': 'x\ny' },
      { name: 'jane', uid: '7', groups: ['dev', 'ops,1', 'system:authenticated'], extra: { 'a/b': ['x', 'y'] } },
    ],
    [
      'a service account',
      as('system:serviceaccount:shop:bot'),
      {
        name: 'system:serviceaccount:shop:bot',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:shop', 'system:authenticated'],
      },
    ],
    ['a node', as('system:node:w1'), { name: 'system:node:w1', groups: ['system:nodes', 'system:authenticated'] }],
    ['system:anonymous', as('system:anonymous'), { name: 'system:anonymous', groups: ['system:unauthenticated'] }],
    [
      'a user of a group that says whether it is authenticated',
      as('jane', 'system:unauthenticated'),
      { name: 'jane', groups: ['system:unauthenticated'] },
    ],
  ])('%s', (_, headers, user) => expect(impersonate(ROOT, headers, PODS, server.state)).toEqual(user));

  test('a superuser', () =>
    expect(impersonate(ROOT, as('other', 'system:masters'), PODS, server.state).groups).toContain('system:masters'));
});

test.each<[Record<string, string>]>([[{}], [{ 'impersonate-user': '' }], [{ 'user-agent': 'x' }]])(
  '%j is no impersonation',
  (headers) => expect(impersonate(ANN, headers, PODS, server.state)).toBe(ANN),
);

describe('headers that are refused', () => {
  test.each<[string, Record<string, string>, string]>([
    [
      'groups alone',
      { 'impersonate-group': 'x' },
      'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"x"}, Extra:map[string][]string(nil)} without impersonating a user name',
    ],
    [
      'uid and extra alone',
      { 'impersonate-uid': '7', 'impersonate-extra-b': '2', 'impersonate-extra-a': '1' },
      'requested &user.DefaultInfo{Name:"", UID:"7", Groups:[]string(nil), Extra:map[string][]string{"a":[]string{"1"}, "b":[]string{"2"}}} without impersonating a user name',
    ],
    [
      'too many groups',
      as('jane', Array.from({ length: 1_001 }, (_, i) => `g${i}`).join('\n')),
      'too many identities to impersonate',
    ],
  ])('%s', (_, headers, message) =>
    expect(() => impersonate(ROOT, headers, PODS, server.state)).toThrow(
      expect.objectContaining({ code: 400, message }) as never,
    ),
  );
});

describe('another user', () => {
  const refusal = (headers: Record<string, string>, info = PODS, user = ANN): string => {
    try {
      return `is ${impersonate(user, headers, info, server.state).name}`;
    } catch (error) {
      return (error as Error).message;
    }
  };

  test.each<[string, Record<string, string>, string, string]>([
    [
      'a user',
      as('jane'),
      '/api/v1/pods',
      'pods is forbidden: User "ann" cannot impersonate-on:user-info:list resource "pods" in API group "" at the cluster scope',
    ],
    [
      'a service account',
      as('system:serviceaccount:a:b'),
      '/api/v1/pods',
      'pods is forbidden: User "ann" cannot impersonate-on:serviceaccount:list resource "pods" in API group "" at the cluster scope',
    ],
    [
      'a node',
      as('system:node:w1'),
      '/healthz',
      'forbidden: User "ann" cannot impersonate-on:arbitrary-node:get path "/healthz"',
    ],
    [
      'a node with groups, which only legacy impersonation allows',
      as('system:node:w1', 'system:nodes'),
      '/api/v1/pods',
      'users "system:node:w1" is forbidden: User "ann" cannot impersonate resource "users" in API group "" at the cluster scope',
    ],
  ])('is first refused the request itself: as %s', (_, headers, path, message) =>
    expect(refusal(headers, get(path))).toBe(message),
  );

  test('needs the verb impersonate, whose refusal then comes first', () => {
    allow('jane', 'impersonate core users jane');
    expect(refusal(as('jane'))).toBe('is jane');
    expect(refusal(as('bob'))).toBe(
      'users "bob" is forbidden: User "ann" cannot impersonate resource "users" in API group "" at the cluster scope',
    );
  });

  test.each<[string, string, Record<string, string>, string]>([
    [
      'users',
      'impersonate core users jane',
      as('jane', 'dev'),
      'groups "dev" is forbidden: User "ann" cannot impersonate resource "groups" in API group ""',
    ],
    [
      'uids',
      'impersonate core users',
      { ...as('jane'), 'impersonate-uid': '7' },
      'uids.authentication.k8s.io "7" is forbidden: User "ann" cannot impersonate resource "uids"',
    ],
    [
      'extra',
      'impersonate core users',
      { ...as('jane'), 'impersonate-extra-a': '1' },
      'userextras.authentication.k8s.io "1" is forbidden: User "ann" cannot impersonate resource "userextras/a"',
    ],
  ])('needs it for %s, too', (_, rules, headers, message) => {
    allow('jane', rules);
    expect(refusal(as('jane'))).toBe('is jane');
    expect(refusal(headers)).toContain(message);
  });

  test('or needs the verbs of constrained impersonation: for the request, and for the user', () => {
    allow('do', 'impersonate-on:user-info:list core pods');
    expect(refusal(as('jane'))).toBe(
      'users.authentication.k8s.io "jane" is forbidden: User "ann" cannot impersonate:user-info resource "users" in API group "authentication.k8s.io" at the cluster scope',
    );
    allow('be', 'impersonate:user-info authentication.k8s.io users,groups');
    expect(refusal(as('jane', 'dev'))).toBe('is jane');
    expect(refusal(as('jane'), get('/api/v1/secrets'))).toContain(
      'cannot impersonate-on:user-info:list resource "secrets"',
    );
    expect(refusal(as('jane', 'system:masters'))).toContain('impersonating the system:masters group is not allowed');
  });

  test("becomes its own node with a right to 'associated-node'", () => {
    const bot: User = {
      name: 'system:serviceaccount:shop:bot',
      groups: [],
      extra: { 'authentication.kubernetes.io/node-name': ['w1'] },
    };
    allow(
      'node',
      'impersonate-on:associated-node:list core pods\nimpersonate:associated-node authentication.k8s.io nodes *',
    );
    expect(refusal(as('system:node:w1'), PODS, bot)).toBe('is system:node:w1');
    expect(refusal(as('system:node:w2'), PODS, bot)).toContain('cannot impersonate-on:arbitrary-node:list');
  });
});

test('the impersonated user is who SelfSubjectReview sees, and whose roles count', () => {
  const review = () => server.post('/apis/authentication.k8s.io/v1/selfsubjectreviews', {}, as('jane', 'dev'));
  expect(review().body.kind).toBe('Status');
  allow('self', 'create * selfsubjectreviews');
  server.put('clusterrolebindings.rbac.authorization.k8s.io', {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'all' },
    roleRef: { kind: 'ClusterRole', name: 'self' },
    subjects: [{ kind: 'Group', name: 'system:authenticated' }],
  } as never);
  expect(review().body.status).toEqual({ userInfo: { username: 'jane', groups: ['dev', 'system:authenticated'] } });
});
