import { describe, expect, test } from '@jest/globals';
import { handle } from '../handle.js';
import { TestServer } from '../testing.js';

const PODS = '/api/v1/namespaces/default/pods';
const SERVICES = '/api/v1/namespaces/default/services';
const server = new TestServer();

describe('a user needs the verb of the method', () => {
  test.each([
    [
      'GET',
      `${PODS}/web/proxy/`,
      'pods "web" is forbidden: User "eve" cannot get resource "pods/proxy" in API group "" in the namespace "default"',
    ],
    [
      'POST',
      `${SERVICES}/web/proxy/x/y`,
      'services "web" is forbidden: User "eve" cannot create resource "services/proxy" in API group "" in the namespace "default"',
    ],
    [
      'PATCH',
      '/api/v1/nodes/worker/proxy/',
      'nodes "worker" is forbidden: User "eve" cannot patch resource "nodes/proxy" in API group "" at the cluster scope',
    ],
  ])('%s %s', (method, path, message) => {
    const user = { name: 'eve', groups: [] };
    const response = handle(server.server, { method, path, query: '', headers: {}, user }, server.state.now);
    expect(JSON.parse(String((response as { body: string }).body))).toMatchObject({ code: 403, message });
  });
});

describe('a WebSocket, whose request is a GET, needs the right to create', () => {
  const role = (verbs: string[]): void => {
    const rules = [{ apiGroups: [''], resources: ['pods/exec', 'pods/attach', 'pods/portforward'], verbs }];
    server.put('roles.rbac.authorization.k8s.io', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'eve', namespace: 'default' },
      rules,
    } as never);
    server.put('rolebindings.rbac.authorization.k8s.io', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'eve', namespace: 'default' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'eve' },
      subjects: [{ kind: 'User', name: 'eve' }],
    } as never);
  };
  const ask = (subresource: string): object => {
    const request = {
      method: 'GET',
      path: `${PODS}/web/${subresource}`,
      query: 'command=ls&stdout=1',
      headers: { connection: 'Upgrade', upgrade: 'websocket' },
      user: { name: 'eve', groups: [] },
    };
    const response = handle(server.server, request, server.state.now);
    return JSON.parse(String((response as { body: string }).body)) as object;
  };

  test.each(['exec', 'attach', 'portforward'])('to pods/%s', (subresource) => {
    role(['get']);
    expect(ask(subresource)).toMatchObject({
      code: 403,
      message: `pods "web" is forbidden: User "eve" cannot create resource "pods/${subresource}" in API group "" in the namespace "default"`,
    });
    role(['get', 'create']);
    expect(ask(subresource)).toMatchObject({ code: 404, message: 'pods "web" not found' });
  });
});

test.each([
  ['PUT', `${PODS}/web/exec`],
  ['DELETE', `${PODS}/web/attach`],
  ['HEAD', `${PODS}/web/portforward`],
  ['FOO', `${PODS}/web/proxy/`],
])('%s %s is not allowed', (method, url) =>
  expect(server.call(method, url).body).toMatchObject({ code: 405, reason: 'MethodNotAllowed' }),
);

test.each([`${PODS}/web/proxy/x?dryRun=All`, `${PODS}/web/exec?dryRun=All`])('%s has no dry run', (url) =>
  expect(server.get(url).body).toMatchObject({ code: 400, message: 'dryRun is not supported' }),
);

test.each(['POST', 'DELETE', 'PUT', 'PATCH'])('%s of a /watch/ path is not allowed', (method) =>
  expect(server.call(method, '/api/v1/watch/namespaces/default').status).toBe(405),
);

test.each(['proxy/', 'exec?command=ls', 'log'])('a /watch/ path does not lead to %s', (subresource) =>
  expect(server.get(`/api/v1/watch/namespaces/default/pods/web/${subresource}`).body).toMatchObject({
    code: 404,
    message: 'the server could not find the requested resource',
  }),
);
