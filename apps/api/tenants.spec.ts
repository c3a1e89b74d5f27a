import crypto from 'node:crypto';
import https from 'node:https';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ClusterKeys } from '@terrarium/engine';
import { ensureOperatorKey, Identity } from '@terrarium/platform';
import { writeName } from '../../libs/engine/machinery/crypto/x509/name.js';
import { encodePem } from '../../libs/engine/machinery/crypto/x509/pem.js';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { Api } from './bootstrap.js';
import { CONSOLE_ROUTES } from './console/console.routes.js';
import { rootFieldsOf, type RootField } from './graphql/testing.js';
import { createKey, startTestApi, type TestApi } from './testing.js';

/** Routes that say nothing about any tenant; whatever is not here must keep tenants apart. */
const PUBLIC = ['/healthz', '/readyz', '/metrics', '/docs', '/docs/openapi.json', ...CONSOLE_ROUTES];
/** Routes whose answers are the caller's own by construction: they take no id. */
const OWN = [
  'POST /v1/clusters',
  'GET /v1/clusters',
  'HEAD /v1/clusters',
  'POST /v1/clusters/batch',
  'POST /v1/clusters/import',
  'GET /v1/kubeconfig',
  'HEAD /v1/kubeconfig',
  'POST /v1/users',
  'GET /v1/users',
  'HEAD /v1/users',
  'POST /v1/keys',
  'GET /v1/keys',
  'HEAD /v1/keys',
  'POST /v1/session',
  'GET /v1/session',
  'HEAD /v1/session',
  'DELETE /v1/session',
  'POST /v1/session/links',
  'POST /v1/labs',
  'GET /v1/labs',
  'HEAD /v1/labs',
  // Makes a lab of the caller's own.
  'PUT /v1/labs/:name',
  'GET /v1/usage',
  'HEAD /v1/usage',
];
/** Routes that name a lab of the caller's own tenant. */
const LABS = '/v1/labs/:name';
/** Routes for the operator's key only. */
const OPERATOR = '/v1/operator/';
const GRAPHQL = '/graphql';
/** The roots of clusters whose host names them, which kubeconfig.spec.ts asks. */
const BY_HOST = '*';
const START_MS = 60_000;

let api: Api;
let service: TestApi;
const keys = { alice: '', bob: '' };
let cluster = '';

/** `from`: the client's address, as a proxy in front of the service tells it. */
const call = (method: string, url: string, key?: string, body?: unknown, from?: string): Promise<Response> =>
  fetch(api.url + url, {
    method,
    headers: {
      ...(from ? { 'x-forwarded-for': from } : {}),
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });

beforeAll(async () => {
  service = await startTestApi({ TRUSTED_PROXIES: 'loopback' });
  ({ api } = service);
  keys.alice = await createKey(service, 'alice');
  keys.bob = await createKey(service, 'bob', 1);
  const made = await call('POST', '/v1/clusters', keys.alice, { name: 'hers' });
  cluster = ((await made.json()) as { id: string }).id;
  const make = async (url: string, body: object): Promise<string> =>
    ((await (await call('POST', url, keys.alice, body)).json()) as { id: string }).id;
  ids['users'] = await make('/v1/users', { name: 'jane' });
  ids['keys'] = await make('/v1/keys', { name: 'ci' });
  ids['tokens'] = await make(`/v1/clusters/${cluster}/tokens`, {});
}, START_MS);

afterAll(() => service?.close(), START_MS);

/** Alice's: what the routes below this path name. */
const ids: Record<string, string> = {};
const fill = (url: string): string =>
  url
    .replace(LABS, '/v1/labs/hers')
    .replace(':tokenId', ids['tokens'] ?? '')
    .replace(/^\/v1\/(users|keys)\/:id/, (_, noun: string) => `/v1/${noun}/${ids[noun]}`)
    .replace(':id', cluster)
    .replace('*', 'api/v1/namespaces');
const guarded = (): { method: string; url: string }[] =>
  api.routes.filter((r) => !PUBLIC.includes(r.url) && ![GRAPHQL, BY_HOST].includes(r.url) && r.method !== 'OPTIONS');

/** What is looked at before the lab is looked for. */
const bodyOf = (method: string, url: string): object | undefined =>
  method === 'POST' && url === `${LABS}/learners` ? { count: 1 } : undefined;

/** Root fields of GraphQL whose answers are the caller's own by construction: no argument names a cluster. */
const OWN_FIELDS = [
  ...['clusterEvents', 'clusters', 'createCluster'],
  ...['labs', 'learners', 'learnersLive', 'startLearners'],
];
const fields = (): RootField[] => rootFieldsOf(api.app.get(GraphQLSchemaHost).schema, cluster);

/** The codes of an operation's errors, or its data. */
async function operate({ operation, query }: RootField, key?: string): Promise<unknown> {
  const { data, errors } = operation === 'subscription' ? await firstEvent(query, key) : await post(query, key);
  return errors ? errors.map(({ extensions }) => extensions['code']) : data;
}

interface GraphQLAnswer {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string; readonly extensions: Record<string, unknown> }[];
}

