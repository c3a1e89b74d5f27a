import { gunzipSync, gzipSync } from 'fflate';
import { type Bytes, fromArray, toArray } from '../../../engine/kernel/bytes.js';

/** Bytes that a file may unpack to. */
const MAX_UNPACKED = 64 << 20;

export const isGzip = (bytes: Bytes): boolean => bytes.startsWith('\x1f\x8b');

export function zip(bytes: Bytes, level: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 = 6, modified = 0, name = ''): Bytes {
  const header = name === '' ? {} : { filename: name };
  return fromArray(gzipSync(toArray(bytes), { level, mtime: modified, ...header }));
}

/** Undefined for what is not gzip, is damaged, or says that it unpacks to too much. */
export function unzip(bytes: Bytes): Bytes | undefined {
  if (!isGzip(bytes) || bytes.length < 18) return undefined;
  const end = bytes.length;
  const size = [1, 2, 3, 4].reduce((sum, i) => sum * 256 + bytes.charCodeAt(end - i), 0);
  // A deflated stream is at most about 1,032 times smaller than what it holds.
  if (size > MAX_UNPACKED || size > bytes.length * 1_100) return undefined;
  try {
    return fromArray(gunzipSync(toArray(bytes), { out: new Uint8Array(size) }));
  } catch {
    return undefined;
  }
}
