import type { Lease } from '../../../api/coordination_v1.js';
import type { Node } from '../../../api/core_v1.js';
import type { CSINode } from '../../../api/storage_v1.js';
import { CSINodes, Leases } from '../../../kinds/index.js';
import type { Client } from '../../../machinery/client.js';
import { microTimestamp, type Millis } from '../../../machinery/time/time.js';

export const NODE_LEASES = 'kube-node-lease';

const ownerOf = (node: Node) => ({
  apiVersion: 'v1',
  kind: 'Node',
  name: node.metadata.name ?? '',
  uid: node.metadata.uid ?? '',
});

/** The lease by which a kubelet says that it lives. Models pkg/kubelet/util/nodelease.go. */
export const nodeLease = (node: Node, now: string): Lease => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: node.metadata.name, namespace: NODE_LEASES, ownerReferences: [ownerOf(node)] },
  spec: { holderIdentity: node.metadata.name, leaseDurationSeconds: 40, renewTime: now },
});

/** What the kubelet says of its node's CSI drivers: there are none. Models pkg/volume/csi/nodeinfomanager. */
export const csiNode = (node: Node): CSINode => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'CSINode',
  metadata: { name: node.metadata.name, ownerReferences: [ownerOf(node)] },
  spec: { drivers: [] },
});

/** What a kubelet makes beside its Node when it has registered that. */
export function createCompanions(client: Client, node: Node, now: Millis): void {
  const { name = '' } = node.metadata;
  if (!client.get(Leases, { namespace: NODE_LEASES, name }))
    client.create(Leases, nodeLease(node, microTimestamp(now)));
  if (!client.get(CSINodes, { namespace: '', name })) client.create(CSINodes, csiNode(node));
}
