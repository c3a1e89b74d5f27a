import { describe, expect, test } from '@jest/globals';
import { parseRules } from '../../auth/rbac/policy-text.js';
import { Pods } from '../../kinds/index.js';
import type { Access } from '../../machinery/requests/auth.js';
import type { User } from '../../machinery/client.js';
import { TestServer, type Answer } from '../testing.js';
import { accessOf, authorizeRequest, requireCreate } from './authorize.js';
import { Query } from '../../machinery/requests/query.js';
import { newRequestInfo, type RequestInfo } from './requestinfo.js';

const parse = (method: string, url: string): RequestInfo => {
  const [path = '', query = ''] = url.split('?');
  return newRequestInfo({ method, path }, new Query(query));
};
const JANE: User = { name: 'jane', groups: ['system:authenticated'] };

/** Binds a ClusterRole of these rules to jane. */
function allowJane(server: TestServer, rules: string): void {
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const metadata = { name: 'jane' };
  server.put('clusterroles.rbac.authorization.k8s.io', {
    apiVersion,
    kind: 'ClusterRole',
    metadata,
    rules: parseRules(rules),
  } as never);
  server.put('clusterrolebindings.rbac.authorization.k8s.io', {
    apiVersion,
    kind: 'ClusterRoleBinding',
    metadata,
    roleRef: { kind: 'ClusterRole', name: 'jane' },
    subjects: [{ kind: 'User', name: 'jane' }],
  } as never);
}

describe('the access of a request', () => {
  const NOTHING = { group: '', resource: '', subresource: '', name: '', namespace: '' };
  test.each<[string, string, Partial<Access> & { verb: string }]>([
    ['GET', '/api/v1/namespaces/a/pods', { verb: 'list', resource: 'pods', namespace: 'a' }],
    ['GET', '/api/v1/namespaces/a/pods?watch=true', { verb: 'watch', resource: 'pods', namespace: 'a' }],
    ['GET', '/api/v1/watch/pods', { verb: 'watch', resource: 'pods' }],
    [
      'GET',
      '/api/v1/namespaces/a/pods?fieldSelector=metadata.name%3Dx',
      { verb: 'list', resource: 'pods', namespace: 'a', name: 'x', fieldSelector: 'metadata.name=x' },
    ],
    ['GET', '/api/v1/namespaces/a', { verb: 'get', resource: 'namespaces', namespace: 'a', name: 'a' }],
    [
      'PUT',
      '/api/v1/namespaces/a/status',
      { verb: 'update', resource: 'namespaces', subresource: 'status', namespace: 'a', name: 'a' },
    ],
    [
      'POST',
      '/api/v1/namespaces/a/pods/x/eviction',
      { verb: 'create', resource: 'pods', subresource: 'eviction', namespace: 'a', name: 'x' },
    ],
    [
      'DELETE',
      '/apis/apps/v1/namespaces/a/deployments',
      { verb: 'deletecollection', group: 'apps', resource: 'deployments', namespace: 'a' },
    ],
    ['PATCH', '/apis/example.com/v1/things/x', { verb: 'patch', group: 'example.com', resource: 'things', name: 'x' }],
    ['GET', '/api/v1', { verb: 'get', path: '/api/v1' }],
    ['GET', '/apis/apps/v1', { verb: 'get', path: '/apis/apps/v1' }],
    ['POST', '/metrics', { verb: 'post', path: '/metrics' }],
    ['GET', '/a%20b/?watch=1', { verb: 'get', path: '/a%20b/' }],
  ])('%s %s', (method, url, expected) => expect(accessOf(parse(method, url))).toEqual({ ...NOTHING, ...expected }));
});

describe('authorizeRequest', () => {
  const server = new TestServer();
  allowJane(server, 'get core configmaps\nget /healthz');
  const authorize = (user: User, method: string, url: string): void =>
    authorizeRequest(user, parse(method, url), server.state);

  test.each<[User, string, string]>([
    [JANE, 'GET', '/api/v1/namespaces/a/configmaps/x'],
    [JANE, 'GET', '/healthz'],
    [{ name: 'root', groups: ['system:masters'] }, 'DELETE', '/api/v1/namespaces/a'],
  ])('%j may %s %s', (user, method, url) => expect(() => authorize(user, method, url)).not.toThrow());

  test.each<[string, string, string]>([
    [
      'GET',
      '/api/v1/pods',
      'pods is forbidden: User "jane" cannot list resource "pods" in API group "" at the cluster scope',
    ],
    [
      'GET',
      '/apis/nothing.example.com/v1/namespaces/a/things',
      'things.nothing.example.com is forbidden: User "jane" cannot list resource "things" in API group "nothing.example.com" in the namespace "a"',
    ],
    [
      'POST',
      '/api/v1/namespaces/default/pods/x/eviction',
      'pods "x" is forbidden: User "jane" cannot create resource "pods/eviction" in API group "" in the namespace "default"',
    ],
    ['GET', '/metrics', 'forbidden: User "jane" cannot get path "/metrics"'],
  ])('jane may not %s %s', (method, url, message) =>
    expect(() => authorize(JANE, method, url)).toThrow(
      expect.objectContaining({ code: 403, reason: 'Forbidden', message }) as never,
    ),
  );

  test('says why a role could not be looked up', () => {
    const other = new TestServer();
    allowJane(other, 'get core pods');
    other.state.remove('clusterroles.rbac.authorization.k8s.io', { namespace: '', name: 'jane' }, 'test', 0);
    expect(() => authorizeRequest(JANE, parse('GET', '/metrics'), other.state)).toThrow(
      'forbidden: User "jane" cannot get path "/metrics": RBAC: clusterrole.rbac.authorization.k8s.io "jane" not found',
    );
  });
});

describe('requireCreate', () => {
  const server = new TestServer();
  const call = (user: User) => ({ request: { user }, kind: Pods, namespace: 'a', name: 'x', server: server.server });

  test('refuses a user who may only update', () => {
    allowJane(server, 'update,patch core pods');
    expect(() => requireCreate(call(JANE))).toThrow(
      'pods "x" is forbidden: User "jane" cannot create resource "pods" in API group "" in the namespace "a"',
    );
  });
  test('lets one who may create', () => {
    allowJane(server, 'create core pods');
    expect(() => requireCreate(call(JANE))).not.toThrow();
  });
  test('does not ask for superusers', () =>
    expect(() => requireCreate(call({ name: 'root', groups: ['system:masters'] }))).not.toThrow());
});

test('an apply that creates needs the right to create, too', () => {
  const server = new TestServer();
  const apply = (): Answer =>
    server.call(
      'PATCH',
      '/api/v1/namespaces/default/configmaps/a?fieldManager=m',
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } },
      { 'impersonate-user': 'jane', 'content-type': 'application/apply-patch+yaml' },
    );
  allowJane(server, 'patch core configmaps');
  const refused = apply();
  expect([refused.status, refused.body.message]).toEqual([
    403,
    'configmaps "a" is forbidden: User "jane" cannot create resource "configmaps" in API group "" in the namespace "default"',
  ]);
  allowJane(server, 'patch,create core configmaps');
  expect(apply().status).toBe(201);
  allowJane(server, 'patch core configmaps');
  expect(apply().status).toBe(200);
});
