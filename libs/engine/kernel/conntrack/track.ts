import type { Millis } from '../../machinery/time/time.js';

/** One direction of a connection. */
export interface Tuple {
  readonly source: string;
  readonly sourcePort: number;
  readonly destination: string;
  readonly destinationPort: number;
}

/** What a connection is in the table of one namespace that its first packet has passed. */
export interface Passing {
  /** Whose table: a node's name. */
  readonly at: string;
  /** As the packet came, and as it went on: the answer is the latter turned round. */
  readonly from: Omit<Tuple, 'sourcePort'>;
  readonly to: Omit<Tuple, 'sourcePort'>;
}

/** What the network tells of the way of a connection's first packet. */
export interface Flow {
  readonly passed: readonly Passing[];
  /** The policy or rule that has decided; '': none had to. */
  readonly decided: string;
}

/**
 * A connection that a machine has begun, remembered by the machine itself: the tables of all the nodes that it passes
 * follow from that, so that none is stored.
 */
export interface Track extends Flow {
  readonly id: number;
  readonly protocol: 'tcp' | 'udp' | 'icmp';
  readonly startedAt: Millis;
  /** As the program has sent it. */
  readonly sent: Tuple;
  /** When the last bytes passed. */
  lastAt: Millis;
  endedAt?: Millis;
  /** 'reset': by one of both ends. 'lost': nobody has ever answered. */
  end?: 'closed' | 'reset' | 'lost';
  bytesSent: number;
  bytesReceived: number;
}
