import { describe, expect, test } from '@jest/globals';
import type { ConfigMap, Node, Pod, Service } from '../../api/core_v1.js';
import { ConfigMaps, Services } from '../../kinds/index.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import type { State } from '../../runtime/state/state.js';
import { clientOf, stateOf } from '../cri/testing.js';
import { node, NOW, pod, running } from '../kubelet/testing.js';
import { proxy } from '../proxy/controller.js';
import { endpointAt, service, slice } from '../proxy/testing.js';
import { ClusterNetwork } from './cluster-network.js';
import type { Sender, Way } from './walk/way.js';

const nodeAt = (name: string, n: number): Node =>
  node(
    { addresses: [{ type: 'InternalIP', address: `172.18.0.${n}` }] },
    { metadata: { name, creationTimestamp: '2026-01-01T00:00:00Z' }, spec: { podCIDR: `10.244.${n}.0/24` } },
  );
const podAt = (name: string, podIP: string, nodeName: string, spec: Partial<Pod['spec']> = {}): Pod =>
  pod({ nodeName, ...spec }, { podIP, hostIP: `172.18.0.${podIP.split('.')[2]}` }, { name, uid: name });
const proxyOn = (nodeName: string): Pod =>
  pod(
    { nodeName, hostNetwork: true },
    { containerStatuses: [running('kube-proxy')] },
    {
      ...{ name: `kube-proxy-${nodeName}`, namespace: 'kube-system', uid: `proxy-${nodeName}` },
      labels: { 'k8s-app': 'kube-proxy' },
    },
  );

const client = podAt('client', '10.244.2.2', 'one');
const near = podAt('near', '10.244.2.3', 'one');
const far = podAt('far', '10.244.3.2', 'two');
const web = (spec: Partial<Service['spec']> = {}, status: Service['status'] = {}): Service =>
  service(
    'shop/web',
    { clusterIP: '10.96.0.9', ports: [{ name: 'p80', port: 80, nodePort: 30_080 }], ...spec },
    status,
  );
const endpoints = slice('shop/web', ['10.244.3.2@two'], [{ name: 'p80', port: 8_080 }]);
const world = (...objects: readonly KubeObject[]): State =>
  stateOf(nodeAt('one', 2), nodeAt('two', 3), proxyOn('one'), proxyOn('two'), client, near, far, ...objects);

const go = (state: State, to: string, from: Sender = { pod: client }, sourcePort = 40_000): Way => {
  const [address = '', port] = to.split(':');
  return new ClusterNetwork(state).send(from, { address, port: Number(port), protocol: 'tcp' }, sourcePort, NOW);
};
const endOf = ({ end, source }: Way): string => {
  if ('error' in end) return `${end.error} after ${end.after}`;
  const name = 'pod' in end ? end.pod.metadata.name : 'node' in end ? end.node.metadata.name : `outside ${end.outside}`;
  return `${name}:${end.port} from ${source}`;
};

describe('a packet of a pod', () => {
  test.each<[string, string, readonly KubeObject[], string]>([
    ['to a pod of its node', '10.244.2.3:80', [], 'near:80 from 10.244.2.2'],
    ['to a pod of another node', '10.244.3.2:80', [], 'far:80 from 10.244.2.2'],
    ['to an address that no pod has', '10.244.3.9:80', [], 'EHOSTUNREACH after 3060'],
    ['to its node', '172.18.0.2:22', [], 'one:22 from 10.244.2.2'],
    ['to another node', '172.18.0.3:22', [], 'two:22 from 172.18.0.2'],
    ['to a cluster IP', '10.96.0.9:80', [web(), endpoints], 'far:8080 from 10.244.2.2'],
    ['to a port that the Service has not', '10.96.0.9:81', [web(), endpoints], 'ETIMEDOUT after 130000'],
    ['to a Service without endpoints', '10.96.0.9:80', [web()], 'ECONNREFUSED after 0'],
    [
      'to itself through a Service',
      '10.96.0.9:80',
      [web(), slice('shop/web', ['10.244.2.2'])],
      'client:80 from 10.244.2.1',
    ],
    ['to a node port of its node', '172.18.0.2:30080', [web(), endpoints], 'far:8080 from 172.18.0.2'],
    ['to a node port of another node', '172.18.0.3:30080', [web(), endpoints], 'far:8080 from 10.244.3.1'],
    [
      'to a cluster IP whose endpoints are elsewhere, by internalTrafficPolicy Local',
      '10.96.0.9:80',
      [web({ internalTrafficPolicy: 'Local' }), endpoints],
      'ETIMEDOUT after 130000',
    ],
    [
      'to a load balancer',
      '203.0.113.7:80',
      [web({ type: 'LoadBalancer' }, { loadBalancer: { ingress: [{ ip: '203.0.113.7' }] } }), endpoints],
      'far:8080 from 172.18.0.2',
    ],
    [
      'to a load balancer that lets others in',
      '203.0.113.7:80',
      [
        web(
          { type: 'LoadBalancer', loadBalancerSourceRanges: ['198.51.100.0/24'] },
          { loadBalancer: { ingress: [{ ip: '203.0.113.7' }] } },
        ),
        endpoints,
      ],
      'ETIMEDOUT after 130000',
    ],
    ['to an external IP', '192.0.2.1:80', [web({ externalIPs: ['192.0.2.1'] }), endpoints], 'far:8080 from 172.18.0.2'],
    ['to a host outside', '198.51.100.1:80', [], 'outside 198.51.100.1:80 from 172.18.0.2'],
  ])('%s', (_name, to, objects, expected) => {
    expect(endOf(go(world(...objects), to))).toBe(expected);
  });
});

