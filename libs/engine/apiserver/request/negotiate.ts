import { LRUCache } from 'lru-cache';
import { ApiError, notAcceptable, unsupportedMediaType } from '../../machinery/meta/status.js';

export type Format = 'json' | 'yaml' | 'protobuf';
export type Shape = 'object' | 'table' | 'partial';

/** The form and format of a response. */
export interface Output {
  readonly format: Format;
  readonly shape: Shape;
  /** Version of meta.k8s.io that Table and PartialObjectMetadata are written in. */
  readonly metaVersion: 'v1' | 'v1beta1';
  /** Of 'partial': PartialObjectMetadataList was asked for, not PartialObjectMetadata. */
  readonly isListMetadata?: boolean;
}

export const MEDIA_TYPE: Readonly<Record<Format, string>> = {
  json: 'application/json',
  yaml: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
};
export const PLAIN_JSON: Output = { format: 'json', shape: 'object', metaVersion: 'v1' };
const ACCEPTED = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
const STREAMED = 'application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch';
const MAX_CLAUSES = 32;

/** One alternative of an Accept header. */
export interface Clause {
  readonly mediaType: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const MAX_CACHED_HEADERS = 256;
const MAX_CACHED_CHARACTERS = 1_000;
// oxlint-disable-next-line house/no-module-state -- of headers that clients send again and again
const cachedClauses = new LRUCache<string, readonly Clause[]>({ max: MAX_CACHED_HEADERS });

/** The alternatives of an Accept header, best first. */
export function acceptClauses(header: string): readonly Clause[] {
  let clauses = cachedClauses.get(header);
  if (clauses) return clauses;
  clauses = header
    .split(',', MAX_CLAUSES)
    .map((text, i) => {
      const [mediaType = '', ...pairs] = text.split(';').map((s) => s.trim());
      const parameters = new Map(
        pairs.map((p) => {
          const at = p.indexOf('=');
          return [p.slice(0, at), p.slice(at + 1)] as const;
        }),
      );
      return { mediaType: mediaType.toLowerCase(), parameters, q: Number(parameters.get('q') ?? 1), i };
    })
    .sort((a, b) => b.q - a.q || a.i - b.i);
  if (header.length <= MAX_CACHED_CHARACTERS) cachedClauses.set(header, clauses);
  return clauses;
}

/** The responses that a resource has. */
export interface Offer {
  /** The objects can be encoded in protobuf: custom resources cannot. */
  readonly protobuf: boolean;
  /** It can be converted to Table and PartialObjectMetadata. */
  readonly convertible: boolean;
  readonly watch?: boolean;
  /**
   * Set for paths of upstream's router, go-restful, which refuses unknown media types before the handler does and in
   * other words. `collection`: the path can be watched.
   */
  readonly routed?: { readonly collection: boolean };
}

/** Models apiserver/pkg/endpoints/handlers/negotiation/negotiate.go. Throws 406. */
export function negotiate(accept: string | undefined, offer: Offer): Output {
  if (!accept) return PLAIN_JSON;
  const clauses = acceptClauses(accept);
  for (const clause of clauses) {
    const output = outputOf(clause, offer);
    if (output) return output;
  }
  if (offer.routed && !clauses.some((c) => formatOfMediaType(c.mediaType))) {
    const available = offer.routed.collection ? `${ACCEPTED}, ${STREAMED}` : ACCEPTED;
    throw new ApiError(406, 'NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${available}`, {});
  }
  const streamless = offer.watch && clauses.some((c) => outputOf(c, { ...offer, watch: false }));
  throw notAcceptable(`only the following media types are accepted: ${streamless ? STREAMED : ACCEPTED}`);
}

function outputOf({ mediaType, parameters }: Clause, offer: Offer): Output | undefined {
  const format = formatOfMediaType(mediaType);
  if (!format || (format === 'yaml' && offer.watch)) return undefined;
  const as = parameters.get('as');
  if (as === undefined)
    return format === 'protobuf' && !offer.protobuf ? undefined : { format, shape: 'object', metaVersion: 'v1' };
  const shape =
    as === 'Table'
      ? 'table'
      : as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList'
        ? 'partial'
        : undefined;
  const version = parameters.get('v');
  if (
    !shape ||
    !offer.convertible ||
    parameters.get('g') !== 'meta.k8s.io' ||
    (version !== 'v1' && version !== 'v1beta1') ||
    format === 'protobuf'
  )
    return undefined;
  return {
    format,
    shape,
    metaVersion: version,
    ...(shape === 'partial' ? { isListMetadata: as === 'PartialObjectMetadataList' } : {}),
  };
}

/** The format of an error: of the first known media type without `as`, else JSON. */
export const errorFormat = (accept: string | undefined): Format =>
  accept
    ? (acceptClauses(accept)
        .filter((c) => !c.parameters.has('as'))
        .map((c) => formatOfMediaType(c.mediaType))
        .find((f) => f !== undefined) ?? 'json')
    : 'json';

function formatOfMediaType(mediaType: string): Format | undefined {
  switch (mediaType) {
    case 'application/json':
    case '*/*':
    case 'application/*':
      return 'json';
    case 'application/yaml':
      return 'yaml';
    case 'application/vnd.kubernetes.protobuf':
      return 'protobuf';
    default:
      return undefined;
  }
}

/** The media type of a body, without parameters; JSON when there is none. Throws 415. */
export function bodyType(contentType: string | undefined): string {
  const mediaType = (contentType ?? '').split(';', 1)[0]!.trim().toLowerCase();
  if (mediaType === '') return 'application/json';
  if (formatOfMediaType(mediaType) && !mediaType.includes('*')) return mediaType;
  throw unsupportedMediaType(
    `the body of the request was in an unknown format - accepted media types include: ${ACCEPTED}`,
  );
}
