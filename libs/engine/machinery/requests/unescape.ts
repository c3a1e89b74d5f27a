import { badRequest } from '../meta/status.js';
import { decodeUtf8Lossy, encodeUtf8 } from '../text/utf8.js';

const BAD_ESCAPE = /%(?![0-9a-fA-F]{2}).{0,2}/;
const PERCENT = 0x25;

/** True where Go's net/url finds a '%' without two hexadecimal digits. */
export const hasBadEscape = (text: string): boolean => BAD_ESCAPE.test(text);

/** Decodes the escapes of a path. Throws 400. Models net/url PathUnescape. */
export const unescapePath = (text: string): string => (text.includes('%') ? unescape(text) : text);

/** Decodes the escapes of a query, where '+' is a space. Throws 400. Models net/url QueryUnescape. */
export const unescapeQuery = (text: string): string => unescapePath(text.replaceAll('+', ' '));

/** Bytes that are not UTF-8 become U+FFFD. */
function unescape(text: string): string {
  const bad = BAD_ESCAPE.exec(text);
  if (bad) throw badRequest(`invalid URL escape ${JSON.stringify(bad[0])}`);
  try {
    return decodeURIComponent(text);
  } catch {
    return decodeUtf8Lossy(unescapeBytes(encodeUtf8(text)));
  }
}

function unescapeBytes(text: Uint8Array): Uint8Array {
  const out: number[] = [];
  for (let i = 0; i < text.length; i++) {
    if (text[i] !== PERCENT) out.push(text[i]!);
    else out.push(Number.parseInt(String.fromCharCode(text[++i]!, text[++i]!), 16));
  }
  return Uint8Array.from(out);
}
