import type { Node } from '../../../api/core_v1.js';
import type { Party } from '../../policy/index.js';
import type { NextHop } from '../interfaces/routing.js';
import type { Reached } from './target.js';
import { dropped, nameOfNode, type Walker } from './walker.js';
import type { Surroundings } from './world-view.js';

/** Policies see a packet when its destination is known, and again after its source has changed. */
export function judge(walker: Walker, node: Node, next: NextHop): Reached | undefined {
  const { world, packet, hops } = walker;
  const { source, destination, destinationPort: port, protocol } = packet;
  const ends = `${source} ${destination}:${port}`;
  if (walker.judged === ends || next.type === 'lost' || next.type === 'unreachable' || protocol === 'icmp')
    return undefined;
  walker.judged = ends;
  const verdict = world.judge({
    source: partyAt(world, source),
    destination: partyAt(world, destination),
    port,
    protocol: protocol.toUpperCase() as 'TCP' | 'UDP' | 'SCTP',
  });
  for (const decision of verdict.decisions) hops.push({ at: nameOfNode(node), type: 'policy', decision });
  return verdict.allowed ? undefined : dropped;
}

function partyAt(world: Surroundings, ip: string): Party {
  const pod = world.podAt(ip);
  if (pod) return { ip, pod };
  const name = world.nodeAt(ip)?.metadata.name;
  return name === undefined ? { ip } : { ip, node: name };
}
