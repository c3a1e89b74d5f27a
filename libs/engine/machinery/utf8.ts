import { badRequest } from './meta/status.js';

// Universal and pure, yet in no ES library typing.
declare const TextDecoder: new (
  label: string,
  options: { fatal: boolean; ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string };
declare const TextEncoder: new () => { encode(text: string): Uint8Array };

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
const lossy = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });
const encoder = new TextEncoder();

/** Throws 400 on bytes that are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw badRequest('invalid UTF-8 in the request body');
  }
}

/** What is not UTF-8 becomes U+FFFD, as in Go. */
export const decodeUtf8Lossy = (bytes: Uint8Array): string => lossy.decode(bytes);

export const encodeUtf8 = (text: string): Uint8Array => encoder.encode(text);
