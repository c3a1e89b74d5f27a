import type { Node, Pod } from '../../../api/core_v1.js';
import type { Host, Packet, Protocol, Ruleset } from '../../../kernel/netfilter/index.js';
import type { Passing } from '../../../kernel/conntrack/track.js';
import type { Visits } from '../../../kernel/network.js';
import type { Millis } from '../../../machinery/time/time.js';
import type { Hop } from './hop.js';
import { CONNECT_TIMEOUT, NEIGHBOUR_TIMEOUT, type Reached } from './target.js';
import type { Surroundings } from './world-view.js';

/** Who sends. A pod on its node's network is its node. */
export type Sender = { readonly pod: Pod } | { readonly node: Node } | { readonly outside: string };

export interface Sending {
  readonly from: Sender;
  readonly address: string;
  readonly port: number;
  readonly protocol: Protocol;
  /** Tells flows of the same ends apart: the source's port. */
  readonly sourcePort: number;
  readonly now: Millis;
  /** When the sender was last put into a list of clients; without them each client belongs to one list for ever. */
  readonly visits?: Visits;
}

/** A packet on its way. */
export interface Walker {
  readonly world: Surroundings;
  readonly sending: Sending;
  readonly hops: Hop[];
  /** Lists of clients that the sender has come into, of whichever node. */
  readonly visited: string[];
  /** Nodes that it has left again, or was delivered at. */
  readonly passed: Passing[];
  /** The packet as it came to the node where it is. */
  came: Packet;
  packet: Packet;
  /** What policies were last asked about. */
  judged: string;
  /** The node that has changed the destination, and must see the answers. */
  translator?: Node;
  /** The node that was met last, with its rules and what it answers them: they are asked at each hook. */
  met?: { readonly node: Node; readonly rules: Ruleset; readonly host: Host };
}

export const unreachable: Reached = { error: 'ENETUNREACH', after: 0 };
export const refused: Reached = { error: 'ECONNREFUSED', after: 0 };
/** A connect fails at once. */
export const noHost: Reached = { error: 'EHOSTUNREACH', after: 0 };
export const dropped: Reached = { error: 'ETIMEDOUT', after: CONNECT_TIMEOUT };
export const noNeighbour: Reached = { error: 'EHOSTUNREACH', after: NEIGHBOUR_TIMEOUT };

export const nameOfPod = ({ metadata }: Pod): string => `pod ${metadata.namespace}/${metadata.name}`;
export const nameOfNode = ({ metadata }: Node): string => `node ${metadata.name}`;

export function lose({ hops }: Walker, at: string, reason: string, end: Reached): Reached {
  hops.push({ at, type: 'loss', reason });
  return end;
}
