import { ed25519 } from '@noble/curves/ed25519.js';
import { p256, p384, p521 } from '@noble/curves/nist.js';
import { sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import {
  compareBytes,
  concat,
  DerError,
  expect,
  fields,
  octets,
  oid,
  readBits,
  readDer,
  readOid,
  sequence,
  TAG,
  der,
} from './der.js';
import { own } from '../../meta/object.js';

type Hash = (message: Uint8Array) => Uint8Array;

/** Signature algorithms by identifier: the key's kind, and the hash. */
const ALGORITHMS: Readonly<
  Record<string, { readonly key: 'RSA' | 'ECDSA' | 'Ed25519'; readonly hash?: Hash; readonly hashOid?: string }>
> = {
  '1.2.840.113549.1.1.5': { key: 'RSA', hash: sha1, hashOid: '1.3.14.3.2.26' },
  '1.2.840.113549.1.1.11': { key: 'RSA', hash: sha256, hashOid: '2.16.840.1.101.3.4.2.1' },
  '1.2.840.113549.1.1.12': { key: 'RSA', hash: sha384, hashOid: '2.16.840.1.101.3.4.2.2' },
  '1.2.840.113549.1.1.13': { key: 'RSA', hash: sha512, hashOid: '2.16.840.1.101.3.4.2.3' },
  '1.2.840.10045.4.1': { key: 'ECDSA', hash: sha1 },
  '1.2.840.10045.4.3.2': { key: 'ECDSA', hash: sha256 },
  '1.2.840.10045.4.3.3': { key: 'ECDSA', hash: sha384 },
  '1.2.840.10045.4.3.4': { key: 'ECDSA', hash: sha512 },
  '1.3.101.112': { key: 'Ed25519' },
};
export const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';
const KEYS: Readonly<Record<string, string>> = {
  '1.2.840.113549.1.1.1': 'RSA',
  '1.2.840.10045.2.1': 'ECDSA',
  '1.3.101.112': 'Ed25519',
};
export const CURVES = { '1.2.840.10045.3.1.7': p256, '1.3.132.0.34': p384, '1.3.132.0.35': p521 } as const;
/** An exponent beyond this only costs time: real ones are 65537. */
const MAX_EXPONENT_BYTES = 4;
const MAX_MODULUS_BYTES = 1024;

/**
 * Is `signature` the holder's of this public key (SubjectPublicKeyInfo, DER)? Returns what is wrong in Go's words.
 * Throws DerError on a malformed key. Models crypto/x509 checkSignature.
 */
export function signatureFault(
  algorithm: string,
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): string | undefined {
  const [info, key] = fields(readDer(publicKey));
  const [keyAlgorithm, parameters] = fields(info);
  const known = own(ALGORITHMS, algorithm);
  if (!known) return 'x509: cannot verify signature: algorithm unimplemented';
  const kind = KEYS[readOid(keyAlgorithm)];
  if (kind !== known.key)
    return `x509: signature algorithm specifies an ${known.key} public key, but have public key of type ${GO_TYPES[kind ?? ''] ?? '<nil>'}`;
  const point = readBits(key);
  if (kind === 'RSA')
    return verifyRSA(point, known.hashOid!, known.hash!(message), signature)
      ? undefined
      : 'crypto/rsa: verification error';
  if (kind === 'Ed25519')
    return tryVerify(() => ed25519.verify(signature, message, point))
      ? undefined
      : 'x509: Ed25519 verification failure';
  const curve = CURVES[readOid(parameters) as keyof typeof CURVES];
  if (!curve) return 'x509: unsupported elliptic curve';
  return tryVerify(() =>
    curve.verify(signature, known.hash!(message), point, { prehash: false, lowS: false, format: 'der' }),
  )
    ? undefined
    : 'x509: ECDSA verification failure';
}

const GO_TYPES: Readonly<Record<string, string>> = {
  RSA: '*rsa.PublicKey',
  ECDSA: '*ecdsa.PublicKey',
  Ed25519: 'ed25519.PublicKey',
};

/** The library throws on what is no signature or no point at all. */
function tryVerify(check: () => boolean): boolean {
  try {
    return check();
  } catch {
    return false;
  }
}

/** PKCS #1 v1.5 (RFC 8017, 8.2.2): what the signature hides must be the padded hash. */
function verifyRSA(key: Uint8Array, hashOid: string, hash: Uint8Array, signature: Uint8Array): boolean {
  const [modulus, exponent] = fields(readDer(key)).map((n) => trimZeros(expect(n, TAG.integer)));
  if (!modulus || !exponent || exponent.length > MAX_EXPONENT_BYTES || modulus.length > MAX_MODULUS_BYTES)
    throw new DerError('x509: invalid RSA public key');
  const size = modulus.length;
  const info = sequence(sequence(oid(hashOid), der(0x05)), octets(hash));
  if (signature.length !== size || size < info.length + 11) return false;
  const padded = concat([
    Uint8Array.of(0, 1),
    new Uint8Array(size - info.length - 3).fill(0xff),
    Uint8Array.of(0),
    info,
  ]);
  return compareBytes(padded, bytesOf(power(numberOf(signature), numberOf(exponent), numberOf(modulus)), size)) === 0;
}

const trimZeros = (bytes: Uint8Array): Uint8Array =>
  bytes.subarray(
    Math.max(
      0,
      bytes.findIndex((b) => b !== 0),
    ),
  );
const numberOf = (bytes: Uint8Array): bigint => bytes.reduce((n, b) => (n << 8n) | BigInt(b), 0n);
const bytesOf = (n: bigint, size: number): Uint8Array =>
  Uint8Array.from(
    n
      .toString(16)
      .padStart(size * 2, '0')
      .match(/../g)!,
    (b) => parseInt(b, 16),
  );

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  for (let [b, e] = [base % modulus, exponent]; e > 0n; e >>= 1n) {
    if (e & 1n) result = (result * b) % modulus;
    b = (b * b) % modulus;
  }
  return result;
}
