import { hmac as hmacOf } from '@noble/hashes/hmac.js';
import { sha256 as digest, sha512 as digest512 } from '@noble/hashes/sha2.js';
import { encodeUtf8 } from '../text/utf8.js';

/** SHA-256 of a text's UTF-8, or of bytes. */
export const sha256 = (data: string | Uint8Array): Uint8Array =>
  digest(typeof data === 'string' ? encodeUtf8(data) : data);

/** SHA-512 of a text's UTF-8. */
export const sha512 = (text: string): Uint8Array => digest512(encodeUtf8(text));

/** HMAC-SHA-256 (RFC 2104) of a text under a text key. */
export const hmac = (key: string, text: string): Uint8Array => hmacOf(digest, encodeUtf8(key), encodeUtf8(text));

export const hex = (bytes: Uint8Array): string => Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
