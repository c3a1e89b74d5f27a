import { expect, test } from '@jest/globals';
import type { KubeObject } from '../../machinery/meta/object.js';
import type { TraceEnd } from '../../machinery/questions/trace.js';
import { stateOf } from '../cri/testing.js';
import { nodeAt, podAt } from '../policy/testing.js';
import { findSender, findTarget } from './ends.js';

const service = (name: string, spec: object): KubeObject =>
  ({ apiVersion: 'v1', kind: 'Service', metadata: { name, namespace: 'shop' }, spec }) as unknown as KubeObject;
const web = { port: 80, name: 'web', protocol: 'TCP' };
const state = stateOf(
  nodeAt('worker-1', '172.18.0.2'),
  podAt('shop/web', '10.244.1.2'),
  { ...podAt('shop/late', ''), status: {} } as KubeObject,
  service('one', { clusterIP: '10.96.0.5', ports: [web] }),
  service('two', { clusterIP: '10.96.0.6', ports: [web, { port: 81, name: 'other', protocol: 'TCP' }] }),
  service('headless', { clusterIP: 'None', ports: [web] }),
  service('empty', { clusterIP: 'None', ports: [web] }),
  service('away', { type: 'ExternalName', externalName: 'db.example.com' }),
  {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'h', namespace: 'shop', labels: { 'kubernetes.io/service-name': 'headless' } },
    ports: [{ name: 'web', port: 8080 }],
    endpoints: [
      { addresses: ['10.244.1.8'], conditions: { ready: false } },
      { addresses: ['10.244.1.9'], conditions: { ready: true } },
    ],
  } as unknown as KubeObject,
);
const at = (type: 'pod' | 'service', name: string): TraceEnd => ({ type, namespace: 'shop', name });

test.each<[TraceEnd, number | string | undefined, object]>([
  [at('pod', 'web'), 80, { address: '10.244.1.2', port: 80 }],
  [at('pod', 'web'), 'serve-81-tcp', { address: '10.244.1.2', port: 81 }],
  [at('pod', 'web'), 'serve-81-udp', { fault: 'there is no port "serve-81-udp"' }],
  [at('pod', 'late'), 80, { fault: 'pod shop/late has no address yet' }],
  [at('pod', 'none'), 80, { fault: 'pods "none" not found' }],
  [at('service', 'one'), undefined, { address: '10.96.0.5', port: 80 }],
  [at('service', 'one'), 'web', { address: '10.96.0.5', port: 80 }],
  [at('service', 'one'), 99, { address: '10.96.0.5', port: 99 }],
  [at('service', 'one'), 'nope', { fault: 'service shop/one has no such port' }],
  [at('service', 'two'), undefined, { fault: 'service shop/two has several ports: say which' }],
  [at('service', 'two'), 'other', { address: '10.96.0.6', port: 81 }],
  [at('service', 'headless'), undefined, { address: '10.244.1.9', port: 8080 }],
  [at('service', 'empty'), undefined, { fault: 'service shop/empty has no ready endpoint at that port' }],
  [at('service', 'away'), 5432, { name: 'db.example.com', port: 5432 }],
  [at('service', 'none'), 80, { fault: 'services "none" not found' }],
  [{ type: 'node', name: 'worker-1' }, 30_080, { address: '172.18.0.2', port: 30_080 }],
  [{ type: 'node', name: 'x' }, 80, { fault: 'nodes "x" not found' }],
  [{ type: 'address', address: '10.0.0.1' }, 80, { address: '10.0.0.1', port: 80 }],
  [{ type: 'address', address: '10.0.0.1' }, 'web', { fault: 'there is no port "web"' }],
  [{ type: 'name', name: 'db' }, 80, { name: 'db', port: 80 }],
])('to %j at %s', (to, port, expected) => {
  const question = { from: to, to, protocol: 'TCP', ...(port === undefined ? {} : { port }) } as const;
  expect(findTarget(state, question)).toEqual(expected);
});

test.each<[TraceEnd, unknown]>([
  [at('pod', 'web'), { pod: expect.objectContaining({ kind: 'Pod' }) }],
  [at('pod', 'late'), 'pod shop/late has no address yet'],
  [at('pod', 'none'), 'pods "none" not found'],
  [{ type: 'node', name: 'worker-1' }, { node: expect.objectContaining({ kind: 'Node' }) }],
  [{ type: 'node', name: 'x' }, 'nodes "x" not found'],
  [{ type: 'address', address: '203.0.113.7' }, { outside: '203.0.113.7' }],
  [{ type: 'name', name: 'db' }, 'only a pod, a node or an address can send'],
])('from %j', (from, expected) => {
  expect(findSender(state, from)).toEqual(expected);
});