const post = async (query: string, key?: string): Promise<GraphQLAnswer> =>
  (await (await call('POST', GRAPHQL, key, { query })).json()) as GraphQLAnswer;

/** What the subscriber hears first; 'UNAUTHENTICATED' when its connection is refused. */
async function firstEvent(query: string, apiKey?: string): Promise<GraphQLAnswer> {
  const client = createClient({
    url: `${api.url.replace('http', 'ws')}${GRAPHQL}`,
    webSocketImpl: WebSocket,
    connectionParams: { apiKey },
    retryAttempts: 0,
  });
  try {
    const { value } = (await client.iterate({ query }).next()) as { value: GraphQLAnswer };
    return value;
  } catch (error) {
    if (Array.isArray(error)) return { errors: error as GraphQLAnswer['errors'] };
    expect((error as { code: number }).code).toBe(4403);
    return { errors: [{ message: '', extensions: { code: 'UNAUTHENTICATED' } }] };
  } finally {
    await client.dispose();
  }
}

describe("another tenant's key", () => {
  test('gets 404 from every route that names a cluster', async () => {
    const answers: Record<string, number> = {};
    for (const { method, url } of guarded()) {
      if (OWN.includes(`${method} ${url}`) || url.startsWith(OPERATOR)) continue;
      expect(url).toMatch(url.startsWith(LABS) ? /^/ : /:id/);
      answers[`${method} ${url}`] = (await call(method, fill(url), keys.bob, bodyOf(method, url))).status;
    }
    expect(Object.keys(answers).length).toBeGreaterThan(10);
    expect(Object.entries(answers).filter(([, status]) => status !== 404)).toEqual([]);
    expect((await call('GET', `/v1/clusters/${cluster}`, keys.alice)).status).toBe(200);
  });

  test('gets 403 from every route of the operator', async () => {
    const answers = await Promise.all(
      guarded()
        .filter(({ url }) => url.startsWith(OPERATOR))
        .map(async ({ method, url }) => [method, url, (await call(method, fill(url), keys.bob)).status]),
    );
    expect(answers.length).toBeGreaterThan(8);
    expect(answers.filter(([, , status]) => status !== 403)).toEqual([]);
  });

  test('does not see the cluster, users and keys in its lists', async () => {
    const names = async (url: string): Promise<string[]> =>
      ((await (await call('GET', url, keys.bob)).json()) as { items: { name: string }[] }).items.map((i) => i.name);
    expect(await names('/v1/clusters')).toEqual([]);
    expect(await names('/v1/users')).toEqual(['bob']);
    expect(await names('/v1/keys')).toEqual(['first']);
    const usage = (await (await call('GET', '/v1/usage', keys.bob)).json()) as { used: object };
    expect(usage.used).toEqual({ clusters: 0, nodes: 0, bytes: 0 });
  });

  test('gets NOT_FOUND from every root field of GraphQL that names a cluster', async () => {
    const answers: Record<string, unknown> = {};
    for (const field of fields()) if (field.namesCluster) answers[field.name] = await operate(field, keys.bob);
    expect(Object.keys(answers)).toEqual(expect.arrayContaining(['cluster', 'objects', 'deleteCluster', 'changes']));
    expect(Object.entries(answers).filter(([, codes]) => JSON.stringify(codes) !== '["NOT_FOUND"]')).toEqual([]);
    expect((await call('GET', `/v1/clusters/${cluster}`, keys.alice)).status).toBe(200);
  });
});