describe('others', () => {
  const local = web({ type: 'NodePort', externalTrafficPolicy: 'Local' });
  test.each<[string, Sender, string, string]>([
    ['a node reaches a cluster IP', { node: nodeAt('one', 2) }, '10.96.0.9:80', 'far:8080 from 172.18.0.2'],
    [
      'from outside, the node of the endpoint keeps the source',
      { outside: '198.51.100.1' },
      '172.18.0.3:30080',
      'far:8080 from 198.51.100.1',
    ],
    ['from outside, another node drops', { outside: '198.51.100.1' }, '172.18.0.2:30080', 'ETIMEDOUT after 130000'],
    [
      'a node reaches its own port all the same',
      { node: nodeAt('one', 2) },
      '172.18.0.2:30080',
      'far:8080 from 172.18.0.2',
    ],
  ])('%s', (_name, from, to, expected) => {
    expect(endOf(go(world(local, endpoints), to, from))).toBe(expected);
  });
});

test('connections go to all endpoints, those of one client to one when it is bound', () => {
  const both = slice('shop/web', ['10.244.3.2', '10.244.2.3']);
  const targets = (spec: Partial<Service['spec']>): Set<string> =>
    new Set(
      Array.from({ length: 40 }, (_, i) => endOf(go(world(web(spec), both), '10.96.0.9:80', { pod: client }, i))),
    );
  expect(targets({}).size).toBe(2);
  expect(targets({ sessionAffinity: 'ClientIP' }).size).toBe(1);
});

test('every hop is told with what decided', () => {
  const { hops } = go(world(web(), endpoints), '10.96.0.9:80');
  expect(hops.map((hop) => `${hop.at} ${hop.type} ${hop.type === 'rule' ? hop.chain.slice(0, 9) : ''}`.trim())).toEqual(
    [
      'pod shop/client route',
      'node one rule PREROUTIN',
      'node one rule KUBE-SERV',
      'node one rule KUBE-SVC-',
      'node one rule KUBE-SEP-',
      'node one translation',
      'node one rule FORWARD',
      'node one rule FORWARD',
      'node one rule FORWARD',
      'node one rule FORWARD',
      'node one route',
      'node one rule POSTROUTI',
      'node one rule KUBE-POST',
      'node one rule POSTROUTI',
      'node one rule KIND-MASQ',
      'node two rule PREROUTIN',
      'node two rule FORWARD',
      'node two rule FORWARD',
      'node two rule FORWARD',
      'node two rule FORWARD',
      'node two route',
      'node two rule POSTROUTI',
      'node two rule KUBE-POST',
      'node two rule POSTROUTI',
      'node two rule KIND-MASQ',
      'pod shop/far delivery',
    ],
  );
});

test('an endpoint that became ready later was not there before', () => {
  const late = {
    ...far,
    status: {
      ...far.status,
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: new Date(NOW).toISOString() }],
    },
  };
  const made = endpointAt('10.244.3.2', { targetRef: { kind: 'Pod', name: 'far', namespace: 'shop' } });
  const state = stateOf(nodeAt('one', 2), nodeAt('two', 3), client, late, web(), slice('shop/web', [made]));
  const network = new ClusterNetwork(state);
  const at = (now: number): string =>
    endOf(network.send({ pod: client }, { address: '10.96.0.9', port: 80, protocol: 'tcp' }, 1, now));
  expect([at(NOW - 1_000), at(NOW)]).toEqual(['ECONNREFUSED after 0', 'far:80 from 10.244.2.2']);
});

