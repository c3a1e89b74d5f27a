import type { Millis } from '../../machinery/time/time.js';
import type { Bytes } from '../bytes.js';
import type { ErrorCode } from '../errno.js';

/** The other end of a stream: a socket of this or another machine, a session, or a host that is no machine. */
export type Peer =
  | { readonly type: 'socket'; readonly machine: string; readonly socket: number }
  | { readonly type: 'session'; readonly session: string }
  | { readonly type: 'remote'; readonly address: string; readonly port: number };

/** A socket, as data. */
export interface Socket {
  readonly id: number;
  readonly protocol: 'tcp' | 'udp' | 'unix' | 'packet';
  state: 'listening' | 'connecting' | 'connected' | 'failed' | 'closed';
  /** Of one that listens. */
  readonly since?: Millis;
  localAddress: string;
  localPort: number;
  remoteAddress: string;
  remotePort: number;
  /** The process that made it. */
  readonly owner: number;
  /** Connections that wait for accept. */
  backlog: number[];
  /** What has arrived; datagrams one by one. */
  received: Bytes[];
  receivedBytes: number;
  /** Bytes that may wait to be read. */
  readonly capacity: number;
  /** The peer sends no more. */
  isAtEnd: boolean;
  /** shutdown(): this side sends no more. */
  isShutDown: boolean;
  peer?: Peer;
  /** Where a connection was to go that was led here: SO_ORIGINAL_DST. */
  original?: { readonly address: string; readonly port: number };
  /** What a remote has not answered yet. */
  sent: Bytes;
  /** Since when a remote takes its time for the answer. */
  sentAt?: Millis;
  /** What it sends is looked into on the way: its network knows by whom. */
  isFiltered?: boolean;
  /** Nodes have its connection in their tables, or had it. */
  isTracked?: boolean;
  /** Of a socket of packets: those that there was no room for. */
  lost?: number;
  /** When the connecting ends, and how; of a connection to a remote that takes its time: when that is asked again. */
  settlesAt?: Millis;
  error?: ErrorCode;
}
