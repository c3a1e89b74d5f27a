import { expect, test } from '@jest/globals';
import type { KubeObject, Start } from '@terrarium/engine';
import type { Container } from '../../../../engine/api/core_v1.js';
import { readerOf } from '../../../../engine/node/kubelet/testing.js';
import type { Asked, Wired } from '../../../programs/review.js';
import { injectPod } from './inject.js';

const map = {
  ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'istio-sidecar-injector', namespace: 'istio-system' } },
  data: { values: JSON.stringify({ global: { hub: 'docker.io/istio', tag: '1.29.0' } }) },
} as KubeObject;
const start = (tag = '1.29.0'): Start =>
  ({
    ...{ env: {}, container: { image: `docker.io/istio/pilot:${tag}` } },
    pod: { name: 'istiod', namespace: 'istio-system' },
  }) as never;

function inject(pod: object, tag?: string, namespace = 'shop', objects = [map]): Record<string, unknown> | undefined {
  const object = {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' } },
    ...{ spec: { containers: [{ name: 'web', image: 'nginx' }] }, ...pod },
  } as unknown as Wired;
  const asked = {
    uid: 'u',
    namespace,
    operation: 'CREATE',
    resource: { resource: 'pods' },
    object,
  } as unknown as Asked;
  const { patch } = injectPod(asked, start(tag), readerOf(...objects));
  return patch && Object.fromEntries((patch as { path: string; value: unknown }[]).map((one) => [one.path, one.value]));
}
const names = (containers: unknown): string[] => (containers as Container[]).map(({ name }) => name);

test('a sidecar is an init container that goes on since 1.27, and a container before', () => {
  const native = inject({})!;
  expect([names(native['/spec/initContainers']), names(native['/spec/containers'])]).toEqual([
    ['istio-init', 'istio-proxy'],
    ['web'],
  ]);
  const [init, proxy] = native['/spec/initContainers'] as Container[];
  expect(init?.args?.slice(0, 7)).toEqual(['istio-iptables', '-p', '15001', '-z', '15006', '-u', '1337']);
  expect([proxy?.image, proxy?.restartPolicy]).toEqual(['docker.io/istio/proxyv2:1.29.0', 'Always']);
  const before = inject({}, '1.24.3')!;
  expect([names(before['/spec/initContainers']), names(before['/spec/containers'])]).toEqual([
    ['istio-init'],
    ['web', 'istio-proxy'],
  ]);
  expect(native['/metadata/labels']).toEqual({
    ...{ 'security.istio.io/tlsMode': 'istio', 'service.istio.io/canonical-name': 'web' },
    'service.istio.io/canonical-revision': 'latest',
  });
});

test.each<[string, object, string]>([
  ["the node's network", { spec: { hostNetwork: true, containers: [] } }, 'shop'],
  ['a label', { metadata: { labels: { 'sidecar.istio.io/inject': 'false' } } }, 'shop'],
  ['an annotation', { metadata: { annotations: { 'sidecar.istio.io/inject': 'false' } } }, 'shop'],
  ['one that has its proxy', { metadata: { annotations: { 'sidecar.istio.io/status': '{}' } } }, 'shop'],
  ['a namespace of the system', {}, 'kube-system'],
])('not injected: %s', (_case, pod, namespace) => expect(inject(pod, '1.29.0', namespace)).toBeUndefined());

test('without its ConfigMap nothing is injected', () => expect(inject({}, '1.29.0', 'shop', [])).toBeUndefined());

test('annotations of the pod, and a gateway', () => {
  const annotations = { 'traffic.sidecar.istio.io/excludeOutboundPorts': '3306', 'sidecar.istio.io/proxyCPU': '5m' };
  const [init, proxy] = inject({ metadata: { annotations } })!['/spec/initContainers'] as Container[];
  expect(init?.args).toContain('3306');
  expect(proxy?.resources).toEqual({ requests: { cpu: '5m' } });
  const gateway = inject({
    metadata: { annotations: { 'inject.istio.io/templates': 'gateway' }, labels: { istio: 'ingress' } },
    spec: { containers: [{ name: 'istio-proxy', image: 'auto' }] },
  })!;
  const [own] = gateway['/spec/containers'] as Container[];
  expect([own?.args?.slice(0, 2), own?.image, gateway['/spec/initContainers']]).toEqual([
    ['proxy', 'router'],
    'docker.io/istio/proxyv2:1.29.0',
    undefined,
  ]);
});
