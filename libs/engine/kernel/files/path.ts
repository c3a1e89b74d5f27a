import type { Bytes } from '../bytes.js';

/** '/a' and 'b' give '/a/b'; the root gives '/b'. */
export const joinPath = (directory: Bytes, name: Bytes): Bytes =>
  directory === '/' ? `/${name}` : `${directory}/${name}`;

/** The directory of an absolute path; of the root: the root. */
export const parentPath = (path: Bytes): Bytes => path.slice(0, Math.max(path.lastIndexOf('/'), 1)) || '/';

export const baseName = (path: Bytes): Bytes => path.slice(path.lastIndexOf('/') + 1);

/** Absolute, without '.', '..' and double slashes; links are not looked at. */
export function normalizePath(path: Bytes): Bytes {
  const parts: Bytes[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}
