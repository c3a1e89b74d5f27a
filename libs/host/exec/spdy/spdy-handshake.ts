import type { Duplex } from 'node:stream';
import { respondOnSocket } from '../../gate/respond-on-socket.js';
import type { Handshake } from '../upgrades/handshake.js';

const VERSIONS_HEADER = 'x-stream-protocol-version';

export const isSpdy = ({ raw: { headers } }: Pick<Handshake, 'raw'>): boolean =>
  (headers.upgrade ?? '').toLowerCase() === 'spdy/3.1';

/** The transport of an upgraded connection, and the protocol that was agreed on; '' when the client has named none. */
export interface SpdyUpgrade {
  readonly transport: Duplex;
  readonly protocol: string;
}

/**
 * Upgrades to SPDY/3.1. Undefined when the client and the server know no common protocol, which the client is told.
 * Models apimachinery/pkg/util/httpstream Handshake and spdy/upgrade.go.
 */
export function acceptSpdy(
  { raw, socket, head, headers }: Handshake,
  supported: readonly string[],
): SpdyUpgrade | undefined {
  const offered = String(raw.headers[VERSIONS_HEADER] ?? '')
    .split(',')
    .map((protocol) => protocol.trim())
    .filter((protocol) => protocol !== '');
  const protocol = offered.length === 0 ? '' : offered.find((candidate) => supported.includes(candidate));
  if (protocol === undefined) {
    respondOnSocket(socket, {
      status: 403,
      headers: { ...headers, 'x-accepted-stream-protocol-versions': [...supported] },
      body: `unable to upgrade: unable to negotiate protocol: client supports [${offered.join(' ')}], server accepts [${supported.join(' ')}]\n`,
    });
    return undefined;
  }
  const lines = ['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: SPDY/3.1'];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (protocol !== '') lines.push(`X-Stream-Protocol-Version: ${protocol}`);
  if (head.length > 0) socket.unshift(head);
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  return { transport: socket, protocol };
}
