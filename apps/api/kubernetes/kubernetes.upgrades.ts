import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { acceptCommand, acceptFrames, authorizeByProtocol, refuseUpgrade, statusResponse } from '@terrarium/host';
import type { ClusterApi, ClusterRequest } from './cluster-api.js';
import { handleClusterRequest, openStream } from './cluster-request.js';
import { parseClusterUrl } from './cluster-url.js';
import { toApiError } from './edge-errors.js';
import { pipeFrames } from './pipe-frames.js';

/**
 * Upgrades below /clusters/<id>: watches and commands over WebSockets. A request whose answer needs no upgrade is
 * answered as any other.
 */
export function serveUpgrades(server: Server, api: ClusterApi): void {
  server.on('upgrade', (raw: IncomingMessage, socket: Duplex, head: Buffer) => {
    const url = parseClusterUrl(raw.url);
    if (!url) return;
    socket.on('error', () => socket.destroy());
    authorizeByProtocol(raw);
    upgrade(api, { url, raw }, socket, head).catch((error: { statusCode?: number }) =>
      refuseUpgrade(socket, statusResponse(toApiError(error))),
    );
  });
}

async function upgrade(api: ClusterApi, request: ClusterRequest, socket: Duplex, head: Buffer): Promise<void> {
  const response = await handleClusterRequest(api, request);
  if (response.type === 'body') return refuseUpgrade(socket, response);
  if (response.type === 'exec') return acceptCommand(request.raw, socket, head, response);
  const stream = await openStream(api, request.url.id, response);
  socket.once('close', () => stream.end());
  acceptFrames(request.raw, socket, head, (frames) => void pipeFrames(stream, frames));
}
