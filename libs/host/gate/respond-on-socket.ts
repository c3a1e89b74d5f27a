import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PassThrough, type Duplex } from 'node:stream';
import type { BodyResponse } from '@terrarium/engine';

/** How long a client may take to close its side of a connection that was answered and ended. */
const LINGER_MS = 500;

/**
 * Answers on a socket that its HTTP server has let go of, and closes it: after a request for an upgrade, or after bytes
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
  // A client may reset the connection at any moment.
  socket.on('error', () => socket.destroy());
  // What the client still sends is read: unread bytes make a reset of the close, which can overtake the answer.
  socket.resume();
  socket.once('finish', () => setTimeout(() => socket.destroy(), LINGER_MS).unref());
  // In one write: a client that is still sending may reset the connection at the first answer.
  socket.end(rendered.read());
}

/**
 * Answers a request whose connection would be refused in life, where the port is everybody's: by a header that is none.
 * Clients built on Go fail with its text, and say that the connection was refused; lenient ones read the 503.
 */
export function refuseOnSocket(socket: Duplex, { headers, body }: Pick<BodyResponse, 'headers' | 'body'>): void {
  const bytes = Buffer.from(body as string);
  const lines = [
    'HTTP/1.1 503 Service Unavailable',
    'connection refused',
    `content-type: ${String(headers['content-type'])}`,
    `content-length: ${bytes.length}`,
    'connection: close',
  ];
  socket.on('error', () => socket.destroy());
  socket.resume();
  socket.once('finish', () => setTimeout(() => socket.destroy(), LINGER_MS).unref());
  socket.end(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), bytes]));
}
