import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ensureOperatorKey } from '@terrarium/platform';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import type { Api } from './bootstrap.js';
import { CONSOLE_ROUTES } from './console/console.routes.js';
import { firstEventOf, postQuery, rootFieldsOf, type GraphQLAnswer, type RootField } from './graphql/testing.js';
import { startWithTwoTenants, type TwoTenants } from './testing.js';

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

let service: TwoTenants;
let api: Api;
let keys: TwoTenants['keys'];
let cluster: string;
let call: TwoTenants['call'];

beforeAll(async () => {
  service = await startWithTwoTenants();
  ({ api, keys, cluster, call } = service);
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

const post = (query: string, key?: string): Promise<GraphQLAnswer> => postQuery(api.url, query, key);
const firstEvent = (query: string, key?: string): Promise<GraphQLAnswer> => firstEventOf(api.url, query, key);

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
