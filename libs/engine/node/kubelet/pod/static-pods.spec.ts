import { describe, expect, test } from '@jest/globals';
import { node, readerOf } from '../testing.js';
import { mirrorPod, staticPods } from './static-pods.js';

const CONTROL_PLANE = { 'node-role.kubernetes.io/control-plane': '' };
const master = node(
  {},
  { metadata: { name: 'cp', uid: 'n1', labels: CONTROL_PLANE, creationTimestamp: '2026-01-01T00:00:00Z' } },
);

describe('the static pods of a control plane node', () => {
  const pods = staticPods(master);

  test('are kubeadm’s', () => {
    expect(pods.map((p) => p.metadata.name)).toEqual([
      'etcd-cp',
      'kube-apiserver-cp',
      'kube-controller-manager-cp',
      'kube-scheduler-cp',
    ]);
  });

  test('are mirrored with the annotations of their source, owned by the node', () => {
    const { annotations, ownerReferences } = pods[0]!.metadata;
    expect(annotations).toEqual({
      'kubeadm.kubernetes.io/etcd.advertise-client-urls': 'https://172.18.0.2:2379',
      'kubernetes.io/config.hash': expect.stringMatching(/^[0-9a-f]{32}$/),
      'kubernetes.io/config.mirror': annotations!['kubernetes.io/config.hash'],
      'kubernetes.io/config.seen': '2026-01-01T00:00:00Z',
      'kubernetes.io/config.source': 'file',
    });
    expect(ownerReferences).toEqual([{ apiVersion: 'v1', kind: 'Node', name: 'cp', uid: 'n1', controller: true }]);
  });

  test('run on the host’s network, before everything else', () => {
    for (const { spec } of pods)
      expect(spec).toMatchObject({ hostNetwork: true, nodeName: 'cp', priorityClassName: 'system-node-critical' });
  });

  test.each([
    ['etcd', '127.0.0.1', 2381, 'HTTP', '/livez', '/readyz'],
    ['kube-apiserver', '172.18.0.2', 6443, 'HTTPS', '/livez', '/readyz'],
    ['kube-controller-manager', '127.0.0.1', 10257, 'HTTPS', '/healthz', undefined],
    ['kube-scheduler', '127.0.0.1', 10259, 'HTTPS', '/livez', '/readyz'],
  ])('%s is probed at %s:%d', (name, host, port, scheme, live, ready) => {
    const { containers } = pods.find((p) => p.metadata.name === `${name}-cp`)!.spec;
    const { livenessProbe, readinessProbe, startupProbe } = containers[0]!;
    expect(livenessProbe).toMatchObject({ httpGet: { host, path: live, port, scheme }, failureThreshold: 8 });
    expect(readinessProbe?.httpGet?.path).toBe(ready);
    expect(startupProbe).toMatchObject({ failureThreshold: 24, periodSeconds: 10 });
  });

  test('etcd may write to what it mounts, the others may not', () => {
    const isReadOnly = pods.map((p) => p.spec.containers[0]!.volumeMounts!.every((m) => m.readOnly));
    expect(isReadOnly).toEqual([false, true, true, true]);
  });
});

const leaving = node(
  {},
  { metadata: { name: 'old', labels: CONTROL_PLANE, deletionTimestamp: '2026-01-01T00:00:00Z' } },
);
test.each([
  ['a static pod', 'kube-system', 'etcd-cp', 'etcd-cp'],
  ['another namespace', 'default', 'etcd-cp', undefined],
  ['another pod', 'kube-system', 'coredns-cp', undefined],
  ['no such node', 'kube-system', 'etcd-none', undefined],
  ['a worker', 'kube-system', 'etcd-worker-1', undefined],
  ['a node that is being deleted', 'kube-system', 'etcd-old', undefined],
])('the mirror pod at the key of %s', (_case, namespace, name, expected) => {
  expect(mirrorPod({ namespace, name }, readerOf(master, node(), leaving))?.metadata.name).toBe(expected);
});