test('every root field of GraphQL names a cluster, or answers with the caller’s own', () => {
  const others = fields().filter(({ namesCluster }) => !namesCluster);
  expect(others.map(({ name }) => name).sort()).toEqual(OWN_FIELDS);
});

describe('every root field of GraphQL', () => {
  const refusals = async (key: string | undefined, isMeant: (field: RootField) => boolean): Promise<unknown[]> => {
    const answers = [];
    for (const field of fields()) if (isMeant(field)) answers.push([field.name, await operate(field, key)]);
    expect(answers.length).toBeGreaterThan(0);
    return answers;
  };
  const all = (code: string, isMeant: (field: RootField) => boolean): unknown[] =>
    fields().flatMap((field) => (isMeant(field) ? [[field.name, [code]]] : []));
  const create = async (url: string, body: object, key = keys.alice): Promise<Record<string, string>> =>
    (await (await call('POST', url, key, body)).json()) as Record<string, string>;

  test('needs a valid key', async () => {
    const any = (): boolean => true;
    expect(await refusals(undefined, any)).toEqual(all('UNAUTHENTICATED', any));
    expect(await refusals('tk_wrong', any)).toEqual(all('UNAUTHENTICATED', any));
  });

  test('that writes needs a scope that allows to', async () => {
    const { key } = await create('/v1/keys', { name: 'reader', scope: 'read' });
    const writes = ({ operation }: RootField): boolean => operation === 'mutation';
    expect(await refusals(key, writes)).toEqual(all('FORBIDDEN', writes));
    expect((await post('{ clusters { items { id } } }', key)).errors).toBeUndefined();
  });

  test('refuses the operator', async () => {
    const operatorKey = await ensureOperatorKey(service.database, 'unknown');
    const any = (): boolean => true;
    expect(await refusals(operatorKey, any)).toEqual(all('FORBIDDEN', any));
  });

  test('answers a token about the inside of its own cluster only', async () => {
    const tokenOf = async (id: string, scope: string): Promise<string> =>
      (await create(`/v1/clusters/${id}/tokens`, { scope }))['token']!;
    const { id: other } = await create('/v1/clusters', { name: 'other-of-token' });
    const keyOnly = [
      ...OWN_FIELDS,
      ...['deleteCluster', 'pauseCluster', 'resumeCluster'],
      ...['forkCluster', 'createSnapshot', 'deleteSnapshot', 'restoreCluster'],
    ];
    const isKeyOnly = ({ name }: RootField): boolean => keyOnly.includes(name);
    const isInside = (field: RootField): boolean => !isKeyOnly(field);
    const foreign = await tokenOf(other!, 'use');
    expect(await refusals(foreign, isInside)).toEqual(all('NOT_FOUND', isInside));
    expect(await refusals(foreign, isKeyOnly)).toEqual(all('FORBIDDEN', isKeyOnly));
    const own = await tokenOf(cluster, 'use');
    expect(await refusals(own, isKeyOnly)).toEqual(all('FORBIDDEN', isKeyOnly));
    const reader = await tokenOf(cluster, 'read');
    const writes = (field: RootField): boolean => isInside(field) && field.operation === 'mutation';
    expect(await refusals(reader, writes)).toEqual(all('FORBIDDEN', writes));
    const { data } = await post(`{ cluster(id: ${JSON.stringify(cluster)}) { id } }`, reader);
    expect(data).toEqual({ cluster: { id: cluster } });
    await call('DELETE', `/v1/clusters/${other}`, keys.alice);
  });
});

test('a cluster is paused and goes on by GraphQL', async () => {
  const change = async (field: string): Promise<unknown> =>
    (await post(`mutation { ${field}(id: ${JSON.stringify(cluster)}) { state } }`, keys.alice)).data;
  expect(await change('pauseCluster')).toEqual({ pauseCluster: { state: 'paused' } });
  const { state } = (await (await call('GET', `/v1/clusters/${cluster}`, keys.alice)).json()) as { state: string };
  expect(state).toBe('paused');
  expect(await change('resumeCluster')).toEqual({ resumeCluster: { state: 'running' } });
});

