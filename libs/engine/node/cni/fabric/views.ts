/** What `ip` and `bridge` show of a node and its pods, where the network is not kindnet's. */
import type { Node, Pod } from '../../../api/core_v1.js';
import type { Neighbour, NetworkInterface, Route } from '../../../kernel/process/syscalls.js';
import type { Reader } from '../../../machinery/client.js';
import { internalIPOf } from '../../kubelet/nodestatus/internal-ip.js';
import { LOOPBACK } from './bridge.js';
import { macOf, networkOf, type NodeView } from './fabric.js';
import { fabricOf } from './index.js';

const NODE_MAC = '02:42';
const NODES_NETWORK = '172.18.0.0/16';
const ROUTER = '172.18.0.1';

const nameOf = ({ metadata }: Node): string => metadata.name ?? '';

/** Undefined: as kindnet makes them. */
export function podInterfacesOf(read: Reader, pod: Pod): readonly NetworkInterface[] | undefined {
  const network = networkOf(read, pod.spec.nodeName ?? '');
  return fabricOf(network)?.podInterfaces(pod, network);
}

/** Undefined: as kindnet makes them. */
export function podRoutesOf(read: Reader, pod: Pod): readonly Route[] | undefined {
  const network = networkOf(read, pod.spec.nodeName ?? '');
  return fabricOf(network)?.podRoutes(pod, network, read);
}

/** Undefined: as kindnet makes them. */
export function nodeInterfacesOf(view: NodeView): readonly NetworkInterface[] | undefined {
  const network = networkOf(view.read, nameOf(view.node));
  const fabric = fabricOf(network);
  if (!fabric) return undefined;
  const ip = internalIPOf(view.node);
  const own = { name: 'eth0', addresses: ip ? [`${ip}/16`] : [], mac: macOf(ip, NODE_MAC), mtu: 1_500, isUp: true };
  return [LOOPBACK, ...[own, ...fabric.hostInterfaces(view, network)].map((one, i) => ({ ...one, index: i + 2 }))];
}

/** Undefined: as kindnet makes them. */
export function nodeRoutesOf(view: NodeView): readonly Route[] | undefined {
  const network = networkOf(view.read, nameOf(view.node));
  const fabric = fabricOf(network);
  if (!fabric) return undefined;
  return [
    { destination: 'default', gateway: ROUTER, device: 'eth0' },
    ...fabric.hostRoutes(view, network),
    { destination: NODES_NETWORK, device: 'eth0', source: internalIPOf(view.node) },
  ];
}

export function neighboursOf(view: NodeView): readonly Neighbour[] {
  const network = networkOf(view.read, nameOf(view.node));
  return fabricOf(network)?.neighbours(view, network) ?? [];
}
