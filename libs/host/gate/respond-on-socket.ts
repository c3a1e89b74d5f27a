import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PassThrough, type Duplex } from 'node:stream';
import type { BodyResponse } from '@terrarium/engine';

/**
 * Answers on a socket that its HTTP server has let go of, and ends it: after a request for an upgrade, or after bytes
 * that are no HTTP.
 */
export function respondOnSocket(socket: Duplex, { status, headers, body }: Omit<BodyResponse, 'type'>): void {
  // Rendered apart from the socket, which may still belong to the response of an earlier request.
  const rendered = new PassThrough();
  const response = new ServerResponse(new IncomingMessage(rendered as unknown as Socket));
  response.sendDate = false;
  response.assignSocket(rendered as unknown as Socket);
  const bytes = Buffer.from(body as string);
  response.writeHead(status, {
    ...(headers as Record<string, string | string[]>),
    'content-length': String(bytes.length),
    connection: 'close',
  });
  response.end(bytes);
  // In one write: a client that is still sending may reset the connection at the first answer.
  socket.end(rendered.read());
}
