import { notAcceptable, unsupportedMediaType } from '../machinery/status.js';

export type Format = 'json' | 'yaml' | 'protobuf';
export type Shape = 'object' | 'table' | 'partial';

/** How an answer is written. */
export interface Output {
  readonly format: Format;
  readonly shape: Shape;
  /** Version of meta.k8s.io that Table and PartialObjectMetadata are written in. */
  readonly metaVersion: 'v1' | 'v1beta1';
}

export const MEDIA_TYPE: Readonly<Record<Format, string>> = {
  json: 'application/json', yaml: 'application/yaml', protobuf: 'application/vnd.kubernetes.protobuf',
};
export const PLAIN_JSON: Output = { format: 'json', shape: 'object', metaVersion: 'v1' };
const ACCEPTED = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
const JSON_ONLY = 'application/json, application/yaml';
const MAX_CLAUSES = 32;

export interface Clause {
  readonly mediaType: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const parsed = new Map<string, readonly Clause[]>();

/** The alternatives of an Accept header, best first. */
export function acceptClauses(header: string): readonly Clause[] {
  let clauses = parsed.get(header);
  if (clauses) return clauses;
  clauses = header.split(',', MAX_CLAUSES).map((text, i) => {
    const [mediaType = '', ...pairs] = text.split(';').map((s) => s.trim());
    const parameters = new Map(pairs.map((p) => { const at = p.indexOf('='); return [p.slice(0, at), p.slice(at + 1)] as const; }));
    return { mediaType: mediaType.toLowerCase(), parameters, q: Number(parameters.get('q') ?? 1), i };
  }).filter((c) => c.q > 0).sort((a, b) => b.q - a.q || a.i - b.i);
  if (parsed.size > 256) parsed.clear();
  parsed.set(header, clauses);
  return clauses;
}

/** Models apiserver/pkg/endpoints/handlers/negotiation/negotiate.go. Throws 406. */
export function negotiate(accept: string | undefined, options: { protobuf: boolean; convertible: boolean; yaml?: boolean }): Output {
  if (!accept) return PLAIN_JSON;
  for (const { mediaType, parameters } of acceptClauses(accept)) {
    const format = formatOf(mediaType);
    if (!format || (format === 'yaml' && options.yaml === false)) continue;
    const as = parameters.get('as');
    if (as === undefined) {
      if (format === 'protobuf' && !options.protobuf) continue;
      return { format, shape: 'object', metaVersion: 'v1' };
    }
    const shape = as === 'Table' ? 'table' : as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList' ? 'partial' : undefined;
    const version = parameters.get('v');
    if (!shape || !options.convertible || parameters.get('g') !== 'meta.k8s.io' || (version !== 'v1' && version !== 'v1beta1') || format === 'protobuf') continue;
    return { format, shape, metaVersion: version };
  }
  throw notAcceptable(`only the following media types are accepted: ${options.protobuf ? ACCEPTED : JSON_ONLY}`);
}

function formatOf(mediaType: string): Format | undefined {
  switch (mediaType) {
    case 'application/json': case '*/*': case 'application/*': return 'json';
    case 'application/yaml': return 'yaml';
    case 'application/vnd.kubernetes.protobuf': return 'protobuf';
    default: return undefined;
  }
}

/** The media type of a body, without parameters; JSON when there is none. Throws 415. */
export function bodyType(contentType: string | undefined): string {
  const mediaType = (contentType ?? '').split(';', 1)[0]!.trim().toLowerCase();
  if (mediaType === '') return 'application/json';
  if (formatOf(mediaType) && !mediaType.includes('*')) return mediaType;
  throw unsupportedMediaType(`the body of the request was in an unknown format - accepted media types include: ${ACCEPTED}`);
}
