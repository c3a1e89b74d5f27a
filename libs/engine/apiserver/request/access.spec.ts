import { beforeEach, describe, expect, test } from '@jest/globals';
import crypto from 'node:crypto';
import { hmac } from '../../machinery/crypto/sha256.js';
import { SECOND } from '../../machinery/time/time.js';
import { handle } from '../handle.js';
import { accessOf } from './requestinfo.js';
import { pod, TestServer, type Answer } from '../testing.js';

let server: TestServer;
beforeEach(() => {
  server = new TestServer();
});

/** A request that the host does not know the maker of. */
function stranger(method: string, path: string, token: string): { status: number; body: any } {
  const response = handle(
    server.server,
    { method, path, query: '', headers: { authorization: `Bearer ${token}` } },
    server.state.now,
  );
  return { status: response.status, body: response.type === 'body' ? JSON.parse(String(response.body)) : undefined };
}
const as = (user: string, groups = ''): Record<string, string> => ({
  'impersonate-user': user,
  ...(groups ? { 'impersonate-group': groups } : {}),
});
const messageOf = ({ status, body }: Answer): [number, string] => [status, body.message];

describe('what a request asks for', () => {
  test.each<[string, string, object]>([
    ['GET', '/api/v1/namespaces/a/pods', { verb: 'list', resource: 'pods', namespace: 'a', name: '' }],
    ['GET', '/api/v1/namespaces/a/pods?watch=true', { verb: 'watch' }],
    ['GET', '/api/v1/watch/pods', { verb: 'watch', resource: 'pods', namespace: '' }],
    ['GET', '/api/v1/namespaces/a/pods?fieldSelector=metadata.name%3Dx', { verb: 'list', name: 'x' }],
    ['GET', '/api/v1/namespaces/a', { verb: 'get', resource: 'namespaces', namespace: 'a', name: 'a' }],
    [
      'PUT',
      '/api/v1/namespaces/a/status',
      { verb: 'update', resource: 'namespaces', subresource: 'status', name: 'a' },
    ],
    [
      'POST',
      '/api/v1/namespaces/a/pods/x/eviction',
      { verb: 'create', resource: 'pods', subresource: 'eviction', name: 'x' },
    ],
    [
      'DELETE',
      '/apis/apps/v1/namespaces/a/deployments',
      { verb: 'deletecollection', group: 'apps', resource: 'deployments' },
    ],
    ['PATCH', '/apis/example.com/v1/things/x', { verb: 'patch', group: 'example.com', resource: 'things', name: 'x' }],
    ['GET', '/api/v1', { verb: 'get', path: '/api/v1' }],
    ['GET', '/apis/apps/v1', { verb: 'get', path: '/apis/apps/v1' }],
    ['POST', '/metrics', { verb: 'post', path: '/metrics' }],
  ])('%s %s', (method, url, expected) => {
    const [path = '', query = ''] = url.split('?');
    expect(accessOf({ method, path, query })).toMatchObject(expected);
  });
});

describe('impersonation', () => {
  test.each<[string, Record<string, string>, unknown]>([
    ['of a user', as('jane'), { username: 'jane', groups: ['system:authenticated'] }],
    [
      'with groups and more',
      { ...as('jane', 'dev\nops,1'), 'impersonate-uid': '7', 'impersonate-extra-a%2fb': 'x' },
      { username: 'jane', uid: '7', groups: ['dev', 'ops,1', 'system:authenticated'], extra: { 'a/b': ['x'] } },
    ],
    [
      'of a service account',
      as('system:serviceaccount:shop:bot'),
      {
        username: 'system:serviceaccount:shop:bot',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:shop', 'system:authenticated'],
      },
    ],
    [
      'of a node',
      as('system:node:w1'),
      { username: 'system:node:w1', groups: ['system:nodes', 'system:authenticated'] },
    ],
    ['of nobody', as('system:anonymous'), { username: 'system:anonymous', groups: ['system:unauthenticated'] }],
  ])('%s', (_, headers, userInfo) => {
    const root = { ...headers };
    const { body } = server.post('/apis/authentication.k8s.io/v1/selfsubjectreviews', {}, root);
    // Nobody is bound to anything in this small server: the answer to who one is needs a role, too.
    expect(body.kind).toBe('Status');
    server.put('clusterroles.rbac.authorization.k8s.io', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'self' },
      rules: [{ verbs: ['create'], apiGroups: ['*'], resources: ['selfsubjectreviews'] }],
    } as never);
    server.put('clusterrolebindings.rbac.authorization.k8s.io', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'self' },
      roleRef: { kind: 'ClusterRole', name: 'self' },
      subjects: [
        { kind: 'Group', name: 'system:authenticated' },
        { kind: 'Group', name: 'system:unauthenticated' },
      ],
    } as never);
    expect(server.post('/apis/authentication.k8s.io/v1/selfsubjectreviews', {}, root).body.status).toEqual({
      userInfo,
    });
  });

  test('of groups alone is refused', () =>
    expect(messageOf(server.get('/api/v1/pods', { 'impersonate-group': 'x' }))).toEqual([
      400,
      'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"x"}, Extra:map[string][]string(nil)} without impersonating a user name',
    ]));

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
  ])('whoever may not: %s %s', (method, path, message) =>
    expect(messageOf(server.call(method, path, undefined, as('jane')))).toEqual([403, message]),
  );
});

