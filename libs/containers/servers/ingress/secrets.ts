import { decodeUtf8Lossy } from '../../../engine/machinery/text/utf8.js';

/** A value of a Secret as text; undefined when there is none. */
export function textOfSecret(encoded: string | undefined): string | undefined {
  if (encoded === undefined) return undefined;
  try {
    return decodeUtf8Lossy(Uint8Array.from(atob(encoded), (char) => char.charCodeAt(0)));
  } catch {
    // The API server takes nothing but base64.
    return undefined;
  }
}
