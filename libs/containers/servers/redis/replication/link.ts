import type { Bytes } from '../../../../engine/kernel/bytes.js';

/** What a server knows of its replicas and its master. */
export type Replication = {
  /** The data's history: 40 hexadecimal digits; '' until somebody asks for it. */
  id: Bytes;
  /** Bytes of the stream of commands since then. */
  offset: number;
  /** When it asks its master again, and how often it has. */
  retryAt: number | null;
  tries: number;
  /** When the master was lost; null: it is there. */
  downSince: number | null;
  /** Acknowledgements of replicas: what waits for them looks again. */
  acks: number;
};

/** A connection to this server's master: how far it has come. */
export type MasterLink = {
  stage: 'connecting' | 'ping' | 'auth' | 'port' | 'psync' | 'snapshot' | 'online';
  /** Of the snapshot: bytes that are still to come, and those that have. */
  left: number;
  text: Bytes;
  lastAt: number;
};

/** A connection of a replica of this server. */
export type ReplicaLink = { port: number; acked: number; isOnline: boolean };

export const newReplication = (): Replication => ({
  ...{ id: '', offset: 0, retryAt: null, tries: 0, downSince: null, acks: 0 },
});
