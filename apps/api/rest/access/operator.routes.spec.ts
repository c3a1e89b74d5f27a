import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { nouns } from '@terrarium/platform';
import { startTestApi, type TestApi } from '../../testing.js';

const START_MS = 60_000;
const JSON_BODY = { 'content-type': 'application/json' };
const OPERATOR = 'the key of the operator of this test';

let service: TestApi;
let second: TestApi;
beforeAll(async () => {
  service = await startTestApi({ OPERATOR_KEY: OPERATOR });
  // Another process on the same database.
  second = await startTestApi({ OPERATOR_KEY: OPERATOR, DATABASE_URL: service.databaseUrl });
}, START_MS);
afterAll(async () => {
  await second?.close();
  await service?.close();
}, START_MS);

async function call<T = { error: string }>(
  credential: string,
  method: string,
  url: string,
  body?: unknown,
  { api }: TestApi = service,
): Promise<{ readonly status: number; readonly body: T }> {
  const response = await fetch(api.url + url, {
    method,
    headers: { authorization: `Bearer ${credential}`, ...(body === undefined ? {} : JSON_BODY) },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as T };
}
const createTenant = async (body: object): Promise<nouns.CreatedTenant> =>
  (await call<nouns.CreatedTenant>(OPERATOR, 'POST', '/v1/operator/tenants', body)).body;
const createCluster = (key: string) => call<nouns.Cluster>(key, 'POST', '/v1/clusters', { name: 'demo', nodes: 0 });

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 5_000; !(await condition()); await new Promise((resolve) => setTimeout(resolve, 20)))
    if (Date.now() > end) throw new Error('it never came');
}

test('a tenant is made, read, listed and limited', async () => {
  const { key, ...tenant } = await createTenant({ name: 'school', user: 'head', limits: { clusters: 1 } });
  expect((await createCluster(key)).status).toBe(201);
  expect((await createCluster(key)).status).toBe(403);
  expect(await call(OPERATOR, 'GET', `/v1/operator/tenants/${tenant.id}`)).toEqual({
    status: 200,
    body: { ...tenant, used: { clusters: 1, nodes: 0, bytes: expect.any(Number) } },
  });
  const limits = { clusters: 2, requestsPerSecond: 1_000 };
  const limited = await call<nouns.Tenant>(OPERATOR, 'PATCH', `/v1/operator/tenants/${tenant.id}/limits`, limits);
  expect([limited.status, limited.body.limits]).toEqual([200, { ...tenant.limits, ...limits }]);
  expect((await createCluster(key)).status).toBe(201);
  const { body } = await call<nouns.TenantList>(OPERATOR, 'GET', '/v1/operator/tenants');
  expect(body.items).toEqual([limited.body]);
});

test('a suspended tenant is refused in one sentence, in every process, until it is resumed', async () => {
  const { id, key } = await createTenant({ name: 'late' });
  const cluster = (await createCluster(key)).body.id;
  const ask = (at = service) => call(key, 'GET', '/v1/clusters', undefined, at);
  expect([(await ask()).status, (await ask(second)).status]).toEqual([200, 200]);
  await call(OPERATOR, 'POST', `/v1/operator/tenants/${id}/suspend`);
  expect(await ask()).toEqual({ status: 403, body: { error: expect.stringMatching(/^[^.]* suspended[^.]*$/) } });
  expect((await call(key, 'GET', `/clusters/${cluster}/api/v1/namespaces`)).status).toBe(403);
  expect((await call(key, 'POST', '/graphql', { query: '{ clusters { items { id } } }' })).body).toMatchObject({
    errors: [{ message: expect.stringContaining('suspended') }],
  });
  await until(async () => (await ask(second)).status === 403);
  await call(OPERATOR, 'POST', `/v1/operator/tenants/${id}/resume`);
  expect((await ask()).status).toBe(200);
  await until(async () => (await ask(second)).status === 200);
});

test('a deleted tenant is gone in every process, with its clusters', async () => {
  const { id, key } = await createTenant({ name: 'gone' });
  const cluster = (await createCluster(key)).body.id;
  expect((await call(key, 'GET', '/v1/clusters', undefined, second)).status).toBe(200);
  expect((await call(OPERATOR, 'DELETE', `/v1/operator/tenants/${id}`)).status).toBe(204);
  expect((await call(key, 'GET', '/v1/clusters')).status).toBe(401);
  await until(async () => (await call(key, 'GET', '/v1/clusters', undefined, second)).status === 401);
  expect((await call(OPERATOR, 'GET', `/v1/operator/clusters/${cluster}`)).status).toBe(404);
  expect(await call(OPERATOR, 'DELETE', `/v1/operator/tenants/${id}`)).toEqual({
    status: 404,
    body: { error: `there is no tenant "${id}"` },
  });
});