describe('impersonation by one who is no superuser', () => {
  const grant = (
    name: string,
    verbs: string[],
    apiGroups: string[],
    resources: string[],
    resourceNames?: string[],
  ): void => {
    server.put('clusterroles.rbac.authorization.k8s.io', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name },
      rules: [{ verbs, apiGroups, resources, resourceNames }],
    } as never);
    server.put('clusterrolebindings.rbac.authorization.k8s.io', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name },
      roleRef: { kind: 'ClusterRole', name },
      subjects: [{ kind: 'User', name: 'ann' }],
    } as never);
  };
  const asAnn = (headers: Record<string, string>, path = '/api/v1/pods'): string => {
    const response = handle(
      server.server,
      { method: 'GET', path, query: '', headers, user: { name: 'ann', groups: [] } },
      server.state.now,
    );
    return JSON.parse(String((response as { body: string }).body)).message;
  };
  const JANE_MAY_NOT =
    'pods is forbidden: User "jane" cannot list resource "pods" in API group "" at the cluster scope';

  test('is first refused for what would be done', () => {
    expect(asAnn(as('jane'))).toBe(
      'pods is forbidden: User "ann" cannot impersonate-on:user-info:list resource "pods" in API group "" at the cluster scope',
    );
    expect(asAnn(as('system:serviceaccount:a:b'))).toBe(
      'pods is forbidden: User "ann" cannot impersonate-on:serviceaccount:list resource "pods" in API group "" at the cluster scope',
    );
    expect(asAnn(as('system:node:w1'), '/healthz')).toBe(
      'forbidden: User "ann" cannot impersonate-on:arbitrary-node:get path "/healthz"',
    );
    expect(asAnn(as('system:node:w1', 'system:nodes'))).toBe(
      'users "system:node:w1" is forbidden: User "ann" cannot impersonate resource "users" in API group "" at the cluster scope',
    );
  });

  test('takes the right to impersonate, and then speaks of that', () => {
    grant('jane', ['impersonate'], [''], ['users'], ['jane']);
    expect(asAnn(as('jane'))).toBe(JANE_MAY_NOT);
    expect(asAnn(as('bob'))).toBe(
      'users "bob" is forbidden: User "ann" cannot impersonate resource "users" in API group "" at the cluster scope',
    );
  });

  test('or the right to do this as them, and to be them', () => {
    grant('do', ['impersonate-on:user-info:list'], [''], ['pods']);
    expect(asAnn(as('jane'))).toBe(
      'users.authentication.k8s.io "jane" is forbidden: User "ann" cannot impersonate:user-info resource "users" in API group "authentication.k8s.io" at the cluster scope',
    );
    grant('be', ['impersonate:user-info'], ['authentication.k8s.io'], ['users', 'groups']);
    expect(asAnn(as('jane', 'dev'))).toBe(JANE_MAY_NOT);
    expect(asAnn(as('jane'), '/api/v1/secrets')).toContain('cannot impersonate-on:user-info:list resource "secrets"');
    expect(asAnn(as('jane', 'system:masters'))).toContain('impersonating the system:masters group is not allowed');
  });
});

test('a configuration that creates needs the right to create, too', () => {
  const role = (verbs: string[]): void =>
    server.put('clusterroles.rbac.authorization.k8s.io', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'patcher' },
      rules: [{ verbs, apiGroups: [''], resources: ['configmaps'] }],
    } as never);
  server.put('clusterrolebindings.rbac.authorization.k8s.io', {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'p' },
    roleRef: { kind: 'ClusterRole', name: 'patcher' },
    subjects: [{ kind: 'User', name: 'jane' }],
  } as never);
  const apply = (): Answer =>
    server.call(
      'PATCH',
      '/api/v1/namespaces/default/configmaps/a?fieldManager=m',
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } },
      { ...as('jane'), 'content-type': 'application/apply-patch+yaml' },
    );
  role(['patch']);
  expect(messageOf(apply())).toEqual([
    403,
    'configmaps "a" is forbidden: User "jane" cannot create resource "configmaps" in API group "" in the namespace "default"',
  ]);
  role(['patch', 'create']);
  expect(apply().status).toBe(201);
  role(['patch']);
  expect(apply().status).toBe(200);
});