test('without a key, the schema can be read, and nothing else', async () => {
  const { data } = await post('{ __schema { queryType { name } } }');
  expect(data).toEqual({ __schema: { queryType: { name: 'Query' } } });
});

test('every route of /v1 is in the OpenAPI document, and no other', async () => {
  const { paths } = (await (await call('GET', '/docs/openapi.json')).json()) as {
    paths: Record<string, Record<string, unknown>>;
  };
  const documented = Object.entries(paths).flatMap(([url, methods]) =>
    Object.keys(methods)
      .filter((method) => method !== 'parameters')
      .map((method) => `${method.toUpperCase()} ${url.replace(/\{(\w+)\}/g, ':$1')}`),
  );
  const served = api.routes
    .filter(({ method, url }) => url.startsWith('/v1/') && method !== 'HEAD' && method !== 'OPTIONS')
    .map(({ method, url }) => `${method} ${url}`);
  expect(documented.sort()).toEqual([...new Set(served)].sort());
});

test(
  'without a valid key every route answers 401',
  async () => {
    const wrong = [undefined, 'tk_wrong', 'nonsense', 'tc_a.b', 'op_wrong'];
    for (const [i, { method, url }] of guarded().entries()) {
      const key = wrong[i % wrong.length];
      // A client each: an address that is refused too often is answered 429.
      const { status } = await call(method, fill(url), key, undefined, `198.18.${i >> 8}.${i & 255}`);
      expect([method, url, key, status]).toEqual([method, url, key, 401]);
    }
  },
  START_MS,
);

test('a kubeconfig token opens its own cluster only', async () => {
  const text = await (await call('GET', `/v1/clusters/${cluster}/kubeconfig`, keys.alice)).text();
  const token = /token: (\S+)/.exec(text)![1]!;
  expect(text).toContain(`server: https://127.0.0.1:1/clusters/${cluster}`);
  expect((await call('GET', `/clusters/${cluster}/api/v1/namespaces/default`, token)).status).toBe(200);
  const other = (await (await call('POST', '/v1/clusters', keys.alice, { name: 'other' })).json()) as { id: string };
  expect((await call('GET', `/clusters/${other.id}/api/v1/namespaces/default`, token)).status).toBe(401);
  expect((await call('GET', `/v1/clusters/${cluster}`, token)).status).toBe(200);
  expect((await call('GET', `/v1/clusters/${other.id}`, token)).status).toBe(404);
  for (const { method, url } of guarded()) {
    const isOpen = !url.startsWith('/v1') || (url === '/v1/clusters/:id' && ['GET', 'HEAD'].includes(method));
    if (!isOpen) expect([method, url, (await call(method, fill(url), token)).status]).toEqual([method, url, 403]);
  }
});

test.each([
  [{ name: 'Upper' }, 'name'],
  [{}, 'name'],
  [{ name: 'a', colour: 'red' }, 'colour'],
  [{ name: 'a', speed: 'fast' }, 'speed'],
  [{ name: 'a', nodes: 1_000_000 }, 'nodes'],
  [{ name: 'a', nodes: [{ count: 150 }, { count: 150 }] }, 'nodes'],
])('POST /v1/clusters %j is refused with a word about %s', async (body, word) => {
  const answer = await call('POST', '/v1/clusters', keys.alice, body);
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(word)]);
});

