import type { Node } from '../../../api/core_v1.js';
import { internalIPOf } from '../../kubelet/nodestatus/internal-ip.js';
import { Nodes } from '../../../kinds/index.js';
import type { Fabric } from '../../cni/fabric/index.js';
import { gatewayOf, HOST_GATEWAY, vethOf } from './routes.js';
import { findRoute6 } from './routing6.js';
import type { NextHop } from '../walk/next-hop.js';
import type { Surroundings } from '../walk/world-view.js';

export type { NextHop } from '../walk/next-hop.js';

/** Services' addresses are nowhere: what no rule has translated is lost. */
const SERVICES = /^10\.(?:9[6-9]|10[0-9]|11[01])\./;
const PODS = /^10\.244\./;
const HOSTS = /^172\.18\./;

/** What a node's routing table says of an address. Models the routes that kindnet writes. */
export function findRoute(world: Surroundings, node: Node, address: string): NextHop {
  if (address.includes(':')) return findRoute6(world, node, address);
  const range = node.spec?.podCIDR ?? '';
  const isOwn = address === internalIPOf(node) || address.startsWith('127.');
  const fabric = world.fabricOf(node);
  if (isOwn || (!fabric && range && address === gatewayOf(range))) return { type: 'local' };
  if (fabric) return findFabricRoute(world, fabric, node, address);
  const there = world.nodeOfRange(address);
  if (there?.metadata.name === node.metadata.name) {
    const pod = world.podAt(address);
    if (!pod) return { type: 'nobody', device: 'eth0', route: `${range} scope link` };
    const device = vethOf(pod);
    return { type: 'pod', pod, device, route: `${address} dev ${device} scope host` };
  }
  if (there) {
    const route = `${there.spec?.podCIDR ?? ''} via ${internalIPOf(there)} dev eth0`;
    return { type: 'node', node: there, device: 'eth0', route };
  }
  return findLink(world, address);
}

/** What the network's own routes say, then the node's. */
function findFabricRoute(world: Surroundings, fabric: Fabric, node: Node, address: string): NextHop {
  const { read } = world;
  const found = fabric.route({ read, node, nodes: read.list(Nodes) }, address, (ip) => world.podAt(ip));
  if (!found) return findLink(world, address);
  if (found.type !== 'pod') return found;
  const pod = world.podAt(address);
  return pod ? { ...found, pod } : { ...found, type: 'nobody' };
}

/** The nodes' own network, and what is beyond it. */
function findLink(world: Surroundings, address: string): NextHop {
  const other = world.nodeAt(address);
  const link = { device: 'eth0', route: '172.18.0.0/16 dev eth0 proto kernel scope link' };
  if (other) return { type: 'node', node: other, ...link };
  if (HOSTS.test(address)) return { type: 'nobody', ...link };
  return {
    type: PODS.test(address) ? 'nobody' : SERVICES.test(address) ? 'lost' : 'outside',
    device: 'eth0',
    route: `default via ${HOST_GATEWAY} dev eth0`,
  };
}
