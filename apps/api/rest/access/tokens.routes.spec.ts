import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { nouns } from '@terrarium/platform';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { createKey, startTestApi, type TestApi } from '../../testing.js';

const START_MS = 60_000;
const JSON_BODY = { 'content-type': 'application/json' };

let service: TestApi;
let key: string;
let cluster: string;
let other: string;
beforeAll(async () => {
  service = await startTestApi();
  key = await createKey(service, 'alice');
  const create = async (name: string): Promise<string> =>
    (await call<nouns.Cluster>(key, 'POST', '/v1/clusters', { name, nodes: 0 })).body.id;
  [cluster, other] = [await create('own'), await create('other')];
}, START_MS);
afterAll(() => service?.close(), START_MS);

const CONFIG_MAP = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'c-' } };

async function call<T = { message?: string; error?: string }>(
  credential: string,
  method: string,
  url: string,
  body?: unknown,
): Promise<{ readonly status: number; readonly body: T }> {
  const response = await fetch(service.api.url + url, {
    method,
    headers: { authorization: `Bearer ${credential}`, ...(body === undefined ? {} : JSON_BODY) },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as T };
}
const configMaps = (id = cluster): string => `/clusters/${id}/api/v1/namespaces/default/configmaps`;
const createToken = async (body: object): Promise<nouns.CreatedToken> =>
  (await call<nouns.CreatedToken>(key, 'POST', `/v1/clusters/${cluster}/tokens`, body)).body;

interface GraphQLAnswer {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}
const graphql = async (credential: string, query: string): Promise<GraphQLAnswer> =>
  (await call<GraphQLAnswer>(credential, 'POST', '/graphql', { query })).body;
const apply = (id: string): string =>
  `mutation { apply(clusterId: "${id}", manifest: {apiVersion: "v1", kind: "ConfigMap", metadata: {name: "g"}}) }`;
const query = (id: string): string => `{ cluster(id: "${id}") { name } }`;

/** The names of the first events of a watch by a WebSocket, or the status with which it is refused. */
const watch = (credential: string, id: string): Promise<string | number> => {
  const url = `${service.api.url.replace('http', 'ws')}/clusters/${id}/api/v1/namespaces?watch=1&timeoutSeconds=1`;
  const protocol = `base64url.bearer.authorization.k8s.io.${Buffer.from(credential).toString('base64url')}`;
  const socket = new WebSocket(url, [protocol, 'base64.binary.k8s.io']);
  return new Promise((resolve, reject) => {
    socket.on('message', (data: Buffer) => {
      resolve((JSON.parse(data.toString()) as { type: string }).type);
      socket.close();
    });
    socket.on('unexpected-response', (request, response) => {
      resolve(response.statusCode!);
      request.destroy();
    });
    socket.on('error', reject);
  });
};

/** The first change that a subscription delivers, or why it has failed. */
const subscribe = async (credential: string, id: string): Promise<string> => {
  const { body } = await call<{ metadata: { resourceVersion: string } }>(key, 'POST', configMaps(id), CONFIG_MAP);
  const client = createClient({
    url: `${service.api.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${credential}` },
    retryAttempts: 0,
  });
  const from = Number(body.metadata.resourceVersion) - 1;
  const events = client.iterate<{ changes: { type: string } }>({
    query: `subscription { changes(clusterId: "${id}", kind: "ConfigMap", fromRevision: ${from}) { type } }`,
  });
  try {
    const { value } = (await events.next()) as { value: { data?: { changes: { type: string } }; errors?: unknown } };
    return value.data?.changes.type ?? JSON.stringify(value.errors);
  } catch (error) {
    return JSON.stringify(error);
  } finally {
    await client.dispose();
  }
};

