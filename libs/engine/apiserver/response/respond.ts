import { stringify } from 'yaml';
import type { ApiRequest, BodyResponse } from '../../machinery/http.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import type { ApiError } from '../../machinery/meta/status.js';
import { encodeProtobuf } from '../../schema/index.js';
import type { Call } from '../call.js';
import { encodeObject } from '../request/codec.js';
import { MEDIA_TYPE, type Format } from '../request/negotiate.js';
import { inVersion, objectText, partialText } from './print.js';
import { includeObject, tableText } from './table.js';

const STATUS = 'io.k8s.apimachinery.pkg.apis.meta.v1.Status';
const CACHE = 'no-cache, private';
/** As Go's: keys in order, lists not indented. */
const YAML_STYLE = { sortMapEntries: true, indentSeq: false, singleQuote: true } as const;
const MAX_WARNING_CHARACTERS = 4_096;

/** A body that is JSON text, in the format asked for. */
export function jsonResponse(status: number, text: string, format: Format = 'json', pretty = false): BodyResponse {
  if (format === 'yaml')
    return {
      type: 'body',
      status,
      headers: headersOf('application/yaml'),
      body: stringify(JSON.parse(text), YAML_STYLE),
    };
  const body = pretty ? JSON.stringify(JSON.parse(text), null, 2) : text;
  return { type: 'body', status, headers: headersOf('application/json'), body: `${body}\n` };
}

const headersOf = (mediaType: string): BodyResponse['headers'] => ({
  'content-type': mediaType,
  'cache-control': CACHE,
});

export const textResponse = (status: number, text: string): BodyResponse => ({
  type: 'body',
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
  body: text,
});

export const statusResponse = (error: ApiError, format: Format = 'json', pretty = false): BodyResponse => {
  const status = error.toStatus();
  const response: BodyResponse =
    format === 'protobuf'
      ? {
          type: 'body',
          status: error.code,
          headers: headersOf(MEDIA_TYPE.protobuf),
          body: encodeProtobuf(status, STATUS),
        }
      : jsonResponse(error.code, JSON.stringify(status), format, pretty);
  const seconds = error.details?.retryAfterSeconds;
  return seconds === undefined
    ? response
    : { ...response, headers: { ...response.headers, 'retry-after': String(seconds) } };
};

/** One stored object, in the shape, format and version that the call asks for. */
export function objectResponse(call: Call, status: number, stored: KubeObject): BodyResponse {
  const { kind, output } = call;
  const object = seen(call, inVersion(kind, stored));
  if (output.shape === 'table') {
    const metadata = JSON.stringify({ resourceVersion: object.metadata.resourceVersion });
    const text = tableText(kind, [object], call.now, {
      metaVersion: output.metaVersion,
      include: includeObject(call.query.text('includeObject')),
      metadata,
    });
    return finish(call, status, text);
  }
  if (output.shape === 'partial') return finish(call, status, partialText(kind, object, output.metaVersion));
  if (output.format === 'protobuf')
    return withWarnings(call, {
      type: 'body',
      status,
      headers: headersOf(MEDIA_TYPE.protobuf),
      body: encodeObject(kind, object),
    });
  return finish(call, status, objectText(kind, object));
}

/** The object with what time alone has changed. */
export const seen = ({ kind, now, server }: Call, object: KubeObject): KubeObject =>
  kind.asOf ? kind.asOf(object, now, server.state) : object;

/** JSON text in the call's format, with its warnings. */
export const finish = (call: Call, status: number, text: string): BodyResponse =>
  withWarnings(call, jsonResponse(status, text, call.output.format, isPretty(call)));

export function isPretty(call: Pick<Call, 'query'> & { readonly request: Pick<ApiRequest, 'headers'> }): boolean {
  const asked = call.query.get('pretty');
  if (asked !== null) return call.query.flag('pretty');
  return isBrowsed(call.request);
}

/** Is somebody looking at it? */
const isBrowsed = ({ headers }: Pick<ApiRequest, 'headers'>): boolean =>
  /^(curl|Wget|Mozilla\/5\.0)/.test(headers['user-agent'] ?? '');

/** The same for an error, which may be about the query itself. */
export const isPrettyError = (request: Pick<ApiRequest, 'headers' | 'query'>): boolean => {
  const asked = /(?:^|&)pretty(?:=([^&]*))?(?:&|$)/.exec(request.query);
  return asked ? !/^(false|0)$/i.test(asked[1] ?? '') : isBrowsed(request);
};

/** Adds the Warning headers (RFC 7234). Models apimachinery/pkg/util/net NewWarningHeader. */
export const withWarnings = (call: Pick<Call, 'warnings'>, response: BodyResponse): BodyResponse =>
  call.warnings.length === 0 ? response : { ...response, headers: { ...response.headers, ...warningHeaders(call) } };

export function warningHeaders(call: Pick<Call, 'warnings'>): { warning?: string[] } {
  if (call.warnings.length === 0) return {};
  const warning: string[] = [];
  let left = MAX_WARNING_CHARACTERS;
  for (const text of call.warnings) {
    if ((left -= text.length) < 0) break;
    warning.push(`299 - "${text.replace(/[\x00-\x1f\x7f]/g, ' ').replace(/["\\]/g, '\\$&')}"`);
  }
  return { warning };
}