test('a tenant that has lost its key gets another', async () => {
  const { id } = await createTenant({ name: 'forgetful' });
  const { status, body } = await call<nouns.TenantKey>(OPERATOR, 'POST', `/v1/operator/tenants/${id}/keys`);
  expect(status).toBe(201);
  expect((await call(body.key, 'GET', '/v1/users')).status).toBe(200);
});

describe('a cluster of any tenant', () => {
  test('is looked up, and runs again after it was halted', async () => {
    const { id: tenantId, key } = await createTenant({ name: 'halted' });
    const { id } = (await createCluster(key)).body;
    await service.database.$executeRaw`update log.cluster set halted = 'an error (id 7)' where id = ${id}`;
    const halted = { id, tenantId, state: 'halted', haltedBecause: 'an error (id 7)' };
    expect(await call(OPERATOR, 'GET', `/v1/operator/clusters/${id}`)).toMatchObject({ status: 200, body: halted });
    const resumed = await call<nouns.OperatorCluster>(OPERATOR, 'POST', `/v1/operator/clusters/${id}/resume`);
    expect(resumed).toMatchObject({ status: 200, body: { id, tenantId, state: 'running' } });
  });
});

test('a new secret signs tokens, and the clusters keep their authorities', async () => {
  const { key } = await createTenant({ name: 'signed' });
  const { id } = (await createCluster(key)).body;
  const createToken = async (): Promise<string> =>
    (await call<nouns.CreatedToken>(key, 'POST', `/v1/clusters/${id}/tokens`, {})).body.token;
  const ask = async (token: string, at = service): Promise<number> =>
    (await call(token, 'GET', `/clusters/${id}/api/v1/namespaces`, undefined, at)).status;
  const authority = async (): Promise<string> =>
    (
      await call<{ data: Record<string, string> }>(
        key,
        'GET',
        `/clusters/${id}/api/v1/namespaces/kube-system/configmaps/kube-root-ca.crt`,
      )
    ).body.data['ca.crt']!;
  const before = await authority();
  const first = await createToken();
  expect([await ask(first), await ask(first, second)]).toEqual([200, 200]);
  const kept = await call<nouns.TokenSecret>(OPERATOR, 'POST', '/v1/operator/token-secrets', {});
  expect(kept.status).toBe(201);
  const third = await createToken();
  expect(third.split('.')[1]).toBe(kept.body.id);
  expect([await ask(first), await ask(third), await ask(third, second)]).toEqual([200, 200, 200]);
  await call(OPERATOR, 'POST', '/v1/operator/token-secrets', { previousFor: '0s' });
  expect([await ask(first), await ask(third), await ask(await createToken())]).toEqual([401, 401, 200]);
  await until(async () => (await ask(first, second)) === 401);
  expect(await authority()).toBe(before);
});

describe('the operator’s key', () => {
  test.each([
    ['GET', '/v1/clusters'],
    ['POST', '/v1/clusters'],
    ['GET', '/v1/users'],
    ['GET', '/v1/usage'],
  ])('opens nothing of tenants: %s %s', async (method, url) => {
    expect((await call(OPERATOR, method, url, method === 'POST' ? { name: 'a' } : undefined)).status).toBe(403);
  });

  test('opens no cluster', async () => {
    const { key } = await createTenant({ name: 'private' });
    const { id } = (await createCluster(key)).body;
    expect((await call(OPERATOR, 'GET', `/clusters/${id}/api/v1/secrets`)).status).toBe(401);
    const { body } = await call<{ errors: { extensions: { code: string } }[] }>(OPERATOR, 'POST', '/graphql', {
      query: `{ cluster(id: "${id}") { id } }`,
    });
    expect(body.errors[0]!.extensions.code).toBe('FORBIDDEN');
  });

  test.each(['the key of the operator of this tesT', 'op_wrong'])('is not %s', async (wrong) => {
    expect((await call(wrong, 'GET', '/v1/operator/tenants')).status).toBe(401);
  });
});

test.each<[object, string]>([
  [{}, 'name: '],
  [{ name: 'a b' }, 'name: must be letters, digits and @._-'],
  [{ name: 'a', limits: { cpu: 1 } }, 'limits: '],
  [{ name: 'a', limits: { clusters: -1 } }, 'limits.clusters: '],
])('the tenant %j is refused', async (body, message) => {
  const answer = await call(OPERATOR, 'POST', '/v1/operator/tenants', body);
  expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(message)]);
});
