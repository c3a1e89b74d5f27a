import type { Node } from '../../../api/core_v1.js';
import { NodeRuntimes, Nodes } from '../../../kinds/index.js';
import type { NodeRuntime } from '../../../kinds/terrarium/noderuntime/kind.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import type { Client } from '../../../machinery/client.js';
import { registeredNode } from '../../kubelet/nodestatus/node-template.js';
import type { HostView } from '../evaluate.js';

/** The record of a host, with what no look at its disk finds. */
export const makeRecord = (
  name: string,
  before: NodeRuntime | undefined,
  view: Omit<NodeRuntime, 'apiVersion' | 'kind' | 'metadata'>,
): NodeRuntime => ({
  apiVersion: 'terrarium.dev/v1alpha1',
  kind: 'NodeRuntime',
  metadata: before?.metadata ?? { name },
  ...(before?.thresholds ? { thresholds: before.thresholds } : {}),
  ...(before?.machine ? { machine: before.machine } : {}),
  ...view,
});

type UnregisteredView = HostView & Pick<NodeRuntime, 'fault' | 'requests'>;

/**
 * A kubelet that starts registers its Node when that is gone, and not before. Returns whether it has. Models
 * pkg/kubelet/kubelet_node_status.go registerWithAPIServer.
 */
export function registerStarted(client: Client, host: Node, before: NodeRuntime, view: UnregisteredView): boolean {
  if (!isStarted(before, view) || client.get(Nodes, { namespace: '', name: host.metadata.name ?? '' })) return false;
  client.create(Nodes, registeredNode(host));
  return true;
}

/** What is kept of a host whose Node is gone, or has come back just now. */
export function followUnregistered(client: Client, host: Node, before: NodeRuntime, view: UnregisteredView): void {
  const { serving, installed } = before;
  const next = makeRecord(host.metadata.name ?? '', before, {
    ...(serving ? { serving } : {}),
    ...(installed === undefined ? {} : { installed }),
    ...view,
  });
  if (!deepEqual(before, next)) client.update(NodeRuntimes, next);
}

const isStarted = (before: NodeRuntime, { kubelet, fault }: UnregisteredView): boolean =>
  kubelet.state === 'running' &&
  (before.kubelet.state !== 'running' ||
    before.kubelet.run !== kubelet.run ||
    (before.fault === 'off' && fault !== 'off'));
