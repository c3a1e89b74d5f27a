import type { WebSocket } from 'ws';

/**
 * A socket whose peer is gone, such as a browser that was closed while something was written to it (EPIPE), ends, and
 * nobody is told. Call it after the connection was handed to graphql-ws, whose own listener prints the error as one of
 * the implementation.
 */
export function endOnError(client: Pick<WebSocket, 'removeAllListeners' | 'on' | 'terminate'>): void {
  client.removeAllListeners('error');
  client.on('error', () => client.terminate());
}
