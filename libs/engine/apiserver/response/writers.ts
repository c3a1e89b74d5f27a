import { stringify } from 'yaml';
import { hex, sha256 } from '../../machinery/crypto/sha256.js';
import type { ApiRequest, BodyResponse } from '../../machinery/requests/http.js';
import type { ApiError } from '../../machinery/meta/status.js';
import { encodeProtobuf } from '../../schema/index.js';
import { MEDIA_TYPE, type Format } from '../request/negotiate.js';
import type { Query } from '../../machinery/requests/query.js';

const STATUS = 'io.k8s.apimachinery.pkg.apis.meta.v1.Status';
const NO_CACHE = 'no-cache, private';
/** As Go's: keys in order, lists not indented. */
const YAML_STYLE = { sortMapEntries: true, indentSeq: false, singleQuote: true } as const;
const MAX_WARNING_CHARACTERS = 4_096;
/** Longer JSON is YAML as it is, in flow style: to print 12 MB in block style takes ten seconds. */
const MAX_BLOCK_YAML_CHARACTERS = 64 * 1024;

/** JSON text, or the same as YAML. `pretty`: indented, of JSON alone. */
export function jsonResponse(status: number, text: string, format: Format = 'json', pretty = false): BodyResponse {
  if (format === 'yaml') return bodyResponse(status, MEDIA_TYPE.yaml, yamlOf(text));
  const body = pretty ? JSON.stringify(JSON.parse(text), null, 2) : text;
  return bodyResponse(status, MEDIA_TYPE.json, `${body}\n`);
}

function yamlOf(text: string): string {
  return text.length > MAX_BLOCK_YAML_CHARACTERS ? `${text}\n` : stringify(JSON.parse(text), YAML_STYLE);
}

export const protobufResponse = (status: number, bytes: Uint8Array): BodyResponse =>
  bodyResponse(status, MEDIA_TYPE.protobuf, bytes);

const bodyResponse = (status: number, mediaType: string, body: string | Uint8Array): BodyResponse => ({
  type: 'body',
  status,
  headers: { 'content-type': mediaType, 'cache-control': NO_CACHE },
  body,
});

export const textResponse = (status: number, text: string): BodyResponse => ({
  type: 'body',
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
  body: text,
});

/** Go's http.NotFound: of a path that no handler has. */
export const notFoundPage = (): BodyResponse => textResponse(404, '404 page not found\n');

/** An error as a Status. Models apiserver/pkg/endpoints/handlers/responsewriters ErrorNegotiated. */
export function statusResponse(error: ApiError, format: Format = 'json', pretty = false): BodyResponse {
  const status = error.toStatus();
  const response =
    format === 'protobuf'
      ? protobufResponse(error.code, encodeProtobuf(status, STATUS))
      : jsonResponse(error.code, JSON.stringify(status), format, pretty);
  const seconds = error.details?.retryAfterSeconds;
  if (seconds === undefined) return response;
  return { ...response, headers: { ...response.headers, 'retry-after': String(seconds) } };
}

/** The ETag of a body. */
export const etagOf = (text: string): string => `"${hex(sha256(text)).toUpperCase()}"`;

/** Adds the ETag of a body; 304 without a body when the client has it already. */
export function withEtag(request: Pick<ApiRequest, 'headers'>, response: BodyResponse, etag: string): BodyResponse {
  const headers = { ...response.headers, etag, vary: 'Accept' };
  if (request.headers['if-none-match'] === etag) return { type: 'body', status: 304, headers, body: '' };
  return { ...response, headers };
}

/** Indents JSON as the query says, else for curl, wget and browsers. Models responsewriters isPrettyPrint. */
export const isPretty = (query: Query, headers: ApiRequest['headers']): boolean =>
  query.get('pretty') === null ? isBrowser(headers) : query.flag('pretty');

/** As isPretty, off the query's text: an error may be that the query cannot be parsed. */
export function isPrettyUnparsed({ query, headers }: Pick<ApiRequest, 'headers' | 'query'>): boolean {
  const parameter = /(?:^|&)pretty(?:=([^&]*))?(?:&|$)/.exec(query);
  return parameter ? !/^(false|0)$/i.test(parameter[1] ?? '') : isBrowser(headers);
}

const isBrowser = (headers: ApiRequest['headers']): boolean =>
  /^(curl|Wget|Mozilla\/5\.0)/.test(headers['user-agent'] ?? '');

/** Adds Warning headers (RFC 7234) to a response. */
export const withWarnings = (warnings: readonly string[], response: BodyResponse): BodyResponse =>
  warnings.length === 0 ? response : { ...response, headers: { ...response.headers, ...warningHeaders(warnings) } };

/** Models apimachinery/pkg/util/net NewWarningHeader. Texts beyond 4,096 characters in all are left out. */
export function warningHeaders(warnings: readonly string[]): { warning?: string[] } {
  if (warnings.length === 0) return {};
  const warning: string[] = [];
  let left = MAX_WARNING_CHARACTERS;
  for (const text of warnings) {
    left -= text.length;
    if (left < 0) break;
    warning.push(`299 - "${text.replace(/[\x00-\x1f\x7f]/g, ' ').replace(/["\\]/g, '\\$&')}"`);
  }
  return { warning };
}