test("while a node's kube-proxy is down, its rules are those of then", () => {
  const state = world(web(), endpoints);
  const network = new ClusterNetwork(state);
  const connect = (): string =>
    endOf(network.send({ pod: client }, { address: '10.96.0.9', port: 80, protocol: 'tcp' }, 1, NOW));
  const reconcile = (name: string): void => {
    proxy.reconcile({ client: clientOf(state), now: NOW } as never, { namespace: '', name }, undefined);
  };
  const put = (object: Pod | Service | ReturnType<typeof slice>): void => {
    state.put(
      object.kind === 'Pod'
        ? 'pods'
        : object.kind === 'Service'
          ? state.resourceOf(Services)
          : 'endpointslices.discovery.k8s.io',
      object,
      'test',
      0,
    );
  };
  expect(connect()).toBe('far:8080 from 10.244.2.2');
  const up = proxyOn('one');
  put({ ...up, metadata: { ...up.metadata, deletionTimestamp: '2026-01-01T12:00:00Z' } });
  reconcile('one');
  put(slice('shop/web', ['10.244.2.3@one'], [{ name: 'p80', port: 8_080 }]));
  expect(connect()).toBe('far:8080 from 10.244.2.2');
  put(up);
  reconcile('one');
  expect(connect()).toBe('near:8080 from 10.244.2.2');
});

describe('by the mode of kube-proxy', () => {
  const inMode = (mode: string): State => {
    const state = world(web(), endpoints);
    const metadata = { namespace: 'kube-system', name: 'kube-proxy' };
    const data = { 'config.conf': `mode: ${mode}\nclusterCIDR: 10.244.0.0/16\n` };
    const config: ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
    state.put(state.resourceOf(ConfigMaps), config, 'test', 0);
    return state;
  };
  test.each<[string, string, string[]]>([
    ['iptables', 'rule', ['lo', 'eth0']],
    ['ipvs', 'virtual-server', ['lo', 'eth0', 'kube-ipvs0']],
    ['nftables', 'nft', ['lo', 'eth0']],
  ])('%s: a packet meets a %s', (mode, type, interfaces) => {
    const state = inMode(mode);
    const way = go(state, '10.96.0.9:80');
    const names = new ClusterNetwork(state).interfacesOf(nodeAt('one', 2)).map(({ name }) => name);
    expect(endOf(way)).toBe('far:8080 from 10.244.2.2');
    expect(way.hops.map((hop) => hop.type)).toContain(type);
    expect(names.filter((name) => !name.startsWith('veth'))).toEqual(interfaces);
  });

  test('a port that a Service has not is refused where the mode knows the address', () => {
    const ends = ['iptables', 'ipvs', 'nftables'].map((mode) => endOf(go(inMode(mode), '10.96.0.9:81')));
    expect(ends).toEqual(['ETIMEDOUT after 130000', 'ECONNREFUSED after 0', 'ECONNREFUSED after 0']);
  });
});

describe('session affinity', () => {
  const sticky = (): Service =>
    web({ sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } } });
  const three = slice(
    'shop/web',
    ['10.244.2.3@one', '10.244.3.2@two', '10.244.3.3@two'],
    [{ name: 'p80', port: 8_080 }],
  );
  const config = (mode: string): ConfigMap => ({
    ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'kube-system', name: 'kube-proxy' } },
    data: { 'config.conf': `mode: ${mode}\nclusterCIDR: 10.244.0.0/16\n` },
  });

  test.each(['iptables', 'ipvs', 'nftables'])('%s: a client keeps its endpoint until it has been away', (mode) => {
    const network = new ClusterNetwork(world(sticky(), three, config(mode), podAt('third', '10.244.3.3', 'two')));
    const visits = new Map<string, number>();
    const connect = (second: number): string => {
      const at = NOW + second * 1_000;
      const to = { address: '10.96.0.9', port: 80, protocol: 'tcp' } as const;
      const way = network.send({ pod: client }, to, 40_000 + second * 7_919, at, visits);
      for (const list of way.visited) visits.set(list, at);
      return endOf(way);
    };
    const kept = Array.from({ length: 20 }, (_, i) => connect(i * 50));
    const lost = Array.from({ length: 20 }, (_, i) => connect(1_000 + i * 61));
    expect(new Set(kept).size).toBe(1);
    expect(new Set(lost).size).toBe(3);
    expect(visits.size).toBe(3);
  });

  test.each(['iptables', 'ipvs', 'nftables'])('%s: who comes from outside belongs to one endpoint', (mode) => {
    const network = new ClusterNetwork(world(sticky(), three, config(mode), podAt('third', '10.244.3.3', 'two')));
    const ends = Array.from({ length: 20 }, (_, i) =>
      endOf(network.send({ outside: '172.18.0.1' }, { address: '172.18.0.2', port: 30_080, protocol: 'tcp' }, i, NOW)),
    );
    expect(new Set(ends).size).toBe(1);
  });
});
