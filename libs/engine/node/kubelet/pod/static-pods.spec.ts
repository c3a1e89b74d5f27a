import { describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../../../machinery/meta/object.js';
import { node, readerOf } from '../testing.js';
import { isWithoutManifest, mirrorPod, mirrorPodsOf, staticPods } from './static-pods.js';

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

describe('a component that is switched off', () => {
  const component = (name: string, enabled: boolean): KubeObject =>
    ({ apiVersion: 'terrarium.dev/v1alpha1', kind: 'Component', metadata: { name }, spec: { enabled } }) as KubeObject;
  const off = readerOf(master, component('kube-scheduler', false), component('kube-controller-manager', true));
  const mirrors = staticPods(master).map((pod) => ({
    ...pod,
    metadata: { ...pod.metadata, namespace: 'kube-system' },
  }));

  test('has no manifest: its mirror pod goes, and is not made anew', () => {
    const without = mirrors.filter((pod) => isWithoutManifest(pod, off)).map((pod) => pod.metadata.name);
    expect(without).toEqual(['kube-scheduler-cp']);
    expect(mirrorPod({ namespace: 'kube-system', name: 'kube-scheduler-cp' }, off)).toBeUndefined();
    expect(mirrorPod({ namespace: 'kube-system', name: 'kube-controller-manager-cp' }, off)).toBeDefined();
  });

  test('takes away what another manifest was of, once the folder is as it was', () => {
    const [etcd] = mirrors;
    const annotations = { ...etcd!.metadata.annotations, 'kubernetes.io/config.mirror': 'another' };
    const changed = { ...etcd!, metadata: { ...etcd!.metadata, annotations } };
    expect(isWithoutManifest(etcd!, readerOf(master))).toBe(false);
    expect(isWithoutManifest(changed, readerOf(master))).toBe(true);
  });

  test('leaves a pod of a like name alone', () => {
    const { annotations: _annotations, ...metadata } = mirrors.find((pod) => isWithoutManifest(pod, off))!.metadata;
    expect(isWithoutManifest({ ...mirrors[0]!, metadata }, off)).toBe(false);
  });

  test.each([
    ['kube-scheduler', ['kube-scheduler-cp']],
    ['kubelet', []],
  ])('%s concerns the mirror pods %j', (name, expected) => {
    const other = node();
    expect(mirrorPodsOf(name, readerOf(master, other)).map((key) => key.name)).toEqual(expected);
  });
});
