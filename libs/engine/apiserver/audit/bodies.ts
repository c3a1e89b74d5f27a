import { decodeUtf8Lossy } from '../../machinery/text/utf8.js';
import type { ApiRequest, BodyResponse, ApiResponse } from '../../machinery/requests/http.js';
import type { RequestInfo } from '../../machinery/requests/request-info.js';
import { ApiError } from '../../machinery/meta/status.js';
import { decode, parseYaml, PROTOBUF_TYPE, YAML_TYPE } from '../../schema/index.js';
import type { Registry } from '../../runtime/registry.js';
import type { AuditedRequest } from './event.js';

const STATUS = 'io.k8s.apimachinery.pkg.apis.meta.v1.Status';
/** A longer body is not shown. */
const MAX_BODY = 256 * 1024;

/** The object, or the patch, that a request has sent; undefined: none, or nothing that is JSON. */
export function requestObjectOf(
  registry: Registry,
  { body, headers }: ApiRequest,
  info: RequestInfo,
  omitManagedFields: boolean,
): unknown {
  if (!body || body.length === 0 || body.length > MAX_BODY) return undefined;
  const type = (headers['content-type'] ?? '').split(';', 1)[0]!.trim();
  return without(parse(body, type, definitionOf(registry, info)), omitManagedFields);
}

/** The object that a response has. */
export function responseObjectOf(
  registry: Registry,
  response: ApiResponse,
  info: RequestInfo,
  omitManagedFields: boolean,
): unknown {
  if (response.type !== 'body') return undefined;
  const type = headerOf(response, 'content-type').split(';', 1)[0]!.trim();
  const { body } = response;
  if (typeof body === 'string') return without(parseText(body, type), omitManagedFields);
  return without(parse(body, type, definitionOfResponse(registry, info, response)), omitManagedFields);
}

const headerOf = ({ headers }: BodyResponse, name: string): string => {
  const value = headers[name];
  return typeof value === 'string' ? value : (value?.[0] ?? '');
};

function parse(body: Uint8Array, type: string, definition: string): unknown {
  if (type !== PROTOBUF_TYPE) return parseText(decodeUtf8Lossy(body), type);
  try {
    return decode(body, type, definition).value;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

const definitionOf = (registry: Registry, { apiGroup, apiVersion, resource }: RequestInfo): string =>
  registry.resource(apiGroup, apiVersion, resource)?.definition ?? '';

const definitionOfResponse = (registry: Registry, info: RequestInfo, { status }: BodyResponse): string =>
  status >= 400 ? STATUS : `${definitionOf(registry, info)}${info.verb === 'list' ? 'List' : ''}`;

function parseText(text: string, type: string): unknown {
  if (type === YAML_TYPE || type === 'application/apply-patch+yaml') return parseYaml(text).value;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

interface Listed {
  readonly metadata?: Record<string, unknown>;
  readonly items?: readonly Listed[];
}

function without(value: unknown, omitManagedFields: boolean): unknown {
  if (!omitManagedFields || typeof value !== 'object' || value === null) return value;
  const { metadata, items } = value as Listed;
  if (Array.isArray(items)) return { ...value, items: items.map((item) => without(item, true)) };
  if (!metadata || !('managedFields' in metadata)) return value;
  const { managedFields: _, ...rest } = metadata;
  return { ...value, metadata: rest };
}

/** What the object of a request says of itself. */
export function subjectOf(body: unknown): AuditedRequest['subject'] {
  const metadata = (body as { metadata?: Record<string, unknown> } | undefined)?.metadata ?? {};
  const subject: Record<string, string> = {};
  for (const field of ['namespace', 'name', 'uid', 'resourceVersion'])
    if (typeof metadata[field] === 'string' && metadata[field] !== '') subject[field] = metadata[field];
  return subject;
}
