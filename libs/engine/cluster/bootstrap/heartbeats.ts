import type { APIService } from '../../api/apiregistration_v1.js';
import type { Lease } from '../../api/coordination_v1.js';
import type { Node } from '../../api/core_v1.js';
import type { CSINode } from '../../api/storage_v1.js';
import type { Kind } from '../../machinery/kind.js';
import type { ObjectMeta } from '../../machinery/meta/object.js';
import { hash32 } from '../../machinery/random.js';

const lease = (metadata: ObjectMeta, spec: Lease['spec']): Lease => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata,
  spec,
});

const hex = (name: string, digits: number): string => {
  let text = '';
  for (let i = 1; text.length < digits; i++) text += hash32(name, i).toString(16).padStart(8, '0');
  return text.slice(0, digits);
};
const uuid = (name: string): string => hex(name, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

const ownerOf = (node: Node) => ({
  apiVersion: 'v1',
  kind: 'Node',
  name: node.metadata.name ?? '',
  uid: node.metadata.uid ?? '',
});

/** The lease by which a kubelet says that it lives. Models pkg/kubelet/util/nodelease.go. */
export const nodeLease = (node: Node, now: string): Lease =>
  lease(
    { name: node.metadata.name, namespace: 'kube-node-lease', ownerReferences: [ownerOf(node)] },
    { holderIdentity: node.metadata.name, leaseDurationSeconds: 40, renewTime: now },
  );

/** A component's leader election. */
export const leaderLease = (component: string, now: string): Lease =>
  lease(
    { name: component, namespace: 'kube-system' },
    {
      acquireTime: now,
      holderIdentity: `control-plane_${uuid(component)}`,
      leaseDurationSeconds: 15,
      leaseTransitions: 0,
      renewTime: now,
    },
  );

/** The API server's identity. Models pkg/controlplane/controller/leaderelection and apiserver identity leases. */
export function serverLease(now: string): Lease {
  const labels = { 'apiserver.kubernetes.io/identity': 'kube-apiserver', 'kubernetes.io/hostname': 'control-plane' };
  const id = hex('kube-apiserver', 24).padEnd(26, 'ry');
  return lease(
    { name: `apiserver-${id}`, namespace: 'kube-system', labels },
    { holderIdentity: `apiserver-${id}_${uuid('kube-apiserver')}`, leaseDurationSeconds: 3600, renewTime: now },
  );
}

/** What the kubelet says of its node's CSI drivers: there are none. Models pkg/volume/csi/nodeinfomanager. */
export const csiNode = (node: Node): CSINode => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'CSINode',
  metadata: { name: node.metadata.name, ownerReferences: [ownerOf(node)] },
  spec: { drivers: [] },
});

/** Group versions in the order clients prefer them. Models pkg/controlplane/apiserver/aggregator.go. */
const PRIORITIES: Readonly<Record<string, number>> = {
  '': 18_000,
  'events.k8s.io': 17_750,
  'authentication.k8s.io': 17_700,
  'authorization.k8s.io': 17_600,
  autoscaling: 17_500,
  batch: 17_400,
  'certificates.k8s.io': 17_300,
  'networking.k8s.io': 17_200,
  policy: 17_100,
  'rbac.authorization.k8s.io': 17_000,
  'storage.k8s.io': 16_800,
  'apiextensions.k8s.io': 16_700,
  'admissionregistration.k8s.io': 16_700,
  'scheduling.k8s.io': 16_600,
  'coordination.k8s.io': 16_500,
  'node.k8s.io': 16_300,
  'discovery.k8s.io': 16_200,
  'flowcontrol.apiserver.k8s.io': 16_100,
  'resource.k8s.io': 16_200,
  apps: 17_800,
};
const OWN_GROUPS = new Set(['apiregistration.k8s.io', 'terrarium.dev']);

/** One for each group version that the server answers itself. */
export function apiServices(kinds: readonly Kind[]): APIService[] {
  const served = new Map<string, { group: string; version: string }>();
  for (const { group, version, internal } of kinds)
    if (!internal && !OWN_GROUPS.has(group)) served.set(`${version}.${group}`, { group, version });
  return [...served.entries()].map(
    ([name, { group, version }]) =>
      ({
        apiVersion: 'apiregistration.k8s.io/v1',
        kind: 'APIService',
        metadata: { name, labels: { 'kube-aggregator.kubernetes.io/automanaged': 'onstart' } },
        spec: {
          ...(group ? { group } : {}),
          version,
          groupPriorityMinimum: PRIORITIES[group] ?? 16_000,
          versionPriority: group === '' ? 1 : group === 'autoscaling' && version === 'v2' ? 30 : 15,
        },
      }) as unknown as APIService,
  );
}
