import { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

const MAX_HEADER_CHARACTERS = 16_384;

/** A connection keeps its certificate: it is neither renegotiated nor resumed (http-and-https.ts). */
const certificates = new WeakMap<Socket, X509Certificate | null>();

/** The certificate that the client has shown: on the connection, or in `trustedHeader` to a proxy that ends TLS. */
export function clientCertificateOf(
  { socket, headers }: IncomingMessage,
  trustedHeader?: string,
): X509Certificate | undefined {
  const passedOn = trustedHeader && headers[trustedHeader];
  if (passedOn) return parseCertificate(String(passedOn));
  if (!(socket instanceof TLSSocket)) return undefined;
  let certificate = certificates.get(socket);
  if (certificate === undefined) certificates.set(socket, (certificate = socket.getPeerX509Certificate() ?? null));
  return certificate ?? undefined;
}

/** Undefined when the header is no certificate. */
function parseCertificate(header: string): X509Certificate | undefined {
  if (header.length > MAX_HEADER_CHARACTERS) return undefined;
  try {
    return new X509Certificate(decodeURIComponent(header));
  } catch {
    // The client is then known by its token, or not at all.
    return undefined;
  }
}
