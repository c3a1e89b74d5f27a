import type { Bytes } from '../../kernel/bytes.js';
import type { Millis } from '../../machinery/time/time.js';

/**
 * TLS between simulated programs is not computed byte by byte: client and server say who they are in one line of JSON
 * each, behind the first byte of a handshake record, and go on in plain bytes.
 */
const HANDSHAKE = '\x16';

/** What a client says of itself beside the name that it asks for: CertificateVerify of TLS, in one line. */
export interface ClientProof {
  /** DER in base64. */
  readonly certificate: string;
  /** Virtual ms. */
  readonly signedAt: Millis;
  /** The identifier of the signature's algorithm. */
  readonly algorithm: string;
  /** Base64. */
  readonly signature: string;
}

export interface ClientHello {
  /** The name that the client asks for; '' for an address. */
  readonly serverName: string;
  /** Who the client is; undefined: it shows no certificate. */
  readonly proof?: ClientProof;
}

export interface ServerHello {
  /** Distinguished names as openssl prints them: 'CN = kube-apiserver'. */
  readonly subject: string;
  readonly issuer: string;
  /** DNS names and addresses that the certificate is for. */
  readonly names: readonly string[];
  /** The certificates in PEM, the server's own first. */
  readonly chain: readonly string[];
}

/** Numbers of alerts by which a server ends a handshake (RFC 8446). */
export const ALERTS = { badCertificate: 42, unknownAuthority: 48, certificateRequired: 116 } as const;
const ALERT = '\x15\x03\x03\0\x02\x02';

export const formatAlert = (alert: number): Bytes => ALERT + String.fromCharCode(alert);

/** The alert that a peer has sent behind its hello. */
export const alertIn = (rest: Bytes): number | undefined =>
  rest.startsWith(ALERT) && rest.length > ALERT.length ? rest.charCodeAt(ALERT.length) : undefined;

export const formatHello = (hello: ClientHello | ServerHello): Bytes =>
  `${HANDSHAKE}${escape(JSON.stringify(hello))}\n`;

/** JSON with nothing but ASCII in it. */
const escape = (text: string): string =>
  text.replace(/[^\0-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * Splits what a peer has sent into its hello and the bytes behind it: undefined while the hello is not complete, null
 * when the peer does not speak TLS.
 */
export function parseHello<T extends ClientHello | ServerHello>(
  received: Bytes,
): { readonly hello: T; readonly rest: Bytes } | null | undefined {
  if (received === '') return undefined;
  if (!received.startsWith(HANDSHAKE)) return null;
  const end = received.indexOf('\n');
  if (end < 0) return undefined;
  try {
    return { hello: JSON.parse(received.slice(1, end)) as T, rest: received.slice(end + 1) };
  } catch {
    return null;
  }
}
