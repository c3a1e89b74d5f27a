import type { Node } from '../../../engine/api/core_v1.js';
import { Nodes } from '../../../engine/kinds/index.js';
import type { Client } from '../../../engine/machinery/client.js';
import { timestamp } from '../../../engine/machinery/time/time.js';
import { CALICO } from '../../../engine/node/cni/agent-files.js';
import { internalIPOf } from '../../../engine/node/kubelet/nodestatus/internal-ip.js';
import type { Tunnel } from './blocks.js';

const UNAVAILABLE = 'NetworkUnavailable';
const UP = 'CalicoIsUp';
const NODES_BITS = 16;
/** They go when the pool has no such tunnel any more. */
const TUNNELS: readonly string[] = ['IPv4IPIPTunnelAddr', 'IPv4VXLANTunnelAddr', 'VXLANTunnelMACAddr'];

/** What an agent says of its node: its address, its tunnel's, and that it runs. Models lib/backend/k8s's node.go. */
export function describeNode(
  api: Client,
  name: string,
  { tunnel, address }: { readonly tunnel: Tunnel; readonly address?: string },
  now: number,
): boolean {
  const node = api.get(Nodes, { namespace: '', name });
  if (!node) return false;
  const { metadata, status } = node;
  const others = Object.fromEntries(Object.entries(ownOf(node)).filter(([key]) => !TUNNELS.includes(key)));
  const own = {
    ...others,
    IPv4Address: `${internalIPOf(node)}/${NODES_BITS}`,
    ...(tunnel === 'ipip' && address !== undefined ? { IPv4IPIPTunnelAddr: address } : {}),
    ...(tunnel === 'vxlan' && address !== undefined
      ? { IPv4VXLANTunnelAddr: address, VXLANTunnelMACAddr: macOf(address) }
      : {}),
  };
  const rest = Object.entries(metadata.annotations ?? {}).filter(([key]) => !key.startsWith(CALICO));
  const annotations = {
    ...Object.fromEntries(rest),
    ...Object.fromEntries(Object.entries(own).map(([key, value]) => [CALICO + key, value])),
  };
  const known = status.conditions?.find(({ type }) => type === UNAVAILABLE);
  const isSaid =
    Object.keys(annotations).length === Object.keys(metadata.annotations ?? {}).length &&
    Object.entries(annotations).every(([key, value]) => metadata.annotations?.[key] === value);
  if (isSaid && known?.reason === UP) return true;
  const time = timestamp(now);
  const condition = {
    ...{ type: UNAVAILABLE, status: 'False', reason: UP, message: 'Calico is running on this node' },
    ...{ lastHeartbeatTime: time, lastTransitionTime: time },
  };
  const conditions = [condition, ...(status.conditions ?? []).filter(({ type }) => type !== UNAVAILABLE)];
  api.updateStatus(Nodes, { ...node, metadata: { ...metadata, annotations }, status: { ...status, conditions } });
  return true;
}

/** Calico's annotations of a node, without their prefix. */
const ownOf = ({ metadata }: Node): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(metadata.annotations ?? {}).flatMap(([key, value]) =>
      key.startsWith(CALICO) ? [[key.slice(CALICO.length), value]] : [],
    ),
  );

const macOf = (ip: string): string =>
  ['66:5d', ...ip.split('.').map((part) => Number(part).toString(16).padStart(2, '0'))].join(':');
