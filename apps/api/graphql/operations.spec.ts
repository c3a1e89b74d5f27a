import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { Api } from '../bootstrap.js';
import { startWithTwoTenants, type TwoTenants } from '../testing.js';
import { firstEventOf, postQuery } from './testing.js';

const GRAPHQL = '/graphql';
const START_MS = 60_000;

let service: TwoTenants;
let api: Api;
let keys: TwoTenants['keys'];
let cluster: string;
let call: TwoTenants['call'];

beforeAll(async () => {
  service = await startWithTwoTenants();
  ({ api, keys, cluster, call } = service);
}, START_MS);
afterAll(() => service?.close(), START_MS);

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
  const { data } = await firstEventOf(
    api.url,
    `subscription { flows(clusterId: "${cluster}") { at left flows { from to address port protocol verdict decided } } }`,
    keys.alice,
  );
  const { flows } = (data as { flows: { flows: object[] } }).flows;
  expect(flows).toContainEqual(expect.objectContaining(refused));
});

test('resources, tables and their changes', async () => {
  const { data } = await postQuery(
    api.url,
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
    expect((await firstEventOf(api.url, query, token)).errors?.[0]).toMatchObject({
      message: expect.stringContaining('User "nobody" cannot'),
      extensions: { code: 'FORBIDDEN' },
    });
  const logs = `subscription { logs(${id}, sources: [{ namespace: "default", pod: "none" }]) { ended { reason } } }`;
  expect((await firstEventOf(api.url, logs, token)).data).toMatchObject({
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