test("a service account's token opens its own cluster only, and says whose it is", async () => {
  const made = (await (await call('POST', '/v1/clusters', keys.alice, { name: 'second' })).json()) as { id: string };
  const asked = await call(
    'POST',
    `/clusters/${cluster}/api/v1/namespaces/default/serviceaccounts/default/token`,
    keys.alice,
    { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
  );
  const {
    status: { token },
  } = (await asked.json()) as { status: { token: string } };
  const pods = (id: string, key: string): Promise<Response> =>
    call('GET', `/clusters/${id}/api/v1/namespaces/default/pods`, key);
  const own = await pods(cluster, token);
  expect([own.status, ((await own.json()) as { message: string }).message]).toEqual([
    403,
    expect.stringContaining('User "system:serviceaccount:default:default" cannot list resource "pods"'),
  ]);
  expect((await pods(made.id, token)).status).toBe(401);
  expect((await pods(cluster, `${token.slice(0, -4)}AAAA`)).status).toBe(401);
  expect((await pods('00000000-0000-4000-8000-000000000000', token)).status).toBe(401);
  expect((await call('GET', `/v1/clusters/${cluster}`, token)).status).toBe(401);
  await call('DELETE', `/v1/clusters/${made.id}`, keys.alice);
});

test('the quota is kept', async () => {
  expect((await call('POST', '/v1/clusters', keys.bob, { name: 'one' })).status).toBe(201);
  expect((await call('POST', '/v1/clusters', keys.bob, { name: 'two' })).status).toBe(403);
});

test('chosen nodes come with their size, labels and taints', async () => {
  const nodes = [
    {
      name: 'gpu',
      count: 2,
      cpu: '16',
      memory: '64Gi',
      labels: { zone: 'a' },
      taints: [{ key: 'gpu', effect: 'NoSchedule' }],
    },
  ];
  const { id } = (await (await call('POST', '/v1/clusters', keys.alice, { name: 'sized', nodes })).json()) as {
    id: string;
  };
  const node = (await (await call('GET', `/clusters/${id}/api/v1/nodes/gpu-2`, keys.alice)).json()) as {
    metadata: { labels: object };
    spec: { taints: object[] };
    status: { capacity: object };
  };
  expect(node.metadata.labels).toMatchObject({ zone: 'a' });
  expect(node.spec.taints).toEqual([{ key: 'gpu', effect: 'NoSchedule' }]);
  expect(node.status.capacity).toMatchObject({ cpu: '16', memory: '67108864Ki' });
});

test('a body that is too large is answered 413 with a Status', async () => {
  const answer = await call('POST', `/clusters/${cluster}/api/v1/namespaces/default/configmaps`, keys.alice, {
    data: 'x'.repeat(4 * 1024 * 1024),
  });
  expect([answer.status, ((await answer.json()) as { kind: string }).kind]).toEqual([413, 'Status']);
});

test('GraphQL refuses what is too deep or too large', async () => {
  const many = Array.from({ length: 30 }, (_, i) => `a${i}: cluster(id: "x") { id }`).join(' ');
  const body = (await (await call('POST', GRAPHQL, keys.alice, { query: `{ ${many} }` })).json()) as {
    errors: { message: string }[];
  };
  expect(body.errors[0]!.message).toContain('at its root');
});

test('GraphQL applies, reads, patches and deletes', async () => {
  const graphql = async (query: string, variables: object = {}): Promise<Record<string, never>> => {
    const body = (await (
      await call('POST', GRAPHQL, keys.alice, { query, variables: { id: cluster, ...variables } })
    ).json()) as { data: Record<string, never>; errors?: unknown };
    expect(body.errors).toBeUndefined();
    return body.data;
  };
  const apply = 'mutation ($id: ID!, $manifest: JSON!) { apply(clusterId: $id, manifest: $manifest) }';
  const manifest = (data: object): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data });
  await graphql(apply, { manifest: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: "1", b: "2"}\n' });
  await graphql(apply, { manifest: manifest({ a: '3' }) });
  const { object } = (await graphql(
    'query ($id: ID!) { object(clusterId: $id, apiVersion: "v1", kind: "ConfigMap", namespace: "default", name: "c") }',
  )) as unknown as { object: { data: object } };
  expect(object.data).toEqual({ a: '3' });
  await graphql(
    'mutation ($id: ID!) { deleteObject(clusterId: $id, apiVersion: "v1", kind: "ConfigMap", namespace: "default", name: "c") }',
  );
  const { objects } = (await graphql(
    'query ($id: ID!) { objects(clusterId: $id, apiVersion: "v1", kind: "ConfigMap", namespace: "default", fieldSelector: "metadata.name=c") { items } }',
  )) as unknown as { objects: { items: object[] } };
  expect(objects.items).toEqual([]);
});

