import type { Pod } from '../../../api/core_v1.js';
import { isInScope, type Ends, type NetworkEffect } from '../../../faults/index.js';
import { Nodes } from '../../../kinds/index.js';
import { activeEffects } from '../../../kinds/terrarium/fault/active.js';
import type { Reader } from '../../../machinery/client.js';
import { hash32 } from '../../../machinery/random.js';
import { SECOND, type Millis } from '../../../machinery/time/time.js';
import { isControlPlane } from '../../host/files/config-files.js';
import type { Sender, Way } from '../walk/way.js';
import { dropped, nameOfNode, nameOfPod } from '../walk/walker.js';

/** net.ipv4.tcp_syn_retries: so many times more the kernel sends a SYN, each after twice the time. */
const SYN_RETRIES = 6;
/** Packets of a short connection in each direction, for a link that is slow: handshake, request, answer, end. */
const PACKETS = 10;
const PACKET_BYTES = 1_500;

/** One end of a connection: a pod with an address of its own, or a host. */
interface Party {
  readonly pod?: Pod;
  readonly node?: string;
  readonly isHost: boolean;
}

/** What becomes of a connection on links that lose, delay and limit. Nothing when no fault is active. */
export function withNetworkFaults(read: Reader, from: Sender, way: Way, sourcePort: number): Way {
  const active = activeEffects(read, 'network');
  if (active.length === 0 || 'error' in way.end) return way;
  const [sender, receiver] = [senderOf(from), receiverOf(way)];
  if (sender.pod !== undefined && sender.pod.metadata.uid === receiver.pod?.metadata.uid) return way;
  const own = active.filter((effect) => concerns(effect, sender, receiver, read));
  if (own.length === 0) return way;
  const retries = retriesOf(own, sourcePort);
  if (retries > SYN_RETRIES) {
    const at = sender.pod ? nameOfPod(sender.pod) : 'node' in from ? nameOfNode(from.node) : 'outside';
    return { ...way, end: dropped, hops: [...way.hops, { at, type: 'loss', reason: 'no answer comes back' }] };
  }
  const waited = (2 ** retries - 1) * SECOND;
  const latency = waited + own.reduce((sum, effect) => sum + roundTrips(effect, sourcePort), 0);
  return latency > 0 ? { ...way, latency: Math.round(latency) } : way;
}

const senderOf = (from: Sender): Party =>
  'pod' in from
    ? partyOfPod(from.pod)
    : 'node' in from
      ? { node: from.node.metadata.name ?? '', isHost: true }
      : { isHost: false };

function receiverOf({ end }: Way): Party {
  if ('pod' in end) return partyOfPod(end.pod);
  if ('node' in end) return { node: end.node.metadata.name ?? '', isHost: true };
  return { isHost: false };
}

const partyOfPod = (pod: Pod): Party => ({
  ...(pod.spec.hostNetwork ? {} : { pod }),
  ...(pod.spec.nodeName ? { node: pod.spec.nodeName } : {}),
  isHost: pod.spec.hostNetwork === true,
});

function concerns(effect: NetworkEffect, sender: Party, receiver: Party, read: Reader): boolean {
  if (effect.isBetweenNodes && isOneNode(effect, sender, receiver, read)) return false;
  const meets = (a: Party, b: Party): boolean =>
    isAtEnd(effect.from, a, read) && (!effect.to || isAtEnd(effect.to, b, read));
  return meets(sender, receiver) || (effect.direction === 'both' && meets(receiver, sender));
}

/** What stays on a node, and what nodes say to the control plane, unless that is named. */
function isOneNode({ to }: NetworkEffect, a: Party, b: Party, read: Reader): boolean {
  if (a.node === undefined || b.node === undefined || a.node === b.node) return true;
  const isControl = (party: Party): boolean => party.isHost && isControlPlaneNode(read, party.node);
  return !to && (isControl(a) || isControl(b));
}

function isAtEnd({ pods, nodes, controlPlane }: Ends, party: Party, read: Reader): boolean {
  if (pods) return party.pod !== undefined && isInScope(pods, party.pod);
  if (controlPlane) return party.isHost && isControlPlaneNode(read, party.node);
  return nodes === undefined || (party.node !== undefined && nodes.includes(party.node));
}

const isControlPlaneNode = (read: Reader, name: string | undefined): boolean =>
  read.list(Nodes).some((node) => node.metadata.name === name && isControlPlane(node));

/** SYNs that are lost before one is answered: both directions have to get through. */
function retriesOf(effects: readonly NetworkEffect[], sourcePort: number): number {
  const through = effects.reduce((rest, { lossPercent = 0 }) => rest * (1 - lossPercent / 100) ** 2, 1);
  for (let tries = 0; tries <= SYN_RETRIES; tries++)
    if (chance(effects[0]!.seed, sourcePort, tries) < through) return tries;
  return SYN_RETRIES + 1;
}

/** The handshake and one answer, there and back. */
function roundTrips({ delayMs = 0, jitterMs = 0, bytesPerSecond, seed }: NetworkEffect, sourcePort: number): Millis {
  const jitter = jitterMs > 0 ? jitterMs * chance(seed, sourcePort, SYN_RETRIES + 2) : 0;
  const transfer = bytesPerSecond === undefined ? 0 : ((PACKETS * PACKET_BYTES) / bytesPerSecond) * SECOND;
  return 2 * (delayMs + jitter) + transfer;
}

const chance = (seed: number, sourcePort: number, n: number): number => hash32(`${seed}/${sourcePort}`, n) / 2 ** 32;
