import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { Broker, Message } from './broker/broker.js';

/** A server's own state. */
export type Own = {
  argv: Bytes[];
  broker: Broker;
  directory: Bytes;
  hasManagement: boolean;
  startedAt: number;
  isReady: boolean;
  isDirty: boolean;
  endsAt: number | null;
  /** Number of the next thing that wants a name: queues, consumers. */
  next: number;
};

export type Consumer = { tag: Bytes; queue: Bytes; needsAck: boolean };
/** What a client has got, and has not said a word about. */
export type Unacked = { tag: number; queue: Bytes; message: Message };
/** A message that is being published: its header or body is still to come. */
export type Incoming = { message: Message; size: number };
export type Channel = {
  prefetch: number;
  consumers: Consumer[];
  unacked: Unacked[];
  nextTag: number;
  incoming: Incoming | null;
  confirms: number | null;
};
/** A connection's own state. */
export type Client = {
  phase: 'new' | 'start' | 'tune' | 'open' | 'running' | 'closing';
  user: Bytes;
  host: Bytes;
  channels: Record<number, Channel>;
};

export const makeChannel = (): Channel => ({
  ...{ prefetch: 0, consumers: [], unacked: [], nextTag: 1, incoming: null, confirms: null },
});
