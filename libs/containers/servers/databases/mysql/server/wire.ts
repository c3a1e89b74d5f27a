import { sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesOf, fromArray, toArray, type Bytes } from '../../../../../engine/kernel/bytes.js';
import type { Column } from '../sql/contract.js';
import type { MyFailure } from '../failure.js';
import { isNumeric, wireType } from '../sql/types.js';

/** Packets of the MySQL protocol 4.1: numbers with the lowest byte first. */
export const whole = (value: number, bytes: number): Bytes =>
  Array.from({ length: bytes }, (_one, i) => String.fromCharCode(Math.floor(value / 256 ** i) % 256)).join('');
export function readWhole(text: Bytes, at: number, bytes: number): number {
  let value = 0;
  for (let i = bytes - 1; i >= 0; i--) value = value * 256 + (text.charCodeAt(at + i) || 0);
  return value;
}

/** A number of one to nine bytes. */
export function lengthOf(value: number): Bytes {
  if (value < 251) return whole(value, 1);
  return value < 65_536 ? `\xfc${whole(value, 2)}` : `\xfd${whole(value, 3)}`;
}
export const sized = (bytes: Bytes): Bytes => lengthOf(bytes.length) + bytes;

/** A text behind its length, and where it ends. null: NULL. */
export function readSized(text: Bytes, at: number): readonly [value: Bytes | null, next: number] {
  const first = text.charCodeAt(at);
  if (first === 0xfb) return [null, at + 1];
  const [length, from] =
    first === 0xfc
      ? [readWhole(text, at + 1, 2), at + 3]
      : first === 0xfd
        ? [readWhole(text, at + 1, 3), at + 4]
        : [first, at + 1];
  return [text.slice(from, from + length), from + length];
}

export const packet = (body: Bytes, sequence: number): Bytes =>
  whole(body.length, 3) + String.fromCharCode(sequence & 255) + body;

const MAX_PACKET = 2 << 20;

/** The first packet of a buffer; undefined: it is not whole; 'bad': it is too long. */
export function readPacket(
  text: Bytes,
): { readonly body: Bytes; readonly sequence: number; readonly length: number } | 'bad' | undefined {
  if (text.length < 4) return undefined;
  const size = readWhole(text, 0, 3);
  if (size > MAX_PACKET) return 'bad';
  if (text.length < size + 4) return undefined;
  return { body: text.slice(4, size + 4), sequence: text.charCodeAt(3), length: size + 4 };
}

export const STATUS_IN_TRANSACTION = 1;
export const STATUS_AUTOCOMMIT = 2;

export const okBody = (changes: number, lastInsertId: number, status: number): Bytes =>
  `\0${lengthOf(changes)}${lengthOf(lastInsertId)}${whole(status, 2)}${whole(0, 2)}`;
export const eofBody = (status: number): Bytes => `\xfe${whole(0, 2)}${whole(status, 2)}`;
export const errorBody = ({ number, state, message }: MyFailure): Bytes =>
  `\xff${whole(number, 2)}#${state}${bytesOf(message)}`;

export function columnBody({ name, type }: Column, database: string): Bytes {
  const numeric = isNumeric(type);
  const decimals = type.startsWith('decimal') ? Number(/,(\d+)/.exec(type)?.[1] ?? 0) : 0;
  const head = ['def', database, '', '', name, name].map((text) => sized(bytesOf(text))).join('');
  const flags = numeric ? 32_768 : 0;
  return `${head}\x0c${whole(numeric ? 63 : 255, 2)}${whole(1_024, 4)}${whole(wireType(type), 1)}${whole(flags, 2)}${whole(decimals, 1)}\0\0`;
}

export const rowBody = (row: readonly (string | null)[]): Bytes =>
  row.map((value) => (value === null ? '\xfb' : sized(bytesOf(value)))).join('');

const exclusive = (a: Uint8Array, b: Uint8Array): Bytes => fromArray(a.map((byte, i) => byte ^ b[i]!));

/** What a client proves its password with, of 20 random bytes of the server. '' for no password. */
export function scramble(plugin: string, password: string, nonce: Bytes): Bytes {
  if (password === '') return '';
  const bytes = toArray(bytesOf(password));
  if (plugin === 'mysql_native_password') {
    const once = sha1(bytes);
    return exclusive(once, sha1(toArray(nonce + fromArray(sha1(once)))));
  }
  const once = sha256(bytes);
  return exclusive(once, sha256(toArray(fromArray(sha256(once)) + nonce)));
}

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** What the server keeps of a password, for both plug-ins. */
export function storePassword(password: string): { readonly native: string; readonly caching: string } {
  if (password === '') return { native: '', caching: '' };
  const bytes = toArray(bytesOf(password));
  return { native: hex(sha1(sha1(bytes))), caching: hex(sha256(sha256(bytes))) };
}

export function isProven(
  plugin: string,
  proof: Bytes,
  stored: { readonly native: string; readonly caching: string },
  nonce: Bytes,
): boolean {
  if (stored.caching === '') return proof === '';
  const isNative = plugin === 'mysql_native_password';
  if (proof.length !== (isNative ? 20 : 32)) return false;
  const kept = isNative ? stored.native : stored.caching;
  const keptBytes = fromArray(Uint8Array.from(kept.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)));
  const mask = isNative ? sha1(toArray(nonce + keptBytes)) : sha256(toArray(keptBytes + nonce));
  const once = toArray(exclusive(toArray(proof), mask));
  return hex(isNative ? sha1(once) : sha256(once)) === kept;
}
