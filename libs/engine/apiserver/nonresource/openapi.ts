import type { ApiRequest, BodyResponse } from '../../machinery/requests/http.js';
import { hex, sha256 } from '../../machinery/crypto/sha256.js';
import type { Kind } from '../../machinery/kind.js';
import { notAcceptable } from '../../machinery/meta/status.js';
import type { Registry } from '../../runtime/registry.js';
import { encodeOpenApiV2, openApiV2, OPENAPI_V2_PROTO_TYPE, openApiV3, openApiV3Index } from '../../schema/index.js';
import { acceptClauses } from '../request/negotiate.js';
import { servedGroups } from './served-groups.js';
import { etagOf, jsonResponse, notFoundPage, withEtag } from '../response/writers.js';
import { DEFAULT_VERSION } from '../../machinery/releases.js';

/** How kubectl asks for version 2: gnostic's protobuf. */
const GNOSTIC = 'application/com.github.proto-openapi.spec.v2';

/**
 * /openapi/v2, /openapi/v3 and /openapi/v3/apis/<group>/<version>; `path` is behind /openapi/. Throws 406. Models
 * kube-openapi/pkg/handler and handler3.
 */
export function openApiResponse(registry: Registry, request: ApiRequest, path: readonly string[]): BodyResponse {
  const clauses = acceptClauses(request.headers['accept'] ?? '');
  if (path[0] === 'v2' && clauses[0]?.mediaType.startsWith(GNOSTIC)) return gnosticResponse(registry);
  const acceptsJson = clauses.some((c) => ['application/json', '*/*', 'application/*'].includes(c.mediaType));
  if (request.headers['accept'] && !acceptsJson)
    throw notAcceptable('only the following media types are accepted: application/json');
  const document = cachedDocument(registry, path);
  return document ? withEtag(request, jsonResponse(200, document.text), document.etag) : notFoundPage();
}

function gnosticResponse(registry: Registry): BodyResponse {
  const cached = documentsOf(registry);
  cached.gnostic ??= encodeOpenApiV2(openApiV2(cached.kinds));
  return { type: 'body', status: 200, headers: { 'content-type': OPENAPI_V2_PROTO_TYPE }, body: cached.gnostic };
}

/** A hash of a megabyte takes as long as the rest of the request. */
interface Text {
  readonly text: string;
  readonly etag: string;
}

const newText = (document: unknown): Text => {
  const text = JSON.stringify(document);
  return { text, etag: etagOf(text) };
};

/** The documents are large and change only with the kinds that are served. */
interface Documents {
  readonly kinds: readonly Kind[];
  /** By path. */
  readonly texts: Map<string, Text>;
  gnostic?: Uint8Array;
}
/** By registry, or by the list of built-in kinds: clusters that serve nothing else have one and the same. */
const documents = new WeakMap<Registry | readonly Kind[], Documents>();

function documentsOf(registry: Registry): Documents {
  const kinds = registry.all().filter((kind) => !kind.internal);
  const owner = isSame(registry.all(), registry.builtIn) ? registry.builtIn : registry;
  const cached = documents.get(owner);
  if (cached && isSame(cached.kinds, kinds)) return cached;
  const fresh: Documents = { kinds, texts: new Map() };
  documents.set(owner, fresh);
  return fresh;
}

const isSame = (one: readonly Kind[], other: readonly Kind[]): boolean =>
  one.length === other.length && one.every((kind, i) => kind === other[i]);

function cachedDocument(registry: Registry, path: readonly string[]): Text | undefined {
  const { kinds, texts } = documentsOf(registry);
  const key = path.join('/');
  const cached = texts.get(key);
  if (cached !== undefined) return cached;
  const made = makeDocument(registry, kinds, path);
  if (made) texts.set(key, made);
  return made;
}

function makeDocument(registry: Registry, kinds: readonly Kind[], path: readonly string[]): Text | undefined {
  const [specification, root, ...rest] = path;
  if (specification === 'v2' && root === undefined) return newText(openApiV2(kinds));
  if (specification !== 'v3') return undefined;
  const groupVersions = servedGroups(registry).flatMap(({ group, versions }) =>
    versions.map(({ version, kinds }) => ({ group, version, kinds })),
  );
  if (root === undefined)
    return newText(openApiV3Index(groupVersions.map((gv) => ({ ...gv, hash: documentOf(registry, gv.kinds).hash }))));
  const [group, version] = root === 'api' ? ['', rest[0]] : root === 'apis' ? rest : [];
  const found = groupVersions.find((gv) => gv.group === group && gv.version === version);
  if (!found) return undefined;
  const document = documentOf(registry, found.kinds);
  return (document.text ??= newText(openApiV3(found.group, found.version, found.kinds)));
}

/** What version 3 says of the kinds of one group version. */
interface GroupDocument {
  readonly kinds: readonly Kind[];
  /** Clients keep the document as long as its hash stays. */
  readonly hash: string;
  text?: Text;
}

/**
 * By one of the kinds: by a cluster's own, if there is one among them, so that nothing leads to it when the cluster is
 * gone. Clusters share those of built-in kinds alone, whatever they serve besides.
 */
const groupDocuments = new WeakMap<Kind, GroupDocument>();

function documentOf({ builtIn }: Registry, kinds: readonly Kind[]): GroupDocument {
  const owner = kinds.find((kind) => !builtIn.includes(kind)) ?? kinds[0]!;
  const cached = groupDocuments.get(owner);
  if (cached && isSame(cached.kinds, kinds)) return cached;
  const fresh: GroupDocument = { kinds, hash: hashOf(kinds) };
  groupDocuments.set(owner, fresh);
  return fresh;
}

const hashOf = (kinds: readonly Kind[]): string => hex(sha256(JSON.stringify([DEFAULT_VERSION, kinds]))).toUpperCase();
