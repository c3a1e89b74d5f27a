import type { Millis } from '../machinery/time/time.js';
import type { Bytes } from './bytes.js';
import type { TrackEntry } from './conntrack/print.js';
import type { Flow, Track } from './conntrack/track.js';
import type { ErrorCode } from './errno.js';
import type { Ruleset } from './netfilter/index.js';
import type { NameAnswer, Neighbour, NetworkInterface, Route, SocketInfo } from './process/syscalls.js';

/** A peer that is no machine: the API server, a host outside. */
export interface Remote {
  /**
   * The answer to the bytes that a process has sent since the last answer. An answer without bytes waits for more: the
   * next call gets these bytes again, and those that came after them. `since`: when the first of them was sent.
   */
  answer(received: Bytes, now: Millis, since: Millis): RemoteAnswer;
}

export interface RemoteAnswer {
  readonly send: Bytes;
  readonly close: boolean;
  readonly logged?: readonly ServerLine[];
  /** The peer takes its time: at this one it is asked again. */
  readonly askAgainAt?: Millis;
}

/** A line that a server has written about what it was asked: who has asked remembers it. */
export interface ServerLine {
  /** The machine of the server. */
  readonly server: string;
  readonly text: string;
}

/** Somebody on the way to a machine who looks into what is sent there, and may answer it instead. */
export interface StreamFilter {
  /** Of the bytes that have not gone on yet: which do, what comes back instead of others, and which wait for more. */
  pass(
    sent: Bytes,
    now: Millis,
  ): { readonly forward: Bytes; readonly send: Bytes; readonly close: boolean; readonly left: Bytes };
}

/**
 * Where a connection ends. `from`: the address that the peer sees. `visited`: lists of clients that the machine has
 * come into on the way.
 */
export type Destination = {
  readonly visited?: readonly string[];
  /** Absent: nothing on the way remembers connections. */
  readonly flow?: Flow;
  /** Until the connection is there; by default it is at once. */
  readonly latency?: Millis;
} & (
  | { readonly machine: string; readonly port: number; readonly from: string; readonly filter?: StreamFilter }
  | { readonly remote: Remote }
  | { readonly error: ErrorCode; readonly after: Millis }
);

/** Rules of a network namespace that lead connections to a program of its own: REDIRECT of netfilter. */
export interface Redirects {
  /** The own port that takes a connection which a process of this user begins; undefined: it goes its way. */
  outbound(address: string, port: number, user: number): number | undefined;
  /** The same of one that comes into the namespace. */
  inbound(port: number): number | undefined;
}

/** When a machine was last put into a list of clients of the network. */
export type Visits = ReadonlyMap<string, Millis>;

/**
 * The network that a machine is plugged into. The machine itself connects to its loopback and its own addresses.
 * A destination that is a machine is named by its id: the World finds it.
 */
export interface Network {
  connect(
    from: string,
    address: string,
    port: number,
    protocol: 'tcp' | 'udp',
    now: Millis,
    visits: Visits,
  ): Destination;
  /** What the name server at an address answers. */
  resolve(name: string, type: string, now: Millis, server: string): NameAnswer;
  interfaces(): readonly NetworkInterface[];
  routes(): readonly Route[];
  /** Those of IPv6; by default none. */
  routes6?(): readonly Route[];
  /** The address that packets to another are sent from; undefined: that of the first interface. */
  sourceTo?(address: string): string | undefined;
  /** By default none. */
  neighbours?(): readonly Neighbour[];
  /** Other machines have the same addresses: what no program here listens to may be theirs. */
  readonly isShared?: boolean;
  /** Whether a TCP port is one of those that the node itself listens at; by default none is. */
  isTaken?(port: number, now: Millis): boolean;
  /** The rules of the network namespace; undefined: it has none. */
  netfilter?(now: Millis, isSixth?: boolean): Ruleset | undefined;
  /** Undefined: no connection is led elsewhere. */
  redirects?(): Redirects | undefined;
  /** Whether the network namespace keeps a table of connections. */
  readonly tracks?: boolean;
  /** The connections that pass the network namespace; undefined: it tracks none. */
  tracked?(now: Millis): readonly TrackEntry[] | undefined;
  /** Whether somebody has taken a datagram's connection out of the tables since it began: the next is walked anew. */
  isCleared?(track: Track, now: Millis): boolean;
  /**
   * The network of another namespace of the host: by its file's name in /run/netns, or as that of a process,
   * 'pid:4711'. Undefined: there is none.
   */
  enter?(name: string): Network | undefined;
  /** Who listens in a namespace whose programs run on other machines. */
  sockets?(now: Millis): readonly SocketInfo[];
  /** Forgets a connection. */
  forget?(entry: TrackEntry, now: Millis): void;
}

const LOOPBACK: NetworkInterface = {
  name: 'lo',
  index: 1,
  addresses: ['127.0.0.1/8', '::1/128'],
  mac: '00:00:00:00:00:00',
  mtu: 65_536,
  isUp: true,
};

/** A machine without a network but its loopback. */
export const NO_NETWORK: Network = {
  connect: () => ({ error: 'ENETUNREACH', after: 0 }),
  resolve: () => ({ code: 'SERVFAIL', records: [], delay: 0 }),
  interfaces: () => [LOOPBACK],
  routes: () => [],
};
