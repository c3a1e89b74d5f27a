import type { Node, Pod } from '../../../api/core_v1.js';
import { networkOfNode, type NodeNetwork } from '../../../kinds/terrarium/noderuntime/kind.js';
import type { Neighbour, NetworkInterface, Route } from '../../../kernel/process/syscalls.js';
import type { Reader } from '../../../machinery/client.js';

/** A node, the pods that are plugged in there, and what the cluster's network knows of the others. */
export interface NodeView {
  readonly read: Reader;
  readonly node: Node;
  /** Those with addresses of their own. */
  readonly pods: readonly Pod[];
  readonly nodes: readonly Node[];
}

/** Where a node sends what is for an address of pods. `route`: as `ip route` prints it. */
export type PodRoute =
  | { readonly type: 'local' }
  | { readonly type: 'pod'; readonly device: string; readonly route: string }
  | { readonly type: 'node'; readonly node: Node; readonly device: string; readonly route: string }
  /** Nobody has it. */
  | { readonly type: 'nobody'; readonly device: string; readonly route: string };

/** How a network plugs pods in and joins nodes. What it prints is what its routes do. */
export interface Fabric {
  podInterfaces(pod: Pod, network: NodeNetwork): readonly NetworkInterface[];
  podRoutes(pod: Pod, network: NodeNetwork, read?: Reader): readonly Route[];
  /** Beside lo and the node's own. */
  hostInterfaces(view: NodeView, network: NodeNetwork): readonly Omit<NetworkInterface, 'index'>[];
  /** Beside the default route and that of the nodes' network. */
  hostRoutes(view: NodeView, network: NodeNetwork): readonly Route[];
  /** Entries of neighbour tables and of forwarding databases. */
  neighbours(view: NodeView, network: NodeNetwork): readonly Neighbour[];
  /** Of an address that is no node's; undefined: the network has no route to it. */
  route(view: Omit<NodeView, 'pods'>, address: string, podAt: (ip: string) => Pod | undefined): PodRoute | undefined;
  /** The name of the node's end of a pod's pair. */
  hostEnd(pod: Pod): string;
  /** The node's address on an interface that is not eth0. */
  addressOn(device: string, node: Node, read: Reader): string | undefined;
  /** Whether it sends what is for Services to their endpoints itself, before any rule; by default it does not. */
  balances?(read: Reader): boolean;
}

/** What a pod's interface is like where nothing else is known. */
export const networkOf = (read: Reader, node: string): NodeNetwork => networkOfNode(read, node) ?? {};

/** '10.244.1.7' as '10.244.1.0/24' by its length. */
export function networkPrefix(address: string, bits: number): string {
  const value = toNumber(address);
  const size = 2 ** (32 - bits);
  return `${toText(Math.floor(value / size) * size)}/${bits}`;
}

export const toNumber = (ip: string): number => ip.split('.').reduce((n, part) => n * 256 + Number(part), 0);
export const toText = (n: number): string =>
  [2 ** 24, 2 ** 16, 2 ** 8, 1].map((unit) => Math.floor(n / unit) % 256).join('.');

/** Whether an IPv4 address is in a prefix such as '10.244.1.0/24'. */
export function isWithin(address: string, cidr: string): boolean {
  const [base = '', bits = '32'] = cidr.split('/');
  if (!address.includes('.') || !base.includes('.')) return false;
  const size = 2 ** (32 - Number(bits));
  return Math.floor(toNumber(address) / size) === Math.floor(toNumber(base) / size);
}

/** Local, and the address in it, as plug-ins choose it. */
export const macOf = (ip: string, prefix: string): string =>
  [prefix, ...ip.split('.').map((part) => Number(part).toString(16).padStart(2, '0'))].join(':');
