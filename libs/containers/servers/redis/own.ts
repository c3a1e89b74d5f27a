import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { Database } from './database.js';
import type { MasterLink, ReplicaLink, Replication } from './replication/link.js';

/** A server's own state. */
export type Own = {
  argv: Bytes[];
  /** The problem with the command line or the configuration. */
  problem: Bytes;
  configuration: Record<string, Bytes>;
  /** Commands that have other names, or ''. */
  renamed: Record<string, Bytes>;
  hasFile: boolean;
  databases: Database[];
  startedAt: number;
  isReady: boolean;
  endsAt: number | null;
  /** Changes since the last snapshot, and when that was. */
  dirty: number;
  savedAt: number;
  /** Bytes of data: counted up by writes, measured when they could be too many. */
  bytes: number;
  isFull: boolean;
  commands: number;
  connections: number;
  replication: Replication;
  /** Of the append-only file: what is not written yet, and its length. */
  unwritten: Bytes;
  appended: number;
  /** All data have changed at once: the append-only file begins anew. */
  rewrites: boolean;
};
/** A connection's own state. */
export type Client = {
  database: number;
  isAuthenticated: boolean;
  name: Bytes;
  channels: Bytes[];
  /** Commands between MULTI and EXEC; null: there is no transaction. */
  queued: Bytes[][] | null;
  /** One of them cannot be run. */
  isAborted: boolean;
  /** Of RESP. */
  protocol: 2 | 3;
  replica: ReplicaLink | null;
  /** Not null: this server has begun it, and follows who is at its other end. */
  master: MasterLink | null;
  watched: { database: number; key: Bytes; state: string }[];
};
