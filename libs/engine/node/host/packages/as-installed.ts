import type { Node } from '../../../api/core_v1.js';
import { NodeRuntimes } from '../../../kinds/index.js';
import type { Reader } from '../../../machinery/client.js';

/** A node as kubeadm set it up: its kubelet may be another one since, and its first files are still those of then. */
export function asInstalled(node: Node, read: Reader): Node {
  const installed = read.get(NodeRuntimes, { namespace: '', name: node.metadata.name ?? '' })?.installed;
  const { nodeInfo } = node.status;
  if (installed === undefined || !nodeInfo) return node;
  return { ...node, status: { ...node.status, nodeInfo: { ...nodeInfo, kubeletVersion: installed } } };
}
