import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Pod } from '../../api/core_v1.js';
import { Nodes, Pods } from '../../kinds/index.js';
import type { UsageSource } from '../../machinery/questions/usage.js';
import { TestServer } from '../testing.js';

const METRICS = '/apis/metrics.k8s.io/v1beta1';
const TABLE = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
const usage: UsageSource = {
  mayChange: () => false,
  pods: (namespace) =>
    server.state
      .list(Pods, namespace || undefined)
      .filter(({ metadata }) => metadata.name !== 'new')
      .map((pod: Pod) => ({ pod, containers: new Map([['c', { cpu: 12.5, memory: 3 * 2 ** 20 }]]) })),
  nodes: () => server.state.list(Nodes).map((node) => ({ node, cpu: 100, memory: 2 ** 30 })),
};
const server = new TestServer();
Object.assign(server.server, { usage });

/** Reports the availability of the API as the controller would. */
function setAvailable(status: 'True' | 'False'): void {
  const { body } = server.get(API_SERVICE);
  server.call('PUT', `${API_SERVICE}/status`, { ...body, status: { conditions: [{ type: 'Available', status }] } });
}

const API_SERVICE = '/apis/apiregistration.k8s.io/v1/apiservices/v1beta1.metrics.k8s.io';
const SYSTEM = '/api/v1/namespaces/kube-system';
beforeAll(() => {
  server.post('/api/v1/nodes', { metadata: { name: 'worker-1', labels: { zone: 'a' } } });
  for (const [name, app] of [
    ['web', 'web'],
    ['new', 'web'],
    ['db', 'db'],
  ])
    server.post('/api/v1/namespaces/default/pods', {
      metadata: { name, labels: { app } },
      spec: { containers: [{ name: 'c', image: 'nginx' }] },
    });
  server.post(`${SYSTEM}/pods`, {
    metadata: { name: 'metrics-server' },
    spec: { containers: [{ name: 'c', image: 'registry.k8s.io/metrics-server/metrics-server:v0.8.0' }] },
  });
  server.post(`${SYSTEM}/services`, { metadata: { name: 'metrics-server' }, spec: { ports: [{ port: 443 }] } });
  server.post('/apis/discovery.k8s.io/v1/namespaces/kube-system/endpointslices', {
    metadata: { name: 'm', labels: { 'kubernetes.io/service-name': 'metrics-server' } },
    addressType: 'IPv4',
    ports: [{ name: '', port: 10250 }],
    endpoints: [
      { addresses: ['10.244.1.2'], targetRef: { kind: 'Pod', name: 'metrics-server', namespace: 'kube-system' } },
    ],
  });
  server.post('/apis/apiregistration.k8s.io/v1/apiservices', {
    metadata: { name: 'v1beta1.metrics.k8s.io' },
    spec: {
      ...{ group: 'metrics.k8s.io', version: 'v1beta1', groupPriorityMinimum: 100, versionPriority: 100 },
      service: { namespace: 'kube-system', name: 'metrics-server' },
    },
  });
});

test('an API whose server is not there is listed, and answers that it is not available', () => {
  expect(server.get('/apis').text).toContain('"metrics.k8s.io/v1beta1"');
  const found = server.get(`${METRICS}/pods`);
  expect([found.status, found.text]).toEqual([503, 'service unavailable\n']);
});

describe('metrics-server', () => {
  beforeAll(() => setAvailable('True'));

  test('lists its resources', () => {
    const { resources } = server.get(METRICS).body as { resources: { name: string; kind: string; verbs: string[] }[] };
    expect(resources.map(({ name, kind, verbs }) => [name, kind, verbs.join()])).toEqual([
      ['nodes', 'NodeMetrics', 'get,list'],
      ['pods', 'PodMetrics', 'get,list'],
    ]);
  });

  test('tells what pods use, by namespace and label', () => {
    const { body } = server.get(`${METRICS}/namespaces/default/pods?labelSelector=app%3Dweb`);
    expect(body).toMatchObject({ kind: 'PodMetricsList', apiVersion: 'metrics.k8s.io/v1beta1' });
    expect(body.items).toMatchObject([
      {
        metadata: { name: 'web', namespace: 'default', labels: { app: 'web' } },
        window: '15s',
        containers: [{ name: 'c', usage: { cpu: '12500000n', memory: '3072Ki' } }],
      },
    ]);
    expect(server.get(`${METRICS}/pods`).body.items).toHaveLength(3);
  });

  test('tells what a node uses', () => {
    expect(server.get(`${METRICS}/nodes/worker-1`).body).toMatchObject({
      ...{ kind: 'NodeMetrics', metadata: { name: 'worker-1', labels: { zone: 'a' } } },
      usage: { cpu: '100000000n', memory: '1048576Ki' },
    });
  });

  test('is shown as a table', () => {
    const { body } = server.get(`${METRICS}/namespaces/default/pods`, TABLE);
    expect(body.columnDefinitions.map(({ name }: { name: string }) => name)).toEqual([
      'Name',
      'cpu',
      'memory',
      'Window',
    ]);
    expect(body.rows[0].cells).toEqual(['db', '12500000n', '3072Ki', '15s']);
  });

  test.each([
    ['GET', `${METRICS}/namespaces/default/pods/none`, 404, 'pods "none" not found'],
    ['GET', `${METRICS}/namespaces/default/pods/new`, 404, 'podmetrics.metrics.k8s.io "default/new" not found'],
    ['GET', `${METRICS}/nonsense`, 404, 'the server could not find the requested resource'],
    ['DELETE', `${METRICS}/nodes/worker-1`, 405, 'delete is not supported on resources of kind "nodes.metrics.k8s.io"'],
  ])('%s %s is refused', (method, url, status, message) => {
    const { body } = server.call(method, url);
    expect([body.code, body.message]).toEqual([status, message]);
  });
});
