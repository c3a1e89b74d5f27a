import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** A request for an upgrade to a WebSocket. */
export interface Handshake {
  readonly raw: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  /** Headers of the answer, beside those of the WebSocket. */
  readonly headers: Readonly<Record<string, string>>;
  /** Aborted when the client may not go on: a WebSocket is closed then. */
  readonly closing?: AbortSignal;
}
