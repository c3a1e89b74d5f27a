import type { Pod } from '../../api/core_v1.js';
import type { Network } from '../../kernel/network.js';
import type { SocketInfo } from '../../kernel/process/syscalls.js';
import { isLoopback } from '../../kernel/sockets/table.js';
import { Pods } from '../../kinds/index.js';
import { findHost } from '../../kinds/terrarium/noderuntime/hosts.js';
import type { Reader } from '../../machinery/client.js';
import type { Millis } from '../../machinery/time/time.js';
import { shellPod } from '../host/shell/node-shell.js';
import { pidOnNode, pauseName } from '../host/views/process-view.js';
import { idOf, sandboxId } from '../host/views/runtime-view.js';

/** Where the names of network namespaces stand on a node's disk. */
export const NETNS = '/run/netns';
const PROCESS = 'pid:';

/** The name that containerd gives a sandbox's network namespace. Models internal/cri's NewNetNS: cni-UUID. */
export function netnsOf(pod: Pod): string {
  const id = sandboxId(pod);
  return `cni-${[id.slice(0, 8), id.slice(8, 12), id.slice(12, 16), id.slice(16, 20), id.slice(20, 32)].join('-')}`;
}

/** Whether a pod has a network namespace of its own by now. */
export const hasNetns = ({ spec, status }: Pod): boolean =>
  spec.hostNetwork !== true && (status.podIP ?? '') !== '' && !['Succeeded', 'Failed'].includes(status.phase ?? '');

/** The pod of a node whose network namespace has a name; the node's own shell for that of its services. */
export function findNetns(read: Reader, node: string, name: string): Pod | undefined {
  const pods = read.byIndex(Pods, 'nodeName', node);
  if (!name.startsWith(PROCESS)) return pods.find((pod) => hasNetns(pod) && netnsOf(pod) === name);
  const pid = Number(name.slice(PROCESS.length));
  const found = pods.find((pod) => pidsOf(pod).includes(pid));
  const host = findHost(read, node);
  return found && hasNetns(found) ? found : host && shellPod(host);
}

function pidsOf(pod: Pod): number[] {
  const { containerStatuses = [], initContainerStatuses = [], ephemeralContainerStatuses = [] } = pod.status;
  const ids = [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses].flatMap((status) =>
    status.state?.running ? idOf(status.containerID) : [],
  );
  return [...ids, pauseName(pod)].map(pidOnNode);
}

/**
 * A pod's network as a program of its node has it that has gone there. Left out: the loopback leads to the pod's own
 * address, so that what listens there alone is not reached.
 */
export function enterNetwork(
  network: Network,
  { status }: Pod,
  sockets: (now: Millis) => readonly SocketInfo[],
): Network {
  const { redirects: _none, enter: _host, ...rest } = network;
  return {
    ...rest,
    isShared: true,
    sockets,
    connect: (from, address, ...more) =>
      network.connect(from, isLoopback(address) ? (status.podIP ?? address) : address, ...more),
  };
}
