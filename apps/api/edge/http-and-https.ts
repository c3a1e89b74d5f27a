import { constants } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { Certificate } from '@terrarium/platform';
import { refuseConnection, SERVER_LIMITS } from './broken-requests.js';

/** First byte of a TLS handshake. */
const HANDSHAKE = 0x16;
const FIRST_BYTE_TIMEOUT_MS = 20_000;

/**
 * A client may show a certificate, which the clusters check. Sessions are neither resumed nor renegotiated, so that a
 * connection has one identity for its whole life.
 */
const CLIENT_CERTIFICATES = {
  requestCert: true,
  rejectUnauthorized: false,
  secureOptions: constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION,
};

export interface DualServer {
  readonly server: http.Server;
  closeSecure(): void;
}

/** HTTP and HTTPS on one port, told apart by the first byte: clients built on client-go send tokens over TLS only. */
export function createDualServer(handler: http.RequestListener, { certificate, privateKey }: Certificate): DualServer {
  const server = http.createServer(SERVER_LIMITS, handler);
  const secure = https.createServer(
    { cert: certificate, key: privateKey, ALPNProtocols: ['http/1.1'], ...CLIENT_CERTIFICATES, ...SERVER_LIMITS },
    handler,
  );
  secure.keepAliveTimeout = 75_000;
  secure.on('clientError', refuseConnection);
  secure.on('upgrade', (...args) => server.emit('upgrade', ...args));
  const plain = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const timeout = setTimeout(() => socket.destroy(), FIRST_BYTE_TIMEOUT_MS);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => clearTimeout(timeout));
    socket.once('data', (chunk: Buffer) => {
      clearTimeout(timeout);
      socket.pause();
      socket.unshift(chunk);
      // TLS itself reads the chunk that was put back.
      if (chunk[0] === HANDSHAKE) return void secure.emit('connection', socket);
      for (const listener of plain) listener.call(server, socket);
      socket.resume();
    });
  });
  return { server, closeSecure: () => secure.closeAllConnections() };
}
