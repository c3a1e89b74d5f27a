import { httpDate } from '../http.js';

/** After Server and Date, in nginx' order. Models src/http/ngx_http_header_filter_module.c. */
export const pageHeaders = (type: string, bytes: number) => ({
  'content-type': type,
  'content-length': String(bytes),
  connection: 'keep-alive',
});

/** Those of a file; `modified` in ms since the epoch. */
export const fileHeaders = (type: string, modified: number, bytes: number) => ({
  'content-type': type,
  'content-length': String(bytes),
  'last-modified': httpDate(modified),
  connection: 'keep-alive',
  etag: `"${Math.floor(modified / 1_000).toString(16)}-${bytes.toString(16)}"`,
  'accept-ranges': 'bytes',
});
