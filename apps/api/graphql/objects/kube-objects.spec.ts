import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { catalog } from '@terrarium/containers';
import { Cluster } from '@terrarium/engine';
import { ClusterHost, MemoryAnnouncements } from '@terrarium/host';
import { MemoryLogStore } from '@terrarium/store';
import type { RequestContext } from '../../gate/request-context.js';
import { testGate } from '../../gate/testing.js';
import { KubeObjects } from './kube-objects.js';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
const clusterId = 'c1';
const where = { clusterId, apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default' };
const configMap = (name: string, data: object, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...more },
  data,
});

let host: ClusterHost;
let objects: KubeObjects;
let context: RequestContext;
beforeAll(async () => {
  const store = new MemoryLogStore();
  await store.createCluster({ id: clusterId, tenantId: 'acme', settings: {}, nodes: 0, createdAt: 0 });
  host = new ClusterHost({
    store,
    announcer: new MemoryAnnouncements().announcer(),
    loadEngine: () => new Cluster({ seed: 'graphql', images: catalog, runs: false }),
  });
  const gate = testGate(host);
  context = gate.begin({ edge: 'graphql', verb: 'mutation', headers: {}, remoteAddress: undefined });
  Object.assign(context, { tenantId: 'acme', principal: { kind: 'key', scope: 'use', tenantId: 'acme' } });
  objects = new KubeObjects(host, gate);
  await objects.apply(
    context,
    clusterId,
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } },
    undefined,
  );
});
afterAll(() => host.close());

test('an object is created, then patched to what is applied', async () => {
  const [created] = await objects.apply(context, clusterId, configMap('a', { x: '1', y: '2' }), 'default');
  expect(created).toMatchObject({ metadata: { name: 'a', namespace: 'default' }, data: { x: '1', y: '2' } });
  expect(JSON.parse(created!.metadata.annotations![LAST_APPLIED]!)).toEqual({
    ...configMap('a', { x: '1', y: '2' }, { annotations: {} }),
  });
  const [patched] = await objects.apply(context, clusterId, configMap('a', { x: '3' }), 'default');
  expect((patched as unknown as { data: object }).data).toEqual({ x: '3' });
});

test('what others have set stays', async () => {
  await objects.apply(context, clusterId, configMap('b', { x: '1' }), 'default');
  await objects.apply(context, clusterId, configMap('b', { x: '1' }, { labels: { a: 'b' } }), 'default');
  const [applied] = await objects.apply(context, clusterId, configMap('b', { x: '1' }), 'default');
  expect(applied!.metadata.labels).toBeUndefined();
});

test('objects are read, listed page by page, and deleted', async () => {
  await objects.apply(context, clusterId, [configMap('p1', {}), configMap('p2', {})], 'default');
  expect(await objects.get(context, where, 'p1')).toMatchObject({ metadata: { name: 'p1' } });
  const first = await objects.list(context, { ...where, limit: 1, fieldSelector: 'metadata.name!=a' });
  expect([first.items.length, first.items[0]!.kind, typeof first.continue]).toEqual([1, 'ConfigMap', 'string']);
  const rest = await objects.list(context, { ...where, fieldSelector: 'metadata.name!=a', continue: first.continue });
  expect(rest.items.map((o) => o.metadata.name)).toEqual(expect.arrayContaining(['p1', 'p2']));
  expect(await objects.delete(context, where, 'p1', undefined)).toMatchObject({ kind: 'Status', status: 'Success' });
  expect(await objects.get(context, where, 'p1')).toBeUndefined();
});

test.each<[string, () => Promise<unknown>, number, string]>([
  [
    'a kind that is not served',
    () => objects.get(context, { ...where, kind: 'Nope' }, 'x'),
    400,
    'no matches for kind "Nope" in version "v1"',
  ],
  [
    'an apiVersion that is none',
    () => objects.get(context, { ...where, apiVersion: '../x y' }, 'x'),
    400,
    'apiVersion "../x y" is not one',
  ],
  [
    'no name',
    () => objects.apply(context, clusterId, configMap('', {}), 'default'),
    400,
    'ConfigMap: metadata.name is needed',
  ],
  [
    'an object that is not there',
    () => objects.delete(context, where, 'none', undefined),
    404,
    'configmaps "none" not found',
  ],
  [
    'a namespace that is not there',
    () => objects.apply(context, clusterId, configMap('a', {}), 'none'),
    404,
    'namespaces "none" not found',
  ],
])('%s is refused', async (_, call, status, message) => {
  await expect(call()).rejects.toMatchObject({ status, message });
});

test('a packet is traced by the cluster, which says what is not there', async () => {
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' }, spec: { podCIDR: '10.244.0.0/24' } };
  await objects.apply(context, clusterId, node, undefined);
  const trace = await objects.trace(context, clusterId, { from: '203.0.113.7', to: '10.244.0.9', port: '80' });
  expect(trace).toMatchObject({ verdict: 'Unreachable', address: '10.244.0.9', port: 80, source: '203.0.113.7' });
  await expect(
    objects.trace(context, clusterId, { from: 'pod/shop/web', to: 'pod/shop/db', port: 'sql' }),
  ).rejects.toThrow('pods "web" not found');
  await expect(objects.trace(context, clusterId, {})).rejects.toThrow('spec.from: Required value');
});
