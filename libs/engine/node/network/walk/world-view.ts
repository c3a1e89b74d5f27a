import type { Node, Pod } from '../../../api/core_v1.js';
import type { Reader } from '../../../machinery/client.js';
import type { Fabric } from '../../cni/fabric/index.js';
import type { Ruleset, VirtualServers } from '../../../kernel/netfilter/index.js';
import type { Millis } from '../../../machinery/time/time.js';
import type { Packet as PolicyPacket, Verdict as PolicyVerdict } from '../../policy/index.js';

/** What a packet meets on its way. */
export interface Surroundings {
  podAt(ip: string): Pod | undefined;
  nodeAt(ip: string): Node | undefined;
  /** The node that an address of the pods' network is routed to. */
  nodeOfRange(ip: string): Node | undefined;
  nodeOf(pod: Pod): Node;
  /** How a node's network routes, where that is not as kindnet does. */
  fabricOf(node: Node): Fabric | undefined;
  readonly read: Reader;
  /** The rules of a node at a time, of one family of addresses. */
  rulesOf(node: Node, now: Millis, isSixth?: boolean): Ruleset;
  /** What an agent that stands in for kube-proxy on a node knows of Services. */
  agentServices(node: Node, now: Millis): VirtualServers | undefined;
  /** What the network policies make of a packet. */
  judge(packet: PolicyPacket): PolicyVerdict;
}
