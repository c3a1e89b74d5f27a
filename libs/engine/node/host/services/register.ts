import type { Node } from '../../../api/core_v1.js';
import { NodeRuntimes, Nodes } from '../../../kinds/index.js';
import type { NodeRuntime } from '../../../kinds/terrarium/noderuntime/kind.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import type { Client } from '../../../machinery/client.js';
import type { Context } from '../../../runtime/controller.js';
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

/** What a host does whose Node is gone: its kubelet registers it again when it starts, and not before. */
export function followUnregistered(
  { client }: Pick<Context, 'client'>,
  host: Node,
  before: NodeRuntime,
  view: UnregisteredView,
): void {
  const { serving, installed } = before;
  const next = makeRecord(host.metadata.name ?? '', before, {
    ...(serving ? { serving } : {}),
    ...(installed === undefined ? {} : { installed }),
    ...view,
  });
  if (!deepEqual(before, next)) client.update(NodeRuntimes, next);
  if (isStarted(before, view)) registerNode(client, host);
}

const isStarted = (before: NodeRuntime, { kubelet, fault }: UnregisteredView): boolean =>
  kubelet.state === 'running' &&
  (before.kubelet.state !== 'running' ||
    before.kubelet.run !== kubelet.run ||
    (before.fault === 'off' && fault !== 'off'));

/** Models pkg/kubelet/kubelet_node_status.go registerWithAPIServer. */
function registerNode(client: Client, host: Node): void {
  if (!client.get(Nodes, { namespace: '', name: host.metadata.name ?? '' })) client.create(Nodes, registeredNode(host));
}
