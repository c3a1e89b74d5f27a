import { encodeUtf8 } from './utf8.js';

/** Fractions of roots of the first primes, as FIPS 180-4 defines its constants. */
function rootFractions(root: (x: number) => number, count: number): Int32Array {
  const fractions = new Int32Array(count);
  for (let n = 2, found = 0; found < count; n++) {
    let prime = true;
    for (let d = 2; d * d <= n && prime; d++) prime = n % d !== 0;
    if (prime) fractions[found++] = ((root(n) % 1) * 0x1_0000_0000) | 0;
  }
  return fractions;
}

const K = rootFractions(Math.cbrt, 64);
const INITIAL = rootFractions(Math.sqrt, 8);
const rotate = (x: number, n: number): number => (x >>> n) | (x << (32 - n));

/** SHA-256 of a text's UTF-8. */
export const sha256 = (text: string): Uint8Array => digest(encodeUtf8(text));

function digest(message: Uint8Array): Uint8Array {
  const padded = new Uint8Array(((message.length + 72) >> 6) << 6);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(message.length / 0x2000_0000));
  view.setUint32(padded.length - 4, message.length << 3);
  const hash = Int32Array.from(INITIAL);
  const w = new Int32Array(64);
  for (let at = 0; at < padded.length; at += 64) block(hash, w, view, at);
  const out = new Uint8Array(32);
  hash.forEach((word, i) => new DataView(out.buffer).setInt32(i * 4, word));
  return out;
}

const BLOCK = 64;

/** HMAC-SHA-256 (RFC 2104) of a text under a text key. */
export function hmac(key: string, text: string): Uint8Array {
  const bytes = encodeUtf8(key);
  const padded = new Uint8Array(BLOCK);
  padded.set(bytes.length > BLOCK ? digest(bytes) : bytes);
  const inner = digest(joined(padded.map((b) => b ^ 0x36), encodeUtf8(text)));
  return digest(joined(padded.map((b) => b ^ 0x5c), inner));
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const out = new Uint8Array(a.length + b.length);
  out.set(a);
  out.set(b, a.length);
  return out;
}

function block(hash: Int32Array, w: Int32Array, view: DataView, at: number): void {
  for (let i = 0; i < 16; i++) w[i] = view.getInt32(at + i * 4);
  for (let i = 16; i < 64; i++) {
    const [x, y] = [w[i - 15]!, w[i - 2]!];
    w[i] = (w[i - 16]! + w[i - 7]! + (rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3)) + (rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10))) | 0;
  }
  let [a, b, c, d, e, f, g, h] = hash as unknown as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < 64; i++) {
    const t1 = (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + K[i]! + w[i]!) | 0;
    const t2 = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => { hash[i] = (hash[i]! + word) | 0; });
}

export const hex = (bytes: Uint8Array): string => Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
