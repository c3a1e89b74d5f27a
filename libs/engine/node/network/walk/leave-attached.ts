import type { Node, Pod } from '../../../api/core_v1.js';
import type { Route } from '../../../kernel/process/syscalls.js';
import type { Reader } from '../../../machinery/client.js';
import { podRoutesOf } from '../../cni/fabric/views.js';
import { attachmentsOf, ipOf, type Attachment } from '../../cni/multus/attachment.js';
import { chooseRoute, findNeighbour } from '../../cni/multus/lookup.js';
import { mergeRoutes } from '../../cni/multus/views.js';
import { internalIPOf } from '../../kubelet/nodestatus/internal-ip.js';
import { podRoutes } from '../interfaces/interfaces.js';
import { HOST_GATEWAY } from '../interfaces/routes.js';
import type { Reached } from './target.js';
import { dropped, lose, nameOfNode, nameOfPod, noNeighbour, unreachable, type Walker } from './walker.js';

/** The segment that the nodes' own devices are on. */
const NODES = 'eth0';

/** Where a packet comes to; or the node that it enters by a device, and goes on from. */
type Left = Reached | { readonly enter: Node; readonly input: string };

/**
 * A pod that Multus has plugged in sends by the interface that its routes say. No rules and no policies are on the way:
 * a further network does not pass its node. Undefined: the packet goes by the first interface.
 */
export function leaveAttached(walker: Walker, pod: Pod, node: Node): Left | undefined {
  const { world, packet, hops } = walker;
  const attachments = attachmentsOf(world.read, pod);
  if (attachments.length === 0) return undefined;
  const route = chosenRoute(world.read, pod, attachments, packet.destination);
  if (!route) return lose(walker, nameOfPod(pod), 'no route', unreachable);
  const by = attachments.find(({ name }) => name === route.device);
  if (!by) return undefined;
  hops.push({ at: nameOfPod(pod), type: 'route', route: textOf(route) });
  walker.packet = { ...packet, source: sourceOf(by, route) };
  return by.hostAddress === undefined ? onSegment(walker, pod, node, by, route) : byHost(walker, pod, node, by, route);
}

/** The address that a pod sends from, where that is not its first one. */
export function attachedSource(read: Reader, pod: Pod, address: string): string | undefined {
  const attachments = attachmentsOf(read, pod);
  if (attachments.length === 0) return undefined;
  const route = chosenRoute(read, pod, attachments, address);
  const by = attachments.find(({ name }) => name === route?.device);
  return by && route ? sourceOf(by, route) : undefined;
}

const chosenRoute = (read: Reader, pod: Pod, attachments: readonly Attachment[], address: string): Route | undefined =>
  chooseRoute(mergeRoutes(podRoutesOf(read, pod) ?? podRoutes(pod), attachments), address);

const sourceOf = ({ addresses }: Attachment, { source }: Route): string =>
  source ?? ipOf(addresses.find((one) => !one.includes(':')) ?? '');

const textOf = ({ destination, gateway, device, source }: Route): string =>
  [
    `${destination} ${gateway === undefined ? '' : `via ${gateway} `}dev ${device}`,
    ...(source === undefined ? [] : [`proto kernel scope link src ${source}`]),
  ].join(' ');

/** The next station answers on layer 2 itself. */
function onSegment(walker: Walker, pod: Pod, node: Node, by: Attachment, { gateway }: Route): Left {
  const { world, packet } = walker;
  const next = gateway ?? packet.destination;
  const peer = findNeighbour(world.read, by, next);
  if (peer && gateway === undefined) return deliver(walker, peer);
  if (peer) return lose(walker, nameOfPod(peer), 'a pod forwards nothing', dropped);
  if (by.segment === NODES) {
    if (next === HOST_GATEWAY) return { outside: packet.destination, port: packet.destinationPort };
    const other = world.nodeAt(next);
    // What stands on a device does not hear the device's own node.
    if (other && other.metadata.name !== node.metadata.name) return { enter: other, input: NODES };
  }
  return lose(walker, nameOfPod(pod), `no host has ${next} on ${by.name}`, noNeighbour);
}

/** The node has an address on the segment, and forwards. */
function byHost(walker: Walker, pod: Pod, node: Node, by: Attachment, { gateway }: Route): Left {
  const { world, packet, hops } = walker;
  const { destination, destinationPort: port } = packet;
  if (destination === by.hostAddress) {
    hops.push({ at: nameOfNode(node), type: 'delivery', to: `${destination}:${port}` });
    return { node, port };
  }
  const peer = findNeighbour(world.read, by, destination);
  if (peer) return deliver(walker, peer);
  if (gateway !== by.hostAddress) return onSegment(walker, pod, node, by, { destination, device: by.name, gateway });
  if (by.isMasqueraded) walker.packet = { ...packet, source: internalIPOf(node) };
  return { enter: node, input: by.name };
}

function deliver({ hops, packet }: Walker, peer: Pod): Reached {
  const { destination, destinationPort: port } = packet;
  hops.push({ at: nameOfPod(peer), type: 'delivery', to: `${destination}:${port}` });
  return { pod: peer, port };
}
