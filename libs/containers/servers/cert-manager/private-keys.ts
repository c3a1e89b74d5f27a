import { deriveKey } from '../../../engine/machinery/crypto/signing-key.js';
import { sha256 } from '../../../engine/machinery/crypto/sha256.js';
import { expect, fields, readDer, TAG } from '../../../engine/machinery/crypto/x509/der.js';
import { encodeEcKey } from '../../../engine/machinery/crypto/x509/ec-key.js';
import { decodePem, encodePem } from '../../../engine/machinery/crypto/x509/pem.js';
import { ecPrivateKey, rsaPrivateKey, type PrivateKey } from '../../tools/openssl/keys.js';
import { keyOfPrimes } from '../../tools/openssl/rsa.js';
import { sizeOfKey } from '../../tools/openssl/show.js';
import { countOfPrimes, primeOf } from './primes.js';
import type { PrivateKeySpec } from './resources.js';

const RSA_BITS = 2_048;
const EC_BITS = 256;

/** A new key in PEM; undefined for a kind or a size that is not simulated. Models pkg/util/pki/generate.go. */
export function makePrivateKey(spec: PrivateKeySpec | undefined, seed: string): string | undefined {
  const { algorithm = 'RSA', encoding = 'PKCS1', size } = spec ?? {};
  if (algorithm === 'ECDSA' && (size ?? EC_BITS) === EC_BITS) {
    const secret = deriveKey(seed, 'private key');
    return encoding === 'PKCS8' ? ecPrivateKey(secret).pem : encodeEcKey(secret);
  }
  const bits = (size ?? RSA_BITS) / 2;
  const count = countOfPrimes(bits);
  if (algorithm !== 'RSA' || count === 0) return undefined;
  const digest = sha256(seed);
  const first = digest[0]! % count;
  const second = (first + 1 + (digest[1]! % (count - 1))) % count;
  const { pem } = rsaPrivateKey(keyOfPrimes(primeOf(bits, first), primeOf(bits, second)));
  return encoding === 'PKCS8' ? pem : asPkcs1(pem);
}

/** PKCS #8 has the PKCS #1 key in its third part. */
function asPkcs1(pem: string): string {
  const [block] = decodePem(pem);
  return encodePem('RSA PRIVATE KEY', expect(fields(readDer(block!.bytes))[2], TAG.octets));
}

/** Fields of a Certificate that a key does not follow. Models PrivateKeyMatchesSpec. */
export function keyViolations({ kind, publicKey }: PrivateKey, spec: PrivateKeySpec | undefined): string[] {
  const { algorithm = 'RSA', size } = spec ?? {};
  if ((kind === 'RSA') !== (algorithm === 'RSA') || (kind === 'EC' && algorithm !== 'ECDSA'))
    return ['spec.privateKey.algorithm'];
  const { bits } = sizeOfKey(readDer(publicKey));
  return bits === (size ?? (kind === 'RSA' ? RSA_BITS : EC_BITS)) ? [] : ['spec.privateKey.size'];
}