test('faults: made, listed and ended', async () => {
  const url = `/v1/clusters/${cluster}/faults`;
  const fault = { name: 'late', type: 'SchedulerDown', start: '1h' };
  expect((await call('POST', url, keys.alice, fault)).status).toBe(201);
  expect((await call('POST', url, keys.alice, fault)).status).toBe(409);
  expect((await call('POST', url, keys.alice, { type: 'Meteor' })).status).toBe(422);
  expect(await (await call('GET', url, keys.alice)).json()).toMatchObject({
    items: [{ name: 'late', type: 'SchedulerDown', phase: 'Pending' }],
  });
  expect((await call('POST', `${url}/late/end`, keys.alice)).status).toBe(200);
  expect((await call('POST', `${url}/none/end`, keys.alice)).status).toBe(404);
});

test('flows: who talked to whom, as a list and live', async () => {
  await call('GET', `/clusters/${cluster}/outside/172.18.0.2:30999/`, keys.alice);
  const refused = { from: '172.18.0.1', address: '172.18.0.2', port: 30_999, protocol: 'TCP' };
  const listed = (await (await call('GET', `/v1/clusters/${cluster}/flows`, keys.alice)).json()) as {
    flows: object[];
  };
  expect(listed.flows).toContainEqual(expect.objectContaining(refused));
  expect((await call('GET', `/v1/clusters/${cluster}/flows?since=now`, keys.alice)).status).toBe(422);
  const { data } = await firstEvent(
    `subscription { flows(clusterId: "${cluster}") { at left flows { from to address port protocol verdict decided } } }`,
    keys.alice,
  );
  const { flows } = (data as { flows: { flows: object[] } }).flows;
  expect(flows).toContainEqual(expect.objectContaining(refused));
});

test('resources, tables and their changes', async () => {
  const { data } = await post(
    `{ resources(clusterId: "${cluster}") { apiVersion resource preferred }
       table(clusterId: "${cluster}", apiVersion: "v1", resource: "namespaces", limit: 1) { columns { name } rows } }`,
    keys.alice,
  );
  const { resources, table } = data as { resources: object[]; table: { columns: object[]; rows: object[] } };
  expect(resources).toContainEqual({ apiVersion: 'apps/v1', resource: 'deployments', preferred: true });
  expect(table.columns[0]).toEqual({ name: 'Name' });
  expect(table.rows).toEqual([
    expect.objectContaining({ key: '/default', cells: ['default', 'Active', expect.any(String)] }),
  ]);
  const client = createClient({
    url: `${api.url.replace('http', 'ws')}${GRAPHQL}`,
    webSocketImpl: WebSocket,
    connectionParams: { apiKey: keys.alice },
  });
  const query = `subscription { tableChanges(clusterId: "${cluster}", apiVersion: "v1", resource: "configmaps", namespace: "default") { reset rows removed } }`;
  const batches = client.iterate<{ tableChanges: { reset: boolean; rows: { name: string }[]; removed: string[] } }>({
    query,
  });
  expect((await batches.next()).value).toMatchObject({ data: { tableChanges: { reset: true } } });
  const path = `/clusters/${cluster}/api/v1/namespaces/default/configmaps`;
  await call('POST', path, keys.alice, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'seen' } });
  expect((await batches.next()).value).toMatchObject({
    data: { tableChanges: { reset: false, rows: [{ name: 'seen', key: 'default/seen' }], removed: [] } },
  });
  await call('DELETE', `${path}/seen`, keys.alice);
  expect((await batches.next()).value).toMatchObject({ data: { tableChanges: { removed: ['default/seen'] } } });
  await client.dispose();
});

test('a user whom the cluster’s rules do not allow is refused tables, changes and logs', async () => {
  const made = await call('POST', `/v1/clusters/${cluster}/tokens`, keys.alice, { user: 'nobody' });
  const { token } = (await made.json()) as { token: string };
  const id = `clusterId: "${cluster}"`;
  const refused = [
    `subscription { tableChanges(${id}, apiVersion: "v1", resource: "secrets") { rows } }`,
    `subscription { changes(${id}, apiVersion: "v1", kind: "Secret") { object } }`,
    `subscription { changes(${id}) { object } }`,
  ];
  for (const query of refused)
    expect((await firstEvent(query, token)).errors?.[0]).toMatchObject({
      message: expect.stringContaining('User "nobody" cannot'),
      extensions: { code: 'FORBIDDEN' },
    });
  const logs = `subscription { logs(${id}, sources: [{ namespace: "default", pod: "none" }]) { ended { reason } } }`;
  expect((await firstEvent(logs, token)).data).toMatchObject({
    logs: { ended: [{ reason: expect.stringContaining('User "nobody" cannot get resource "pods/log"') }] },
  });
});

