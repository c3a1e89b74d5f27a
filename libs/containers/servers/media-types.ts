import type { Bytes } from '../../engine/kernel/bytes.js';

/** By a file's ending; texts with their character set, as Go's mime package and Python's http.server say it. */
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  htm: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  xml: 'text/xml; charset=utf-8',
  json: 'application/json',
  pdf: 'application/pdf',
  wasm: 'application/wasm',
  svg: 'image/svg+xml',
  png: 'image/png',
  gif: 'image/gif',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
};

/** Undefined for an ending that is not known. */
export function mediaTypeOf(path: Bytes): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const ending = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : '';
  return Object.hasOwn(TYPES, ending) ? TYPES[ending] : undefined;
}
