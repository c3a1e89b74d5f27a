import type { Pod } from '../../api/core_v1.js';
import { Pods } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';
import type { Millis } from '../../machinery/time/time.js';
import { nodePorts } from './servers/node-servers.js';
import type { Listeners } from './walk/deliver.js';
import { isMirrorPod } from '../../kinds/core/pod/mirror.js';

/** Pods that belong to a node: the control plane's from its own disk, and what runs on every one. */
export const isSystemPod = ({ metadata }: Pod): boolean =>
  metadata.namespace === 'kube-system' || isMirrorPod({ metadata });

/** What knows who listens. */
export interface NodePortsOptions extends Pick<Listeners, 'listenerOf'> {
  readonly read: Reader;
}

/** Whether a port of a pod's node is one of its own servers', or of its system's pods. */
export function isNodePort(pod: Pod, port: number, now: Millis, { read, listenerOf }: NodePortsOptions): boolean {
  const node = pod.spec.nodeName ?? '';
  if (nodePorts(read, node).includes(port)) return true;
  return read
    .byIndex(Pods, 'nodeName', node)
    .some(
      (other) =>
        isSystemPod(other) &&
        other.spec.hostNetwork === true &&
        other.metadata.uid !== pod.metadata.uid &&
        listenerOf(other, port, now) === 'summary',
    );
}
