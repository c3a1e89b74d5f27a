import { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

const MAX_HEADER = 16_384;

/** A connection keeps its certificate: neither is renegotiated or resumed (both-protocols.ts). */
const shown = new WeakMap<Socket, X509Certificate | null>();

/**
 * The certificate that a request's client has shown; by way of `trustedHeader` when a proxy in front of us ends TLS.
 */
export function clientCertificateOf(
  { socket, headers }: IncomingMessage,
  trustedHeader?: string,
): X509Certificate | undefined {
  const passedOn = trustedHeader && headers[trustedHeader];
  if (passedOn) return parsed(String(passedOn));
  if (!(socket instanceof TLSSocket)) return undefined;
  let certificate = shown.get(socket);
  if (certificate === undefined) shown.set(socket, (certificate = socket.getPeerX509Certificate() ?? null));
  return certificate ?? undefined;
}

function parsed(header: string): X509Certificate | undefined {
  if (header.length > MAX_HEADER) return undefined;
  try {
    return new X509Certificate(decodeURIComponent(header));
  } catch {
    return undefined;
  }
}