describe('a token that reads', () => {
  let token: string;
  beforeEach(async () => void (token = (await createToken({ scope: 'read' })).token));

  test('reads its cluster by REST, Kubernetes, GraphQL, subscriptions and WebSockets', async () => {
    expect(await call(token, 'GET', `/v1/clusters/${cluster}`)).toMatchObject({ status: 200, body: { name: 'own' } });
    expect((await call(token, 'GET', configMaps())).status).toBe(200);
    expect(await graphql(token, query(cluster))).toEqual({ data: { cluster: { name: 'own' } } });
    expect(await subscribe(token, cluster)).toBe('ADDED');
    expect(await watch(token, cluster)).toBe('ADDED');
  });

  test('reads no other cluster', async () => {
    expect((await call(token, 'GET', `/v1/clusters/${other}`)).status).toBe(404);
    expect((await call(token, 'GET', configMaps(other))).status).toBe(401);
    expect((await graphql(token, query(other))).errors?.[0]?.extensions.code).toBe('NOT_FOUND');
    expect(await subscribe(token, other)).toContain('there is no cluster');
    expect(await watch(token, other)).toBe(401);
  });

  test('writes nothing, and hears so in upstream’s words', async () => {
    expect(await call(token, 'POST', configMaps(), CONFIG_MAP)).toMatchObject({
      status: 403,
      body: {
        kind: 'Status',
        reason: 'Forbidden',
        message:
          'configmaps is forbidden: User "kubernetes-admin" cannot create resource "configmaps" in API group "" in the namespace "default": scopes [read] prevent this action',
      },
    });
    const exec = `/clusters/${cluster}/api/v1/namespaces/default/pods/none/exec?command=ls`;
    expect((await call(token, 'GET', exec)).status).toBe(403);
    const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview' };
    const answer = await call<{ status: { allowed: boolean } }>(
      token,
      'POST',
      `/clusters/${cluster}/apis/authorization.k8s.io/v1/selfsubjectaccessreviews`,
      { ...review, spec: { resourceAttributes: { verb: 'delete', resource: 'pods' } } },
    );
    expect([answer.status, answer.body.status.allowed]).toEqual([201, false]);
    expect((await graphql(token, apply(cluster))).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
    expect((await call(token, 'DELETE', `/v1/clusters/${cluster}`)).status).toBe(403);
  });

  test('makes no token, also not by a kubeconfig file', async () => {
    expect((await call(token, 'POST', `/v1/clusters/${cluster}/tokens`, {})).status).toBe(403);
    expect((await call(token, 'GET', `/v1/clusters/${cluster}/kubeconfig`)).status).toBe(403);
  });
});

describe('a token that uses', () => {
  test('writes in its cluster, but changes and deletes no cluster', async () => {
    const { token } = await createToken({ scope: 'use' });
    expect((await call(token, 'POST', configMaps(), CONFIG_MAP)).status).toBe(201);
    expect((await graphql(token, apply(cluster))).errors).toBeUndefined();
    expect((await graphql(token, apply(other))).errors?.[0]?.extensions.code).toBe('NOT_FOUND');
    for (const [method, url] of [
      ['DELETE', `/v1/clusters/${cluster}`],
      ['PATCH', `/v1/clusters/${cluster}`],
      ['POST', `/v1/clusters/${cluster}/pause`],
      ['POST', '/v1/clusters'],
    ] as const)
      expect([method, url, (await call(token, method, url, {})).status]).toEqual([method, url, 403]);
    expect((await call(token, 'GET', '/v1/keys')).status).toBe(403);
    const remove = `mutation { deleteCluster(id: "${cluster}") }`;
    expect((await graphql(token, remove)).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
  });

  test('is held by RBAC as its subject, by Kubernetes and by GraphQL', async () => {
    const { token } = await createToken({ scope: 'use', user: 'jane', groups: ['dev'] });
    const forbidden = 'User "jane" cannot list resource "configmaps"';
    expect(await call(token, 'GET', configMaps())).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining(forbidden) },
    });
    const objects = `{ objects(clusterId: "${cluster}", apiVersion: "v1", kind: "ConfigMap", namespace: "default") { revision } }`;
    expect((await graphql(token, objects)).errors?.[0]?.message).toContain(forbidden);
  });
});

