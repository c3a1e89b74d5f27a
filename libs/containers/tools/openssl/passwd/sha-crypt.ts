import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { type Bytes, toArray } from '../../../../engine/kernel/bytes.js';

const LETTERS = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ROUNDS = 5_000;

type Hash = (bytes: Uint8Array) => Uint8Array;

/** A password's hash by SHA-256 ($5$) or SHA-512 ($6$). Models Ulrich Drepper's SHA-crypt with 5,000 rounds. */
export function shaCrypt(password: Bytes, salt: Bytes, kind: '5' | '6'): string {
  const hash: Hash = kind === '5' ? sha256 : sha512;
  const [word, grain] = [toArray(password), toArray(salt)];
  let digest = firstDigest(hash, word, grain);
  const p = repeat(hash(join(...Array.from(word, () => word))), word.length);
  const s = repeat(hash(join(...Array.from({ length: 16 + digest[0]! }, () => grain))), grain.length);
  const none = new Uint8Array();
  for (let i = 0; i < ROUNDS; i++) {
    const isOdd = i % 2 === 1;
    digest = hash(join(isOdd ? p : digest, i % 3 === 0 ? none : s, i % 7 === 0 ? none : p, isOdd ? digest : p));
  }
  return `$${kind}$${salt}$${kind === '5' ? encode256(digest) : encode512(digest)}`;
}

function firstDigest(hash: Hash, word: Uint8Array, grain: Uint8Array): Uint8Array {
  const inner = hash(join(word, grain, word));
  const parts = [word, grain, repeat(inner, word.length)];
  for (let bits = word.length; bits > 0; bits >>= 1) parts.push(bits & 1 ? inner : word);
  return hash(join(...parts));
}

function join(...parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

const repeat = (bytes: Uint8Array, length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, i) => bytes[i % bytes.length]!);

/** Bytes are printed three at a time, in an order that goes round. */
function encode512(digest: Uint8Array): string {
  let text = '';
  let [a, b, c] = [0, 21, 42];
  for (let i = 0; i < 21; i++) {
    text += letters([digest[a]!, digest[b]!, digest[c]!], 4);
    [a, b, c] = [b + 1, c + 1, a + 1];
  }
  return text + letters([0, 0, digest[63]!], 2);
}

function encode256(digest: Uint8Array): string {
  let text = '';
  let [a, b, c] = [0, 10, 20];
  for (let i = 0; i < 10; i++) {
    text += letters([digest[a]!, digest[b]!, digest[c]!], 4);
    [a, b, c] = [c + 1, a + 1, b + 1];
  }
  return text + letters([0, digest[31]!, digest[30]!], 3);
}

function letters([high, middle, low]: readonly [number, number, number], count: number): string {
  let text = '';
  for (let i = 0, rest = (high << 16) | (middle << 8) | low; i < count; i++, rest >>= 6) text += LETTERS[rest & 63]!;
  return text;
}
