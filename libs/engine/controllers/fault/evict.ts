import type { Pod } from '../../api/core_v1.js';
import type { EvictEffect } from '../../faults/effect.js';
import { Nodes, Pods } from '../../kinds/index.js';
import { ApiError } from '../../machinery/meta/status.js';
import type { Key } from '../../machinery/meta/object.js';
import type { Context } from '../../runtime/controller.js';
import { isMirrorPod } from '../../kinds/core/pod/mirror.js';

/** Deletes the pods that were chosen. */
export function deletePods({ client }: Context, { pods = [], gracePeriodSeconds = 0 }: EvictEffect): void {
  for (const name of pods) {
    const key = keyOfName(name);
    if (client.get(Pods, key)) client.delete(Pods, key, { gracePeriodSeconds });
  }
}

/** As `kubectl drain --ignore-daemonsets --delete-emptydir-data --force`. True: pods are left to evict. */
export function drainNodes(context: Context, { nodes = [] }: EvictEffect): boolean {
  const { client } = context;
  setUnschedulable(context, nodes, true);
  const left = nodes.flatMap((node) => client.byIndex(Pods, 'nodeName', node)).filter(isEvictable);
  return left.map((pod) => evict(context, pod)).includes(false);
}

export function setUnschedulable({ client }: Context, nodes: readonly string[], unschedulable: boolean): void {
  for (const name of nodes) {
    const node = client.get(Nodes, { namespace: '', name });
    if (!node || (node.spec.unschedulable ?? false) === unschedulable) continue;
    const { unschedulable: _before, ...spec } = node.spec;
    client.update(Nodes, { ...node, spec: unschedulable ? { ...spec, unschedulable } : spec });
  }
}

const isEvictable = ({ metadata, status }: Pod): boolean =>
  metadata.deletionTimestamp === undefined &&
  !isMirrorPod({ metadata }) &&
  !metadata.ownerReferences?.some(({ kind, controller }) => kind === 'DaemonSet' && controller) &&
  status.phase !== 'Succeeded' &&
  status.phase !== 'Failed';

/** False: a budget does not let it go yet. */
function evict({ client }: Context, { metadata }: Pod): boolean {
  const { namespace = '', name = '' } = metadata;
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } };
  try {
    client.subresource(Pods, { namespace, name }, 'eviction', body);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 429) return false;
    throw error;
  }
}

/** Of 'NAMESPACE/NAME'. */
export function keyOfName(text: string): Key {
  const [namespace = '', name = ''] = text.split('/');
  return { namespace, name };
}
