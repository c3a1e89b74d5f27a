import { compareBytes, DerError, fields, readDer, readOid } from '../../../engine/machinery/crypto/x509/der.js';
import { parseCertificate } from '../../../engine/machinery/crypto/x509/certificate.js';
import { decodePem } from '../../../engine/machinery/crypto/x509/pem.js';
import { LRUCache } from 'lru-cache';
import { proveClient } from '../../../engine/node/cni/client-proof.js';
import type { ClientProof } from '../../../engine/node/cni/tls.js';
import { readPrivateKey } from '../openssl/keys.js';

const certificateIn = (pem: string): Uint8Array | undefined =>
  decodePem(pem).find(({ type }) => type === 'CERTIFICATE')?.bytes;

/** A machine may take the same step more than once: it is looked ahead, and then acted on. */
const MAX_CACHED_PROOFS = 200;
// oxlint-disable-next-line house/no-module-state -- what follows from a text and a time alone
const proofs = new LRUCache<string, ClientProof>({ max: MAX_CACHED_PROOFS });

/** What a client shows in a TLS handshake that has a certificate and its key, both in PEM; undefined: it has not. */
export function proveHolder(pem: string, now: number): ClientProof | undefined {
  const key = `${now} ${pem}`;
  const known = proofs.get(key);
  if (known) return known;
  const proof = makeProof(pem, now);
  if (proof) proofs.set(key, proof);
  return proof;
}

function makeProof(pem: string, now: number): ClientProof | undefined {
  const [certificate, key] = [certificateIn(pem), readPrivateKey(pem)];
  if (!certificate || !key) return undefined;
  const algorithm = readOid(fields(readDer(key.algorithm))[0]);
  return proveClient(certificate, now, algorithm, (message) => key.sign(message), key.publicKey);
}

/** Why a certificate and a key (PEM) are no pair, in Go's words. Models crypto/tls X509KeyPair. */
export function pairFault(certificate: string, key: string): string | undefined {
  const bytes = certificateIn(certificate);
  if (!bytes) return 'tls: failed to find any PEM data in certificate input';
  const found = readPrivateKey(key);
  if (!found) return 'tls: failed to find any PEM data in key input';
  try {
    const { publicKey } = parseCertificate(bytes);
    return compareBytes(publicKey, found.publicKey) === 0 ? undefined : 'tls: private key does not match public key';
  } catch (error) {
    if (error instanceof DerError) return 'x509: malformed certificate';
    throw error;
  }
}
