import { sha256 } from '@noble/hashes/sha2.js';
import {
  concat,
  fields,
  integer,
  octets,
  oid,
  readDer,
  sequence,
  TAG,
  der,
  expect,
} from '../../../engine/machinery/crypto/x509/der.js';

/** An RSA key (RFC 8017). */
export interface RsaKey {
  readonly n: bigint;
  readonly e: bigint;
  readonly d: bigint;
  readonly p: bigint;
  readonly q: bigint;
}

export const EXPONENT = 65_537n;
const RSA = '1.2.840.113549.1.1.1';
export const NULL = der(0x05);

export function bytesOfNumber(value: bigint, length?: number): Uint8Array {
  const hex = value.toString(16);
  const padded = hex.padStart(length === undefined ? hex.length + (hex.length % 2) : length * 2, '0');
  return Uint8Array.from(padded.match(/../g)!, (pair) => Number.parseInt(pair, 16));
}

export const numberOf = (bytes: Uint8Array): bigint =>
  BigInt(`0x0${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`);

export function modPow(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let [result, power] = [1n, base % modulus];
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * power) % modulus;
    power = (power * power) % modulus;
  }
  return result;
}

function modInverse(value: bigint, modulus: bigint): bigint {
  let [a, b, x, y] = [value % modulus, modulus, 1n, 0n];
  while (a > 1n) {
    const quotient = a / b;
    [a, b] = [b, a % b];
    [x, y] = [y, x - quotient * y];
  }
  return x < 0n ? x + modulus : x;
}

/** Strong probable prime to the base 2: what is random and passes is prime but for one in very many. */
export function isProbablyPrime(candidate: bigint): boolean {
  const last = candidate - 1n;
  let odd = last;
  let twos = 0;
  while ((odd & 1n) === 0n) [odd, twos] = [odd >> 1n, twos + 1];
  let power = modPow(2n, odd, candidate);
  if (power === 1n || power === last) return true;
  for (let i = 1; i < twos; i++) {
    power = (power * power) % candidate;
    if (power === last) return true;
  }
  return false;
}

const SMALL_PRIMES = ((): readonly number[] => {
  const found: number[] = [];
  for (let n = 3; n < 2_000; n += 2) if (found.every((prime) => n % prime !== 0)) found.push(n);
  return found;
})();

/** The next odd number from here that no small prime divides. */
export function nextCandidate(from: bigint): bigint {
  const rests = SMALL_PRIMES.map((prime) => Number(from % BigInt(prime)));
  for (let step = 0; ; step += 2) {
    if (SMALL_PRIMES.every((prime, i) => (rests[i]! + step) % prime !== 0)) return from + BigInt(step);
  }
}

export function keyOfPrimes(p: bigint, q: bigint): RsaKey {
  return { n: p * q, e: EXPONENT, d: modInverse(EXPONENT, (p - 1n) * (q - 1n)), p, q };
}

const number = (value: bigint): Uint8Array => integer(bytesOfNumber(value));

/** PKCS #8, DER. */
export function writeRsaKey({ n, e, d, p, q }: RsaKey): Uint8Array {
  const coefficients = [d % (p - 1n), d % (q - 1n), modInverse(q, p)];
  const zero = integer(Uint8Array.of(0));
  const key = sequence(zero, ...[n, e, d, p, q, ...coefficients].map(number));
  return sequence(zero, sequence(oid(RSA), NULL), octets(key));
}

/** Of PKCS #1, DER. Throws DerError. */
export function readRsaKey(bytes: Uint8Array): RsaKey {
  const [, n, e, d, p, q] = fields(readDer(bytes)).map((part) => numberOf(expect(part, TAG.integer)));
  return { n: n!, e: e!, d: d!, p: p!, q: q! };
}

/** SubjectPublicKeyInfo, DER. */
export const rsaPublicKey = ({ n, e }: RsaKey): Uint8Array =>
  sequence(sequence(oid(RSA), NULL), der(TAG.bits, Uint8Array.of(0), sequence(number(n), number(e))));

/** PKCS #1 version 1.5 with SHA-256. */
export function signRsa({ n, p, q, d }: RsaKey, message: Uint8Array): Uint8Array {
  const length = bytesOfNumber(n).length;
  const digest = sequence(sequence(oid('2.16.840.1.101.3.4.2.1'), NULL), octets(sha256(message)));
  const padding = new Uint8Array(length - digest.length - 3).fill(0xff);
  const block = numberOf(concat([Uint8Array.of(0, 1), padding, Uint8Array.of(0), digest]));
  // By the remainder theorem, four times as fast.
  const [a, b] = [modPow(block, d % (p - 1n), p), modPow(block, d % (q - 1n), q)];
  const difference = (((a - b) % p) + p) % p;
  return bytesOfNumber(b + ((difference * modInverse(q, p)) % p) * q, length);
}
