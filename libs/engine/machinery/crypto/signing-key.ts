import { p256 } from '@noble/curves/nist.js';
import { hmac } from './sha256.js';
import { bits, oid, sequence } from './x509/der.js';

const OPTIONS = { lowS: false, prehash: true } as const;

/** The private key (32 bytes) that a secret text leads to, one for each purpose. */
export function deriveKey(secret: string, purpose: string): Uint8Array {
  for (let i = 0; ; i++) {
    const candidate = hmac(secret, `${purpose} ${i}`);
    if (p256.utils.isValidSecretKey(candidate)) return candidate;
  }
}

/** A P-256 key. Signatures are deterministic (RFC 6979): the same message is always signed the same. */
export class SigningKey {
  /** The point, uncompressed: 4, x, y. */
  readonly point: Uint8Array;

  constructor(private readonly secret: Uint8Array) {
    this.point = p256.getPublicKey(secret, false);
  }

  /** SubjectPublicKeyInfo, DER. */
  get publicKey(): Uint8Array {
    return sequence(sequence(oid('1.2.840.10045.2.1'), oid('1.2.840.10045.3.1.7')), bits(this.point));
  }

  /** ECDSA with SHA-256: r and s as 32 bytes each ('compact', as in a JWT), or as DER. */
  sign(message: Uint8Array, format: 'compact' | 'der'): Uint8Array {
    return p256.sign(message, this.secret, { ...OPTIONS, format });
  }

  /** Is this a compact signature of this key? */
  verify(message: Uint8Array, signature: Uint8Array): boolean {
    return signature.length === 64 && p256.verify(signature, message, this.point, { ...OPTIONS, format: 'compact' });
  }
}

/** Whether a compact ECDSA signature with SHA-256 is of the P-256 key with this point (4, x, y). */
export function isSignedBy(point: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  try {
    return signature.length === 64 && p256.verify(signature, message, point, { ...OPTIONS, format: 'compact' });
  } catch {
    return false;
  }
}
