import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { acceptCommand, acceptFrames, statusResponse, authorizeByProtocol, refuseUpgrade } from '@terrarium/host';
import { answerTo, pipe, statusOf, streamOf, type Asked, type Parts } from './kubernetes.routes.js';

const PATH = /^\/clusters\/([^/?]{1,100})/;

/**
 * Upgrades below /clusters/<id>: watches and commands over WebSockets. What is not upgraded is answered as any other
 * request.
 */
export function serveUpgrades(server: Server, parts: Parts): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const id = PATH.exec(request.url ?? '')?.[1];
    if (id === undefined) return;
    socket.on('error', () => socket.destroy());
    authorizeByProtocol(request);
    const asked = {
      params: { id },
      method: request.method ?? 'GET',
      headers: request.headers,
      body: undefined,
      raw: request,
    } as Asked;
    upgrade(parts, asked, socket, head).catch((error: { statusCode?: number }) =>
      refuseUpgrade(socket, statusResponse(statusOf(error))),
    );
  });
}

async function upgrade(parts: Parts, asked: Asked, socket: Duplex, head: Buffer): Promise<void> {
  const response = await answerTo(parts, asked);
  if (response.type === 'body') return refuseUpgrade(socket, response);
  if (response.type === 'exec') return acceptCommand(asked.raw, socket, head, response);
  const stream = await streamOf(parts, asked.params.id, response);
  socket.once('close', () => stream.end());
  acceptFrames(asked.raw, socket, head, (frames) => void pipe(stream, frames));
}
