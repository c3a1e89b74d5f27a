import { hostOf, HTTPS_PORT } from './webhook-url.js';

/** An error of Node.js' https, net and tls modules. */
export interface NodeError extends Error {
  readonly code?: string;
  readonly address?: string;
  readonly port?: number;
  readonly cert?: { readonly subjectaltname?: string };
}

const CERTIFICATE = 'tls: failed to verify certificate: x509: ';
const UNKNOWN_AUTHORITY = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_SIGNATURE_FAILURE',
]);
const CONNECT: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  ETIMEDOUT: 'connection timed out',
};

/** What Go's HTTP client, and so the API server, says when a call of `url` fails for this reason. */
export function goErrorMessage(error: NodeError, url: string): string {
  const { name, code = '', message, address = '', port = HTTPS_PORT, cert } = error;
  if (name === 'AbortError' || name === 'TimeoutError') return 'context deadline exceeded';
  if (UNKNOWN_AUTHORITY.has(code)) return `${CERTIFICATE}certificate signed by unknown authority`;
  if (CONNECT[code]) return `dial tcp ${joinHostPort(address, port)}: connect: ${CONNECT[code]}`;
  switch (code) {
    case 'ENOTFOUND':
      return `dial tcp: lookup ${hostOf(url)}: no such host`;
    case 'EAI_AGAIN':
      return `dial tcp: lookup ${hostOf(url)}: server misbehaving`;
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID':
      return `${CERTIFICATE}certificate has expired or is not yet valid`;
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `${CERTIFICATE}certificate is valid for ${namesOf(cert)}, not ${hostOf(url)}`;
    case 'ECONNRESET':
      return 'EOF';
    case 'EPROTO':
      return message.includes('wrong version number')
        ? 'http: server gave HTTP response to HTTPS client'
        : 'remote error: tls: handshake failure';
    default:
      return message;
  }
}

/** As Go's net.JoinHostPort. */
export const joinHostPort = (host: string, port: string | number): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

const namesOf = (cert: NodeError['cert']): string => (cert?.subjectaltname ?? '').replace(/(DNS|IP Address):/g, '');
