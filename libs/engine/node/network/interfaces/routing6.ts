import type { Node } from '../../../api/core_v1.js';
import { isInPrefix, prefixOf } from '../../../kernel/netfilter/index.js';
import { HOST_GATEWAY_6, HOSTS_6, secondGatewayOf, secondIPOf, secondRangeOf } from '../../dualstack/addresses.js';
import { vethOf } from './routes.js';
import type { NextHop } from '../walk/next-hop.js';
import type { Surroundings } from '../walk/world-view.js';

const SERVICES = 'fd00:10:96:';
const PODS = 'fd00:10:244:';

/** What a node's table of IPv6 says of an address. Models the routes that kindnet writes; other networks have none. */
export function findRoute6(world: Surroundings, node: Node, address: string): NextHop {
  const range = secondRangeOf(node);
  const own = secondIPOf(node);
  if (address === '::1' || (own !== '' && address === own)) return { type: 'local' };
  if (own === '') return { type: 'unreachable' };
  const fabric = world.fabricOf(node);
  if (range && !fabric && address === secondGatewayOf(range)) return { type: 'local' };
  const there = fabric ? undefined : world.nodeOfRange(address);
  if (range && there?.metadata.name === node.metadata.name) {
    const pod = world.podAt(address);
    if (!pod) return { type: 'nobody', device: 'eth0', route: `${range} dev eth0 metric 1024 pref medium` };
    const device = vethOf(pod);
    return { type: 'pod', pod, device, route: `${address} dev ${device} metric 1024 pref medium` };
  }
  if (there) {
    const route = `${secondRangeOf(there) ?? ''} via ${secondIPOf(there)} dev eth0 metric 1024 pref medium`;
    return { type: 'node', node: there, device: 'eth0', route };
  }
  const other = world.nodeAt(address);
  const link = { device: 'eth0', route: `${HOSTS_6} dev eth0 proto kernel metric 256 pref medium` };
  if (other) return { type: 'node', node: other, ...link };
  if (isInPrefix(prefixOf(HOSTS_6), address)) return { type: 'nobody', ...link };
  return {
    type: address.startsWith(PODS) ? 'nobody' : address.startsWith(SERVICES) ? 'lost' : 'outside',
    device: 'eth0',
    route: `default via ${HOST_GATEWAY_6} dev eth0 metric 1024 pref medium`,
  };
}
