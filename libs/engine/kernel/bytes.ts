import { decodeUtf8Lossy, encodeUtf8 } from '../machinery/text/utf8.js';

/**
 * Bytes as a string of characters 0 to 255. All that the kernel and its programs read, write, name and compare is
 * such a string, as Linux knows bytes only: it is plain data, cheap to cut, join and search. Text comes in and goes out
 * through the two functions below.
 */
export type Bytes = string;

const ASCII_ONLY = /^[\0-\x7f]*$/;

/** Then bytes and text are the same. */
export const isAscii = (bytes: Bytes): boolean => ASCII_ONLY.test(bytes);

export function bytesOf(text: string): Bytes {
  return isAscii(text) ? text : fromArray(encodeUtf8(text));
}

/** What is not UTF-8 becomes U+FFFD. */
export function textOf(bytes: Bytes): string {
  return isAscii(bytes) ? bytes : decodeUtf8Lossy(toArray(bytes));
}

export function fromArray(array: Uint8Array): Bytes {
  const CHUNK = 8_192;
  let bytes = '';
  for (let at = 0; at < array.length; at += CHUNK) {
    // A spread would walk through an iterator: five times as slow.
    bytes += Reflect.apply(String.fromCharCode, undefined, array.subarray(at, at + CHUNK)) as string;
  }
  return bytes;
}

export function toArray(bytes: Bytes): Uint8Array {
  const array = new Uint8Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) array[i] = bytes.charCodeAt(i);
  return array;
}
