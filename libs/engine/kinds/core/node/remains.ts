import type { Node } from '../../../api/core_v1.js';
import type { Reader } from '../../../machinery/client.js';
import type { Remains } from '../../../machinery/kind.js';
import { microTimestamp, parseTimestamp, timestamp, type Millis } from '../../../machinery/time/time.js';
import { kind as NodeRuntimes, type NodeRuntime, type NodeService } from '../../terrarium/noderuntime/kind.js';

/** Hosts without a Node that a cluster has; another one ends with its Node. */
const MAX_UNREGISTERED = 50;

/** The host of a Node that is deleted: its disk, its services and who is logged in are there as before. */
export function leaveHost(node: Node, read: Reader, now: Millis): Remains | undefined {
  const { name = '', uid = '', creationTimestamp = '', labels = {}, annotations = {} } = node.metadata;
  const before = read.get(NodeRuntimes, { namespace: '', name });
  if (!before && read.list(NodeRuntimes).filter(({ machine }) => machine).length >= MAX_UNREGISTERED) return undefined;
  const first = before?.machine?.metadata ?? { uid, creationTimestamp };
  const machine: Node = {
    ...node,
    metadata: {
      ...{ name, labels, annotations, deletionTimestamp: timestamp(now) },
      ...{ uid: first.uid ?? '', creationTimestamp: first.creationTimestamp ?? '' },
    },
  };
  const asBooted: NodeService = { state: 'running', since: sinceOf(creationTimestamp), run: 'boot' };
  const object: NodeRuntime = {
    apiVersion: 'terrarium.dev/v1alpha1',
    kind: 'NodeRuntime',
    kubelet: asBooted,
    containerd: asBooted,
    ...before,
    metadata: before ? { ...before.metadata } : { name, uid: `host-${uid}`, creationTimestamp },
    machine,
  };
  return { kind: NodeRuntimes, object };
}

const sinceOf = (creation: string): string => microTimestamp(parseTimestamp(creation) || 0);
