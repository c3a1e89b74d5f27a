import { decodeBase64, encodeBase64 } from '../../machinery/base64.js';
import { DerError } from '../../machinery/crypto/x509/der.js';
import { parseCertificate } from '../../machinery/crypto/x509/certificate.js';
import { signatureFault } from '../../machinery/crypto/x509/signature.js';
import { SECOND, type Millis } from '../../machinery/time/time.js';
import { encodeUtf8 } from '../../machinery/utf8.js';
import type { ClientHello, ClientProof } from './tls.js';

/** How long a proof holds: it is made for one connection. */
const LIFETIME: Millis = 60 * SECOND;

/** What the holder of the certificate's key signs. */
const messageOf = (certificate: string, signedAt: Millis): Uint8Array =>
  encodeUtf8(`TLS 1.3, client CertificateVerify ${signedAt} ${certificate}`);

/** `sign` makes signatures of the algorithm with the certificate's key. */
export function proveClient(
  certificate: Uint8Array,
  signedAt: Millis,
  algorithm: string,
  sign: (message: Uint8Array) => Uint8Array,
): ClientProof {
  const text = encodeBase64(certificate);
  return { certificate: text, signedAt, algorithm, signature: encodeBase64(sign(messageOf(text, signedAt))) };
}

/** The certificate (DER) whose key the client holds; undefined: it has shown none, or has not signed with its key. */
export function provenCertificate({ proof }: ClientHello, now: Millis): Uint8Array | undefined {
  if (typeof proof?.certificate !== 'string' || typeof proof.signature !== 'string') return undefined;
  const { certificate, signedAt, algorithm, signature } = proof;
  if (typeof signedAt !== 'number' || Math.abs(now - signedAt) > LIFETIME) return undefined;
  try {
    const bytes = decodeBase64(certificate);
    const { publicKey } = parseCertificate(bytes);
    const fault = signatureFault(algorithm, publicKey, messageOf(certificate, signedAt), decodeBase64(signature));
    return fault === undefined ? bytes : undefined;
  } catch (error) {
    if (error instanceof DerError) return undefined;
    throw error;
  }
}
