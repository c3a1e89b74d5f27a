import { CloseCode } from 'graphql-ws';
import type { WebSocket } from 'ws';

/** How long (ms) a connection that broke the protocol is kept before it is closed. */
const HELD_MS = 1_000;

/** Codes of the protocol's own errors: 4400 to 4499. */
const isProtocolError = (code: number | undefined): boolean => code !== undefined && code >= 4_400 && code < 4_500;

/**
 * Makes the close for an error of the protocol come after a while, in which nothing more is read: a client that
 * connects again at once, and breaks the protocol again, costs one handshake in that time. A refused credential
 * (Forbidden) closes at once: the gate has held a guessed one already, and a revoked one must not be kept.
 */
export function holdRefusedCloses(client: WebSocket, heldMs = HELD_MS): void {
  const close = client.close.bind(client);
  let isHeld = false;
  client.close = (code?: number, reason?: string | Buffer) => {
    if (isHeld) return;
    if (!isProtocolError(code) || code === (CloseCode.Forbidden as number)) return close(code, reason);
    isHeld = true;
    client.removeAllListeners('message');
    client.pause();
    const timer = setTimeout(() => {
      client.resume();
      close(code, reason);
    }, heldMs);
    client.once('close', () => clearTimeout(timer));
  };
}
