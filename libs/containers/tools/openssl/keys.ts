import { ed25519 } from '@noble/curves/ed25519.js';
import { p256 } from '@noble/curves/nist.js';
import { LRUCache } from 'lru-cache';
import {
  DerError,
  bits,
  context,
  der,
  expect,
  fields,
  integer,
  octets,
  oid,
  readDer,
  readOid,
  sequence,
  TAG,
} from '../../../engine/machinery/crypto/x509/der.js';
import { decodePem, encodePem } from '../../../engine/machinery/crypto/x509/pem.js';
import { SigningKey } from '../../../engine/machinery/crypto/signing-key.js';
import { NULL, readRsaKey, type RsaKey, rsaPublicKey, signRsa, writeRsaKey } from './rsa.js';

/** A private key that openssl can sign with. */
export interface PrivateKey {
  readonly kind: 'RSA' | 'EC' | 'ED25519';
  readonly pem: string;
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Uint8Array;
  /** AlgorithmIdentifier of its signatures (with SHA-256, but for Ed25519), DER. */
  readonly algorithm: Uint8Array;
  readonly rsa?: RsaKey;
  sign(message: Uint8Array): Uint8Array;
}

const P256 = '1.2.840.10045.3.1.7';
const EC = '1.2.840.10045.2.1';
const ED25519_ID = '1.3.101.112';
const ED25519 = sequence(oid(ED25519_ID));

export function rsaPrivateKey(rsa: RsaKey): PrivateKey {
  return {
    kind: 'RSA',
    pem: encodePem('PRIVATE KEY', writeRsaKey(rsa)),
    publicKey: rsaPublicKey(rsa),
    algorithm: sequence(oid('1.2.840.113549.1.1.11'), NULL),
    rsa,
    sign: (message) => signRsa(rsa, message),
  };
}

/** A P-256 key of 32 bytes. */
export function ecPrivateKey(secret: Uint8Array): PrivateKey {
  const key = new SigningKey(secret);
  const inner = sequence(integer(Uint8Array.of(1)), octets(secret), der(context(1, true), bits(key.point)));
  return {
    kind: 'EC',
    pem: encodePem('PRIVATE KEY', sequence(integer(Uint8Array.of(0)), sequence(oid(EC), oid(P256)), octets(inner))),
    publicKey: key.publicKey,
    algorithm: sequence(oid('1.2.840.10045.4.3.2')),
    sign: (message) => key.sign(message, 'der'),
  };
}

/** Of 32 bytes (RFC 8410). */
export function ed25519PrivateKey(secret: Uint8Array): PrivateKey {
  return {
    kind: 'ED25519',
    pem: encodePem('PRIVATE KEY', sequence(integer(Uint8Array.of(0)), ED25519, octets(octets(secret)))),
    publicKey: sequence(ED25519, bits(ed25519.getPublicKey(secret))),
    algorithm: ED25519,
    sign: (message) => ed25519.sign(message, secret),
  };
}

/** Each command of kubectl reads its user's key, and multiplying a point takes a millisecond. */
const MAX_CACHED_KEYS = 200;
const MAX_CACHED_LENGTH = 16_384;
// oxlint-disable-next-line house/no-module-state -- what follows from a text alone
const keys = new LRUCache<string, PrivateKey>({ max: MAX_CACHED_KEYS });

/** The first private key of a text in PEM; undefined when there is none that is known here. */
export function readPrivateKey(text: string): PrivateKey | undefined {
  const known = keys.get(text);
  if (known) return known;
  const key = findPrivateKey(text);
  if (key && text.length <= MAX_CACHED_LENGTH) keys.set(text, key);
  return key;
}

function findPrivateKey(text: string): PrivateKey | undefined {
  try {
    for (const { type, bytes } of decodePem(text)) {
      if (type === 'RSA PRIVATE KEY') return rsaPrivateKey(readRsaKey(bytes));
      if (type === 'EC PRIVATE KEY') return readEc(bytes);
      if (type !== 'PRIVATE KEY') continue;
      const [, algorithm, key] = fields(readDer(bytes));
      const inner = expect(key, TAG.octets);
      const id = readOid(fields(algorithm)[0]);
      if (id === ED25519_ID) return readEd25519(inner);
      return id === EC ? readEc(inner) : rsaPrivateKey(readRsaKey(inner));
    }
  } catch (error) {
    if (!(error instanceof DerError)) throw error;
  }
  return undefined;
}

function readEd25519(bytes: Uint8Array): PrivateKey | undefined {
  const secret = expect(readDer(bytes), TAG.octets);
  return secret.length === 32 ? ed25519PrivateKey(secret) : undefined;
}

function readEc(bytes: Uint8Array): PrivateKey | undefined {
  const secret = expect(fields(readDer(bytes))[1], TAG.octets);
  return p256.utils.isValidSecretKey(secret) ? ecPrivateKey(secret) : undefined;
}
