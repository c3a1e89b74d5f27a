import type { Node } from '../../../api/core_v1.js';
import { chooseServer, listOf, type VirtualServer } from '../../../kernel/netfilter/index.js';
import { listOn, meet } from './hooks.js';
import { findRoute } from '../interfaces/routing.js';
import type { Reached } from './target.js';
import { dropped, lose, nameOfNode, noHost, type Walker } from './walker.js';

const endOf = ({ address, port }: Pick<VirtualServer, 'address' | 'port'>): string => `${address}:${port}`;

/**
 * What an agent that stands in for kube-proxy makes of a packet for a Service: at the socket of who connects on its
 * node, else where it comes in (`input`). Undefined: it goes on. Models cilium's bpf/bpf_sock.c and bpf/lib/nodeport.h.
 * Left out: source ranges of load balancers, host ports, and Maglev.
 */
export function balanceByAgent(walker: Walker, node: Node, at: string, input?: string): Reached | undefined {
  const { world, packet, hops, sending } = walker;
  const server = world.agentServices(node, sending.now)?.find(packet);
  if (!server) return undefined;
  const { host } = meet(walker, node);
  hops.push({ at, type: 'agent', text: `cilium: ${server.protocol.toUpperCase()} ${endOf(server)}` });
  const real = chooseServer(server, packet, host);
  // A socket is told at once, what comes in is thrown away or refused.
  if (!real) return lose(walker, at, 'the service has no backends', input === undefined ? noHost : dropped);
  hops.push({ at, type: 'translation', from: endOf(server), to: endOf(real) });
  if (server.persistence !== undefined) walker.visited.push(listOn(node, listOf(server, real)));
  walker.packet = { ...packet, destination: real.address, destinationPort: real.port };
  if (input === undefined) return undefined;
  // Answers have to come back by here.
  const next = findRoute(world, node, real.address);
  if (next.type !== 'node') return undefined;
  const source =
    world.fabricOf(node)?.addressOn(next.device, node, world.read) ??
    host.masqueradeAs({ ...packet, output: next.device });
  hops.push({ at: nameOfNode(node), type: 'translation', from: packet.source, to: source });
  walker.packet = { ...walker.packet, source };
  return undefined;
}
