/**
 * Standard base64 (RFC 4648) as Go reads and writes it: line breaks are skipped, and so are bits beyond the last whole
 * byte. Models encoding/base64.
 */
import { base64, base64urlnopad } from '@scure/base';
import { decodeUtf8Lossy, encodeUtf8 } from './utf8.js';

const LINE_BREAKS = /[\r\n]/g;
const NO_DIGITS = /[^A-Za-z0-9+/]/g;
const DIGIT = /[A-Za-z0-9+/]/;
/** What needs no closer look: most values have neither line breaks nor faults. */
const PLAIN = /^[A-Za-z0-9+/]*={0,2}$/;

const bytesOf = (data: string | Uint8Array): Uint8Array => (typeof data === 'string' ? encodeUtf8(data) : data);

/** Encodes bytes, or a text's UTF-8. */
export const encodeBase64 = (data: string | Uint8Array): string => base64.encode(bytesOf(data));

/** The URL-safe alphabet without padding, as in a JSON Web Token. */
export const encodeBase64Url = (data: string | Uint8Array): string => base64urlnopad.encode(bytesOf(data));

/** Decodes the digits of the text; padding and characters outside the alphabet are skipped. */
export function decodeBase64(text: string): Uint8Array {
  const digits = text.replace(NO_DIGITS, '');
  // The library refuses bits beyond the last whole byte, Go skips them: zero digits make whole bytes of them.
  const whole = digits.padEnd(Math.ceil(digits.length / 4) * 4, 'A');
  return base64.decode(whole).subarray(0, (digits.length * 3) >> 2);
}

/** The text in base64; bytes that are not UTF-8 come out as U+FFFD. */
export const decodeBase64Text = (text: string): string => decodeUtf8Lossy(decodeBase64(text));

/** Decodes either alphabet, as decodeBase64 does. */
export const decodeBase64Url = (text: string): Uint8Array =>
  decodeBase64(text.replaceAll('-', '+').replaceAll('_', '/'));

/** The text as Go prints what it has read: without line breaks. */
export const canonicalBase64 = (text: string): string => text.replace(LINE_BREAKS, '');

/** Position of the byte at which Go's decoder gives up ('illegal base64 data at input byte 4'), or -1. */
export function findIllegalByte(text: string): number {
  if (text.length % 4 === 0 && PLAIN.test(text)) return -1;
  let digits = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (isLineBreak(char)) continue;
    if (char === '=') return findIllegalPadding(text, i, digits);
    if (!DIGIT.test(char)) return i;
    digits = (digits + 1) % 4;
  }
  return digits === 0 ? -1 : text.length - digits;
}

/** As findIllegalByte, from the first '=' on; `digits` of the last four stand before it. */
function findIllegalPadding(text: string, at: number, digits: number): number {
  if (digits < 2) return at;
  let next = skipLineBreaks(text, at + 1);
  if (digits === 2) {
    if (next === text.length) return next;
    if (text[next] !== '=') return next - 1;
    next = skipLineBreaks(text, next + 1);
  }
  return next < text.length ? next : -1;
}

const isLineBreak = (char: string | undefined): boolean => char === '\n' || char === '\r';

function skipLineBreaks(text: string, from: number): number {
  let i = from;
  while (isLineBreak(text[i])) i++;
  return i;
}
