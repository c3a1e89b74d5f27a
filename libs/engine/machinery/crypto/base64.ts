/** Standard base64 (RFC 4648) of text in UTF-8, without the platform's encoders. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Map([...ALPHABET].map((c, i) => [c, i] as const));

function utf8(text: string): number[] {
  const bytes: number[] = [];
  for (const character of text) {
    const c = character.codePointAt(0)!;
    if (c < 0x80) bytes.push(c);
    else if (c < 0x800) bytes.push(0xc0 | (c >> 6), 0x80 | (c & 63));
    else if (c < 0x10000) bytes.push(0xe0 | (c >> 12), 0x80 | ((c >> 6) & 63), 0x80 | (c & 63));
    else bytes.push(0xf0 | (c >> 18), 0x80 | ((c >> 12) & 63), 0x80 | ((c >> 6) & 63), 0x80 | (c & 63));
  }
  return bytes;
}

export const base64Encode = (text: string): string => base64EncodeBytes(utf8(text));

export function base64EncodeBytes(bytes: ArrayLike<number>): string {
  let out = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const [a, b, c] = [bytes[i]!, bytes[i + 1], bytes[i + 2]];
    const word = (a << 16) | ((b ?? 0) << 8) | (c ?? 0);
    out +=
      ALPHABET[word >> 18]! +
      ALPHABET[(word >> 12) & 63]! +
      (b === undefined ? '=' : ALPHABET[(word >> 6) & 63]!) +
      (c === undefined ? '=' : ALPHABET[word & 63]!);
  }
  return out;
}

/** base64url without padding, as in a JWT; of a text's UTF-8, or of bytes. */
export const base64Url = (data: string | Uint8Array): string =>
  base64EncodeBytes(typeof data === 'string' ? utf8(data) : data)
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

export const base64UrlDecode = (text: string): string => base64Decode(text.replaceAll('-', '+').replaceAll('_', '/'));

/** The text; bytes that are not UTF-8 come out as U+FFFD. Characters outside the alphabet are skipped. */
export const base64Decode = (text: string): string => fromUtf8(bytesOf(text));

export const base64DecodeBytes = (text: string): Uint8Array => Uint8Array.from(bytesOf(text));

function bytesOf(text: string): number[] {
  const bytes: number[] = [];
  let [word, bits] = [0, 0];
  for (const character of text) {
    const value = VALUES.get(character);
    if (value === undefined) continue;
    word = ((word << 6) | value) & 0xffff;
    bits += 6;
    if (bits >= 8) bytes.push((word >> (bits -= 8)) & 0xff);
  }
  return bytes;
}

function fromUtf8(bytes: readonly number[]): string {
  let out = '';
  for (let i = 0; i < bytes.length;) {
    const first = bytes[i]!;
    const length = first < 0x80 ? 1 : first >> 5 === 6 ? 2 : first >> 4 === 14 ? 3 : first >> 3 === 30 ? 4 : 0;
    const rest = bytes.slice(i + 1, i + Math.max(length, 1));
    const whole = length > 0 && rest.length === length - 1 && rest.every((b) => b >> 6 === 2);
    const code = whole
      ? rest.reduce((c, b) => (c << 6) | (b & 63), length === 1 ? first : first & (0x7f >> length))
      : Infinity;
    out += code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
    i += whole ? length : 1;
  }
  return out;
}