describe('the subscription `changes`', () => {
  const subscribe = (key: string, variables: object) => {
    const client = createClient({
      url: `${api.url.replace('http', 'ws')}${GRAPHQL}`,
      webSocketImpl: WebSocket,
      connectionParams: { apiKey: key },
      retryAttempts: 0,
    });
    const query =
      'subscription ($id: ID!, $from: Float, $kind: String) { changes(clusterId: $id, kind: $kind, fromRevision: $from) { type name revision actor cause resource object } }';
    return {
      client,
      events: client.iterate<{
        changes: { type: string; name: string; revision: number; actor: string; object: { data?: object } };
      }>({ query, variables: { id: cluster, kind: 'ConfigMap', ...variables } }),
    };
  };
  const configMap = (name: string, n: string) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name },
    data: { n },
  });
  const path1 = (): string => `/clusters/${cluster}/api/v1/namespaces/default/configmaps`;

  test('delivers what a watch sees, and resumes after a revision', async () => {
    const { metadata } = (await (await call('GET', `${path1()}?limit=1`, keys.alice)).json()) as {
      metadata: { resourceVersion: string };
    };
    await call('POST', path1(), keys.alice, configMap('s', '1'));
    await call('PUT', `${path1()}/s`, keys.alice, configMap('s', '2'));
    await call('DELETE', `${path1()}/s`, keys.alice);
    const { client, events } = subscribe(keys.alice, { from: Number(metadata.resourceVersion) });
    const seen = [];
    for await (const { data } of events) {
      seen.push(data!.changes);
      if (seen.length === 3) break;
    }
    expect(seen.map((c) => [c.type, c.name, c.actor, c.object.data])).toEqual([
      ['ADDED', 's', 'kubernetes-admin', { n: '1' }],
      ['MODIFIED', 's', 'kubernetes-admin', { n: '2' }],
      ['DELETED', 's', 'kubernetes-admin', { n: '2' }],
    ]);
    const again = subscribe(keys.alice, { from: seen[1]!.revision });
    const { value } = (await again.events.next()) as { value: { data: { changes: { revision: number } } } };
    expect(value.data.changes.revision).toBe(seen[2]!.revision);
    await Promise.all([client.dispose(), again.client.dispose()]);
  });

  test('fails for a revision that is no longer there, and for another tenant', async () => {
    const before = await subscribe(keys.alice, { from: 1 })
      .events.next()
      .then(
        (r) => JSON.stringify(r.value),
        (e: unknown) => JSON.stringify(e) + String(e),
      );
    expect(before).toContain('no longer retained');
    const foreign = await subscribe(keys.bob, {})
      .events.next()
      .then(
        (r) => JSON.stringify(r.value),
        (e: unknown) => JSON.stringify(e) + String(e),
      );
    expect(foreign).toContain('there is no cluster');
  });
});

describe('a WebSocket to a cluster', () => {
  /** What a client hears until the end, or the status with which it is refused. */
  const listen = (
    path: string,
    headers: Record<string, string>,
    protocols: string[] = [],
  ): Promise<{ status: number; messages: string[] }> => {
    const client = new WebSocket(`${api.url.replace('http', 'ws')}/clusters/${cluster}${path}`, protocols, { headers });
    const messages: string[] = [];
    return new Promise((resolve, reject) => {
      client.on('message', (data: Buffer) => messages.push(data.toString()));
      client.on('close', () => resolve({ status: 101, messages }));
      client.on('unexpected-response', (request, response) => {
        resolve({ status: response.statusCode!, messages });
        request.destroy();
      });
      client.on('error', (error) => (messages.length === 0 ? reject(error) : undefined));
    });
  };
  const WATCH = '/api/v1/namespaces?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Ddefault';
  const of = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

  test('delivers a watch, a message each frame', async () => {
    const { status, messages } = await listen(WATCH, of(keys.alice));
    expect([
      status,
      messages
        .map((m) => JSON.parse(m) as { type: string; object: { metadata: { name: string } } })
        .map(({ type, object }) => [type, object.metadata.name]),
    ]).toEqual([101, [['ADDED', 'default']]]);
  });

  test('takes the key from among its protocols', async () => {
    const token = `base64url.bearer.authorization.k8s.io.${Buffer.from(keys.alice).toString('base64url')}`;
    expect(await listen(WATCH, {}, [token, 'base64.binary.k8s.io'])).toMatchObject({
      status: 101,
      messages: [expect.stringContaining('"ADDED"')],
    });
  });

  test.each<[string, () => Record<string, string>, string, number]>([
    ["with another tenant's key", () => of(keys.bob), WATCH, 404],
    ['with a wrong key', () => of('wrong'), WATCH, 401],
    ['without a key', () => ({}), WATCH, 401],
    ['to a pod that is not there', () => of(keys.alice), '/api/v1/namespaces/default/pods/none/exec?command=ls', 404],
    ['to what does not stream', () => of(keys.alice), '/api/v1/namespaces/default', 200],
  ])('%s is not upgraded', async (_, headers, path, status) =>
    expect((await listen(path, headers())).status).toBe(status),
  );
});

