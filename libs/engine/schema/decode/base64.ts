/** Standard base64 with Go's errors. Models encoding/base64. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const NEWLINE = /[\r\n]/;
const values = new Int8Array(128).fill(-1);
for (let i = 0; i < ALPHABET.length; i++) values[ALPHABET.charCodeAt(i)] = i;

const PLAIN = /^[A-Za-z0-9+/]*={0,2}$/;

/** Position of the byte at which Go's decoder gives up ('illegal base64 data at input byte 4'), or -1. */
export function base64Fault(text: string): number {
  if (text.length % 4 === 0 && PLAIN.test(text)) return -1;
  let digits = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 10 || code === 13) continue;
    if (text[i] === '=') return paddingFault(text, i, digits);
    if (code > 127 || values[code]! < 0) return i;
    digits = (digits + 1) % 4;
  }
  return digits === 0 ? -1 : text.length - digits;
}

function paddingFault(text: string, at: number, digits: number): number {
  if (digits < 2) return at;
  let next = skipNewlines(text, at + 1);
  if (digits === 2) {
    if (next === text.length) return next;
    if (text[next] !== '=') return next - 1;
    next = skipNewlines(text, next + 1);
  }
  return next < text.length ? next : -1;
}

function skipNewlines(text: string, from: number): number {
  let i = from;
  while (i < text.length && NEWLINE.test(text[i]!)) i++;
  return i;
}

/** Text without line breaks, as Go prints what it read. */
export const canonicalBase64 = (text: string): string => (NEWLINE.test(text) ? text.replace(/[\r\n]/g, '') : text);

export function encodeBase64(bytes: Uint8Array): string {
  let out = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const left = bytes.length - i;
    const bits = (bytes[i]! << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    out += ALPHABET[bits >> 18]! + ALPHABET[(bits >> 12) & 63]!;
    out += left > 1 ? ALPHABET[(bits >> 6) & 63]! : '=';
    out += left > 2 ? ALPHABET[bits & 63]! : '=';
  }
  return out;
}

/** Of text in which base64Fault finds no fault. */
export function decodeBase64(text: string): Uint8Array {
  const digits = text.replace(/[\r\n=]/g, '');
  const out = new Uint8Array((digits.length * 3) >> 2);
  let bits = 0;
  let held = 0;
  let at = 0;
  for (let i = 0; i < digits.length; i++) {
    bits = ((bits << 6) | values[digits.charCodeAt(i)]!) & 0xffffff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      out[at++] = (bits >> held) & 0xff;
    }
  }
  return out;
}
