import { constants } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type tls from 'node:tls';
import type { ServerCertificate } from '@terrarium/platform';
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
};

const contextOf = ({ certificate, privateKey }: Certificate): tls.SecureContextOptions => ({
  cert: certificate,
  key: privateKey,
  secureOptions: constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION,
});

type Certificate = Pick<ServerCertificate, 'certificate' | 'privateKey'>;

export interface DualServer {
  readonly server: http.Server;
  /** Shows this certificate on the connections that begin from now on. */
  setCertificate(certificate: Certificate): void;
  closeSecure(): void;
}

/** HTTP and HTTPS on one port, told apart by the first byte: clients built on client-go send tokens over TLS only. */
export function createDualServer(handler: http.RequestListener, certificate: Certificate): DualServer {
  const server = http.createServer(SERVER_LIMITS, handler);
  const secure = https.createServer(
    { ...contextOf(certificate), ALPNProtocols: ['http/1.1'], ...CLIENT_CERTIFICATES, ...SERVER_LIMITS },
    handler,
  );
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
      if (chunk[0] === HANDSHAKE) {
        // As the sockets of an HTTPS server: a client that leaves during the handshake leaves nothing behind.
        socket.allowHalfOpen = false;
        // TLS itself reads the chunk that was put back.
        return void secure.emit('connection', socket);
      }
      for (const listener of plain) listener.call(server, socket);
      socket.resume();
    });
  });
  return {
    server,
    setCertificate: (next) => secure.setSecureContext(contextOf(next)),
    closeSecure: () => secure.closeAllConnections(),
  };
}