describe('a client certificate', () => {
  const DAY_MS = 24 * 60 * 60_000;
  const { publicKey, privateKey } = crypto.generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const jane = writeName({
    attributes: new Map([
      ['2.5.4.10', ['dev']],
      ['2.5.4.3', ['jane']],
    ]),
  });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  const issuedBy = async (id: string, notAfter = Date.now() + DAY_MS): Promise<string> => {
    const { authority } = new ClusterKeys(await api.app.get(Identity).tokenKey(id));
    return encodePem(
      'CERTIFICATE',
      authority.issue({
        subject: jane,
        serial: Uint8Array.of(1),
        notBefore: Date.now() - DAY_MS,
        notAfter,
        publicKey: publicKey.export({ type: 'spki', format: 'der' }),
        extensions: [],
      }),
    );
  };
  /** Status, user name and whether the TLS session is an earlier one's. */
  const whoami = (id: string, agent: https.Agent): Promise<[number, string | undefined, boolean]> =>
    new Promise((resolve, reject) => {
      const { port } = new URL(api.url);
      const request = https.request(
        {
          host: '127.0.0.1',
          port,
          agent,
          method: 'POST',
          path: `/clusters/${id}/apis/authentication.k8s.io/v1/selfsubjectreviews`,
          headers: { 'content-type': 'application/json' },
        },
        (response) => {
          const reused = (response.socket as TLSSocket).isSessionReused();
          let text = '';
          response
            .on('data', (d: Buffer) => (text += d.toString()))
            .on('end', () =>
              resolve([
                response.statusCode!,
                (JSON.parse(text) as { status: { userInfo?: { username: string } } }).status.userInfo?.username,
                reused,
              ]),
            );
        },
      );
      request.on('error', reject).end('{}');
    });
  const agentWith = (cert: string | undefined, keepAlive: boolean): https.Agent =>
    new https.Agent({ cert, key, rejectUnauthorized: false, keepAlive, maxSockets: 1 });

  test('logs into its own cluster only, request by request on one connection', async () => {
    const { id: other } = (await (await call('POST', '/v1/clusters', keys.alice, { name: 'other' })).json()) as {
      id: string;
    };
    const agent = agentWith(await issuedBy(cluster), true);
    expect([await whoami(cluster, agent), await whoami(other, agent), await whoami(cluster, agent)]).toEqual([
      [201, 'jane', false],
      [401, undefined, false],
      [201, 'jane', false],
    ]);
    agent.destroy();
  });

  test('is shown again on every connection', async () => {
    const agent = agentWith(await issuedBy(cluster), false);
    expect([await whoami(cluster, agent), await whoami(cluster, agent)]).toEqual([
      [201, 'jane', false],
      [201, 'jane', false],
    ]);
  });

  test.each<[string, () => Promise<string | undefined>]>([
    ['that has expired', () => issuedBy(cluster, Date.now() - 60_000)],
    ['of another cluster', () => issuedBy('another')],
    ['that is not there', async () => undefined],
  ])('%s is nobody', async (_, make) => expect((await whoami(cluster, agentWith(await make(), false)))[0]).toBe(401));
});