test('a revoked token is refused at once', async () => {
  const { id, token } = await createToken({});
  expect((await call(token, 'GET', configMaps())).status).toBe(200);
  const { body } = await call<nouns.TokenList>(key, 'GET', `/v1/clusters/${cluster}/tokens`);
  expect(body.items.map((t) => t.id)).toContain(id);
  expect((await call(key, 'DELETE', `/v1/clusters/${cluster}/tokens/${id}`)).status).toBe(204);
  expect((await call(token, 'GET', configMaps())).status).toBe(401);
  expect((await call(token, 'GET', `/v1/clusters/${cluster}`)).status).toBe(401);
});

describe('an open subscription', () => {
  /** Resolves when the subscription has begun; `closed` with the code with which the connection is closed. */
  const open = async (credential: string): Promise<{ closed: Promise<number>; close(): void }> => {
    const socket = new WebSocket(`${service.api.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    const closed = new Promise<number>((resolve) => socket.on('close', resolve));
    await new Promise((resolve) => socket.on('open', resolve));
    const payload = { authorization: `Bearer ${credential}` };
    socket.send(JSON.stringify({ type: 'connection_init', payload }));
    await new Promise((resolve) => socket.once('message', resolve));
    const subscription = `subscription { changes(clusterId: "${cluster}") { type } }`;
    socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: subscription } }));
    return { closed, close: () => socket.close() };
  };

  test('ends when its token is revoked', async () => {
    const { id, token } = await createToken({});
    const { closed } = await open(token);
    const other = await open((await createToken({})).token);
    await call(key, 'DELETE', `/v1/clusters/${cluster}/tokens/${id}`);
    expect(await closed).toBe(4403);
    const later = new Promise((resolve) => setTimeout(resolve, 200, 'open'));
    expect(await Promise.race([other.closed, later])).toBe('open');
    other.close();
  });

  test('ends with its token', async () => {
    const { id, token } = await createToken({ ttl: '10s' });
    const soon = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 1_000);
    await service.database.accessToken.update({ where: { id }, data: { expiresAt: soon } });
    const { closed } = await open(token);
    expect(await closed).toBe(4403);
    expect(Date.now()).toBeGreaterThanOrEqual(soon.getTime());
  });
});

describe('keys of a scope', () => {
  const createKeyOf = async (scope: string): Promise<nouns.CreatedKey> =>
    (await call<nouns.CreatedKey>(key, 'POST', '/v1/keys', { name: scope, scope })).body;

  test.each([
    ['read', { list: 200, create: 403, configMap: 403, users: 403, token: 403 }],
    ['use', { list: 200, create: 201, configMap: 201, users: 403, token: 201 }],
    ['manage', { list: 200, create: 201, configMap: 201, users: 200, token: 201 }],
  ])('%s: %j', async (scope, expected) => {
    const { key: own } = await createKeyOf(scope);
    expect({
      list: (await call(own, 'GET', '/v1/clusters')).status,
      create: (await call(own, 'POST', '/v1/clusters', { name: 'made', nodes: 0 })).status,
      configMap: (await call(own, 'POST', configMaps(), CONFIG_MAP)).status,
      users: (await call(own, 'GET', '/v1/users')).status,
      token: (await call(own, 'POST', `/v1/clusters/${cluster}/tokens`, {})).status,
    }).toEqual(expected);
  });

  test('a revoked key is refused at once, with the kubeconfig files that it has made', async () => {
    const { id, key: own } = await createKeyOf('use');
    const file = await fetch(`${service.api.url}/v1/clusters/${cluster}/kubeconfig`, {
      headers: { authorization: `Bearer ${own}` },
    });
    const token = /token: (\S+)/.exec(await file.text())![1]!;
    expect((await call(token, 'GET', configMaps())).status).toBe(200);
    expect((await call(key, 'DELETE', `/v1/keys/${id}`)).status).toBe(204);
    for (const credential of [own, token]) expect((await call(credential, 'GET', configMaps())).status).toBe(401);
  });
});