describe('a service account token', () => {
  const PODS = '/api/v1/namespaces/default/pods';
  const request = (spec: object = {}): Answer =>
    server.post('/api/v1/namespaces/default/serviceaccounts/default/token', {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec,
    });
  const token = (spec?: object): string => request(spec).body.status.token;
  const isKnown = (text: string): boolean => stranger('GET', PODS, text).status === 403;
  const remove = (path: string): void => {
    server.call('DELETE', path, { gracePeriodSeconds: 0 });
  };

  test('says whose it is', () => {
    expect(stranger('GET', PODS, token())).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('User "system:serviceaccount:default:default"') },
    });
    const [, claims] = token({ audiences: ['vault'] }).split('.');
    expect(JSON.parse(Buffer.from(claims!, 'base64url').toString())).toMatchObject({
      aud: ['vault'],
      iss: 'https://kubernetes.default.svc.cluster.local',
      sub: 'system:serviceaccount:default:default',
    });
  });

  test.each<[string, () => string]>([
    ['no token', () => 'x'],
    ['another signature', () => `${token().slice(0, -4)}AAAA`],
    [
      'no signature',
      () => `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${token().split('.')[1]}.`,
    ],
    [
      'other claims',
      () => {
        const [h, c, s] = token().split('.');
        return [
          h,
          Buffer.from(Buffer.from(c!, 'base64url').toString().replaceAll('default:default', 'default:root')).toString(
            'base64url',
          ),
          s,
        ].join('.');
      },
    ],
    ['another audience', () => token({ audiences: ['vault'] })],
  ])('%s is nobody', (_, make) =>
    expect(stranger('GET', PODS, make())).toMatchObject({
      status: 401,
      body: { message: 'Unauthorized', reason: 'Unauthorized' },
    }),
  );

  test.each(['', 'Bearer', 'Basic amFuZTpwYXNz'])('who shows no token (%j) is anonymous', (authorization) => {
    const response = handle(
      server.server,
      { method: 'GET', path: PODS, query: '', headers: { authorization } },
      server.state.now,
    );
    expect(String((response as { body: string }).body)).toContain('User \\"system:anonymous\\" cannot list resource');
  });

  test('expires', () => {
    const text = token({ expirationSeconds: 600 });
    server.state.now += 599 * SECOND;
    expect(isKnown(text)).toBe(true);
    server.state.now += SECOND;
    expect(isKnown(text)).toBe(false);
  });

  test('goes with its account, even when that comes back', () => {
    const text = token();
    remove('/api/v1/namespaces/default/serviceaccounts/default');
    expect(isKnown(text)).toBe(false);
    server.post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
    expect(isKnown(text)).toBe(false);
  });

  test('goes with the pod it is bound to', () => {
    server.post(PODS, pod('a'));
    const text = token({ boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'a' } });
    expect(isKnown(text)).toBe(true);
    server.call('DELETE', `${PODS}/a`, { gracePeriodSeconds: 0 });
    expect(isKnown(text)).toBe(false);
  });

  test.each<[object, number, string]>([
    [
      { expirationSeconds: 60 },
      422,
      'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 60: may not specify a duration less than 10 minutes',
    ],
    [{ boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'nope' } }, 404, 'pods "nope" not found'],
    [
      { boundObjectRef: { apiVersion: 'v1', kind: 'ConfigMap', name: 'x' } },
      400,
      'cannot bind token to object of type /v1, Kind=ConfigMap',
    ],
  ])('%j is refused', (spec, status, message) => expect(messageOf(request(spec))).toEqual([status, message]));

  test('is reviewed', () => {
    const review = (text: string, audiences?: string[]): unknown =>
      server.post('/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token: text, audiences } }).body.status;
    expect(review(token({ audiences: ['vault'] }), ['vault', 'x'])).toMatchObject({
      authenticated: true,
      audiences: ['vault'],
      user: { username: 'system:serviceaccount:default:default' },
    });
    expect(review('x')).toEqual({ user: {}, error: 'invalid bearer token' });
  });
});

test('HMAC-SHA-256 is right', () => {
  for (const [key, text] of [
    ['', ''],
    ['key', 'The quick brown fox'],
    ['k'.repeat(100), 'x'.repeat(1000)],
  ] as const) {
    expect(Buffer.from(hmac(key, text)).toString('hex')).toBe(
      crypto.createHmac('sha256', key).update(text).digest('hex'),
    );
  }
});
