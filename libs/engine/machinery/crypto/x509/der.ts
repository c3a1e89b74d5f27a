import { decodeUtf8, encodeUtf8 } from '../../text/utf8.js';
import type { Millis } from '../../time/time.js';

/** DER: a tag, a length, contents (X.690). */
export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  sequence: 0x30,
  set: 0x31,
  printable: 0x13,
  ia5: 0x16,
  utcTime: 0x17,
  time: 0x18,
} as const;
/** Of [n] in an ASN.1 definition: 0xa0 + n when it holds others, 0x80 + n when it holds bytes. */
export const context = (n: number, constructed: boolean): number => (constructed ? 0xa0 : 0x80) + n;

// ---- writing ----

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

export function der(tag: number, ...contents: Uint8Array[]): Uint8Array {
  const length = contents.reduce((n, c) => n + c.length, 0);
  const lengthBytes =
    length < 0x80
      ? [length]
      : length < 0x100
        ? [0x81, length]
        : length < 0x1_0000
          ? [0x82, length >> 8, length & 0xff]
          : [0x83, length >> 16, (length >> 8) & 0xff, length & 0xff];
  return concat([Uint8Array.of(tag, ...lengthBytes), ...contents]);
}

export const sequence = (...parts: Uint8Array[]): Uint8Array => der(TAG.sequence, ...parts);
/** A set's members are in the order of their bytes. */
export const set = (...parts: Uint8Array[]): Uint8Array => der(TAG.set, ...[...parts].sort(compareBytes));
export const octets = (...parts: Uint8Array[]): Uint8Array => der(TAG.octets, ...parts);
/** `unused`: how many bits at the end do not count. */
export const bits = (body: Uint8Array, unused = 0): Uint8Array => der(TAG.bits, Uint8Array.of(unused), body);
export const utf8 = (text: string): Uint8Array => der(TAG.utf8, encodeUtf8(text));
export const TRUE = der(TAG.boolean, Uint8Array.of(0xff));

/** A number that is not negative, from its bytes, the highest first. */
export function integer(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((b) => b !== 0);
  const digits = start < 0 ? Uint8Array.of(0) : bytes.subarray(start);
  return digits[0]! & 0x80 ? der(TAG.integer, Uint8Array.of(0), digits) : der(TAG.integer, digits);
}

/** X.509 wants two-digit years up to 2049. Whole seconds. */
export function time(at: Millis): Uint8Array {
  const digits = `${new Date(at).toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`;
  return at < Date.UTC(2050, 0, 1) ? der(TAG.utcTime, encodeUtf8(digits.slice(2))) : der(TAG.time, encodeUtf8(digits));
}

const base128 = (n: number, more = 0): number[] =>
  n < 0x80 ? [n | more] : [...base128(Math.floor(n / 0x80), 0x80), (n & 0x7f) | more];

export function oid(text: string): Uint8Array {
  const [a = 0, b = 0, ...rest] = text.split('.').map(Number);
  return der(TAG.oid, Uint8Array.from([a * 40 + b, ...rest].flatMap((n) => base128(n))));
}

export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}

// ---- reading ----

/** What is wrong with bytes that should be DER; the message is Go's. */
export class DerError extends Error {}

export interface Der {
  readonly tag: number;
  readonly body: Uint8Array;
  /** With tag and length. */
  readonly whole: Uint8Array;
}

const syntax = (what: string): DerError => new DerError(`asn1: syntax error: ${what}`);

/** The first value of the bytes. Throws DerError. Models encoding/asn1. */
export function readDer(bytes: Uint8Array, at = 0): Der {
  const tag = bytes[at];
  let length = bytes[at + 1];
  if (tag === undefined || length === undefined) throw syntax('truncated tag or length');
  let start = at + 2;
  if (length & 0x80) {
    const size = length & 0x7f;
    if (size === 0) throw syntax('indefinite length found (not DER)');
    if (size > 3) throw new DerError('asn1: structure error: length too large');
    if (start + size > bytes.length) throw syntax('truncated tag or length');
    length = 0;
    for (let i = 0; i < size; i++) length = length * 256 + bytes[start + i]!;
    start += size;
  }
  if (start + length > bytes.length) throw syntax('data truncated');
  return { tag, body: bytes.subarray(start, start + length), whole: bytes.subarray(at, start + length) };
}

/** Every value of the bytes, one after another; at most 1,000. */
export function readAll(bytes: Uint8Array): Der[] {
  const found: Der[] = [];
  for (let at = 0; at < bytes.length;) {
    const value = readDer(bytes, at);
    if (found.push(value) > 1_000) throw syntax('too many values');
    at += value.whole.length;
  }
  return found;
}

const mismatch = (): DerError => new DerError("asn1: structure error: tags don't match");

/** The body of a value that must have this tag. */
export function expect(value: Der | undefined, tag: number): Uint8Array {
  if (!value) throw syntax('sequence truncated');
  if (value.tag !== tag) throw mismatch();
  return value.body;
}

/** What stands in a sequence. */
export const fields = (value: Der | undefined, tag: number = TAG.sequence): Der[] => readAll(expect(value, tag));

export function readOid(value: Der | undefined): string {
  const arcs: number[] = [];
  let n = 0;
  for (const byte of expect(value, TAG.oid)) {
    n = n * 0x80 + (byte & 0x7f);
    if (byte & 0x80) continue;
    arcs.push(n);
    n = 0;
  }
  const first = Math.min(Math.floor((arcs[0] ?? 0) / 40), 2);
  return [first, (arcs[0] ?? 0) - first * 40, ...arcs.slice(1)].join('.');
}

/** The text of a string value. */
export function readText({ body }: Pick<Der, 'body'>): string {
  try {
    return decodeUtf8(body);
  } catch {
    throw new DerError('x509: invalid UTF-8 string');
  }
}

/** The bytes of a bit string that fills them. */
export function readBits(value: Der | undefined): Uint8Array {
  const body = expect(value, TAG.bits);
  if (body.length === 0) throw syntax('zero length BIT STRING');
  if (body[0] !== 0) throw syntax('invalid padding bits in BIT STRING');
  return body.subarray(1);
}

/** ms since the epoch. */
export function readTime({ tag, body }: Der): Millis {
  const text = String.fromCharCode(...body);
  const found = /^(\d{2}|\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})Z$/.exec(text);
  if (!found || (tag !== TAG.utcTime && tag !== TAG.time)) throw mismatch();
  const [year = 0, month = 1, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1).map(Number);
  const full = tag === TAG.time ? year : year < 50 ? 2000 + year : 1900 + year;
  return Date.UTC(full, month - 1, day, hour, minute, second);
}
