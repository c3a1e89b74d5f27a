import { LRUCache } from 'lru-cache';
import { decodeBase64, encodeBase64 } from '../../machinery/text/base64.js';
import { compareBytes, DerError } from '../../machinery/crypto/x509/der.js';
import { parseCertificate } from '../../machinery/crypto/x509/certificate.js';
import { signatureFault } from '../../machinery/crypto/x509/signature.js';
import { SECOND, type Millis } from '../../machinery/time/time.js';
import { encodeUtf8 } from '../../machinery/text/utf8.js';
import type { ClientHello, ClientProof } from './tls.js';

/** How long a proof holds: it is made for one connection. */
const LIFETIME: Millis = 60 * SECOND;

/** What the holder of the certificate's key signs. */
const messageOf = (certificate: string, signedAt: Millis): Uint8Array =>
  encodeUtf8(`TLS 1.3, client CertificateVerify ${signedAt} ${certificate}`);

/** Checking a signature takes milliseconds, and a proof that was made here is checked here a moment later. */
const MAX_KNOWN = 500;
const MAX_KEY_LENGTH = 8_192;
// oxlint-disable-next-line house/no-module-state -- whether a signature is right follows from the proof alone
const known = new LRUCache<string, boolean>({ max: MAX_KNOWN });

function remember(key: string, isRight: boolean): void {
  if (key.length <= MAX_KEY_LENGTH) known.set(key, isRight);
}

const keyOf = ({ certificate, signedAt, algorithm, signature }: ClientProof): string =>
  `${algorithm} ${signedAt} ${signature} ${certificate}`;

/** `sign` makes signatures of the algorithm with a key; `publicKey`: of that key, SubjectPublicKeyInfo. */
export function proveClient(
  certificate: Uint8Array,
  signedAt: Millis,
  algorithm: string,
  sign: (message: Uint8Array) => Uint8Array,
  publicKey?: Uint8Array,
): ClientProof {
  const text = encodeBase64(certificate);
  const signature = encodeBase64(sign(messageOf(text, signedAt)));
  const proof = { certificate: text, signedAt, algorithm, signature };
  if (publicKey && isKeyOf(certificate, publicKey)) remember(keyOf(proof), true);
  return proof;
}

function isKeyOf(certificate: Uint8Array, publicKey: Uint8Array): boolean {
  try {
    return compareBytes(parseCertificate(certificate).publicKey, publicKey) === 0;
  } catch (error) {
    if (error instanceof DerError) return false;
    throw error;
  }
}

/** The certificate (DER) whose key the client holds; undefined: it has shown none, or has not signed with its key. */
export function provenCertificate({ proof }: ClientHello, now: Millis): Uint8Array | undefined {
  if (typeof proof?.certificate !== 'string' || typeof proof.signature !== 'string') return undefined;
  const { certificate, signedAt } = proof;
  if (typeof signedAt !== 'number' || Math.abs(now - signedAt) > LIFETIME) return undefined;
  try {
    const bytes = decodeBase64(certificate);
    return isSigned(proof, bytes) ? bytes : undefined;
  } catch (error) {
    if (error instanceof DerError) return undefined;
    throw error;
  }
}

/** Throws DerError. */
function isSigned(proof: ClientProof, bytes: Uint8Array): boolean {
  const key = keyOf(proof);
  const found = known.get(key);
  if (found !== undefined) return found;
  const { certificate, signedAt, algorithm, signature } = proof;
  const { publicKey } = parseCertificate(bytes);
  const message = messageOf(certificate, signedAt);
  const isRight = signatureFault(algorithm, publicKey, message, decodeBase64(signature)) === undefined;
  remember(key, isRight);
  return isRight;
}
