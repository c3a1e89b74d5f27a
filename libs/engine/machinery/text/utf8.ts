import { badRequest } from '../meta/status.js';

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

/** Bytes of the character that begins at the index; half of a surrogate pair counts as U+FFFD. */
function utf8LengthAt(text: string, index: number): number {
  const code = text.codePointAt(index)!;
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

export function utf8Length(text: string): number {
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const bytes = utf8LengthAt(text, i);
    length += bytes;
    if (bytes === 4) i++;
  }
  return length;
}

/** The longest beginning of a text that has whole characters and at most so many bytes. */
export function truncateUtf8(text: string, maxBytes: number): string {
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const bytes = utf8LengthAt(text, i);
    length += bytes;
    if (length > maxBytes) return text.slice(0, i);
    if (bytes === 4) i++;
  }
  return text;
}
