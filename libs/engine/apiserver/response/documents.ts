import type { ApiRequest, BodyResponse } from '../../machinery/http.js';
import type { Kind } from '../../machinery/kind.js';
import { ApiError, notAcceptable } from '../../machinery/meta/status.js';
import { encodeOpenApiV2, openApiV2, OPENAPI_V2_PROTO_TYPE, openApiV3, openApiV3Index } from '../../schema/index.js';
import { aggregated, apiGroup, resourceList, servedGroups, type ServedGroup } from './discovery.js';
import { health, HEALTH_CHECKS } from './health.js';
import { metrics, sliMetrics } from './metrics.js';
import { acceptClauses, negotiate } from '../request/negotiate.js';
import { keySet, openIdConfiguration } from './openid.js';
import { isBuiltIn } from './print.js';
import type { Query } from '../request/query.js';
import { isPretty, jsonResponse, textResponse } from './respond.js';
import type { Server } from '../server.js';
import { hex, sha256 } from './sha256.js';

/** Release that a cluster says it is. */
export const VERSION = {
  major: '1',
  minor: '36',
  emulationMajor: '1',
  emulationMinor: '36',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '35',
  gitVersion: 'v1.36.3',
  gitCommit: '0f29094e5b73085e3802ecc1298ecae13866bfe6',
  gitTreeState: 'clean',
  buildDate: '2026-07-22T18:02:11Z',
  goVersion: 'go1.26.5',
  compiler: 'gc',
  platform: 'linux/amd64',
};

/** The same for metrics. */
const BUILD = {
  build_date: VERSION.buildDate,
  compiler: VERSION.compiler,
  git_commit: VERSION.gitCommit,
  git_tree_state: VERSION.gitTreeState,
  git_version: VERSION.gitVersion,
  go_version: VERSION.goVersion,
  major: VERSION.major,
  minor: VERSION.minor,
  platform: VERSION.platform,
};

/** Where a cluster's own clients reach it. */
const SERVER_ADDRESS = '172.18.0.2:6443';

/** Everything that is not a resource: discovery, OpenAPI, health, metrics, keys, version. */
export function documentResponse(
  server: Server,
  request: ApiRequest,
  query: Query,
  segments: readonly string[],
): BodyResponse {
  const [first, ...rest] = segments;
  const reply = (value: unknown): BodyResponse => {
    const { format } = negotiate(request.headers['accept'], {
      protobuf: false,
      convertible: false,
      routed: first === 'apis' && rest.length < 2 ? undefined : { collection: false },
    });
    return jsonResponse(200, JSON.stringify(value), format, isPretty({ query, request }));
  };
  switch (first) {
    // Upstream's own handlers indent these two always.
    case undefined:
      return jsonResponse(200, JSON.stringify({ paths: rootPaths(server) }), 'json', true);
    case 'version':
      return rest.length ? notFoundPage() : jsonResponse(200, JSON.stringify(VERSION), 'json', true);
    case 'healthz':
    case 'livez':
    case 'readyz':
      return health(first, rest.join('/'), query) ?? notFoundPage();
    case 'metrics':
      return metricsPage(server, rest);
    case 'openid':
    case '.well-known':
      return openId(server, segments.join('/'));
    case 'openapi':
      return openApi(server, request, rest);
    case 'api':
    case 'apis':
      return discovery(server, request, query, first, rest, reply);
    default:
      return notFoundPage();
  }
}

export const notFoundPage = (): BodyResponse => textResponse(404, '404 page not found\n');

function metricsPage({ registry, state, requests }: Server, rest: readonly string[]): BodyResponse {
  if (rest.length === 0) return metrics(registry, state, requests, BUILD);
  return rest.join('/') === 'slis' ? sliMetrics() : notFoundPage();
}

function openId({ writer: { keys } }: Server, path: string): BodyResponse {
  if (keys && path === 'openid/v1/jwks') return keySet(keys);
  return keys && path === '.well-known/openid-configuration' ? openIdConfiguration(SERVER_ADDRESS) : notFoundPage();
}

const OWN_PATHS = [
  '/.well-known/openid-configuration',
  '/api',
  '/api/v1',
  '/apis',
  '/apis/',
  '/metrics',
  '/metrics/slis',
  '/openapi/v2',
  '/openapi/v3',
  '/openapi/v3/',
  '/openid/v1/jwks',
  '/version',
];

function rootPaths(server: Server): string[] {
  const groups = servedGroups(server.registry).filter((g) => g.group);
  const apis = groups.flatMap(({ group, versions }) => [
    `/apis/${group}`,
    ...versions.map((v) => `/apis/${group}/${v.version}`),
  ]);
  const checks = Object.entries(HEALTH_CHECKS).flatMap(([name, names]) => [
    `/${name}`,
    ...names.map((check) => `/${name}/${check}`),
  ]);
  return [...OWN_PATHS, ...apis, ...checks].sort();
}

function discovery(
  server: Server,
  request: ApiRequest,
  query: Query,
  root: string,
  rest: readonly string[],
  reply: (value: unknown) => BodyResponse,
): BodyResponse {
  const groups = servedGroups(server.registry).filter((g) => (root === 'api') === (g.group === ''));
  if (rest.length === 0) {
    const version = aggregatedVersion(request.headers['accept']);
    if (version) return aggregatedResponse(request, query, groups, version);
    if (root === 'api')
      return reply({
        kind: 'APIVersions',
        versions: ['v1'],
        serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: SERVER_ADDRESS }],
      });
    return reply({ kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(apiGroup) });
  }
  const [name, version, ...more] = root === 'api' ? ['', ...rest] : rest;
  const group = groups.find((g) => g.group === name);
  if (!group || more.length > 0) return notFoundPage();
  if (version === undefined) return reply({ kind: 'APIGroup', apiVersion: 'v1', ...apiGroup(group) });
  const served = group.versions.find((v) => v.version === version);
  if (!served && group.versions.some((v) => v.kinds.some(isBuiltIn)))
    throw new ApiError(404, 'NotFound', 'the server could not find the requested resource', {});
  return served ? reply(resourceList(group.group, version, served.kinds)) : notFoundPage();
}

/** 'v2' or 'v2beta1' when the client prefers the aggregated form. */
function aggregatedVersion(accept: string | undefined): string | undefined {
  for (const { mediaType, parameters } of acceptClauses(accept ?? '')) {
    if (mediaType !== 'application/json' && mediaType !== '*/*') continue;
    if (!parameters.has('as')) return undefined;
    const version = parameters.get('v');
    if (
      parameters.get('as') === 'APIGroupDiscoveryList' &&
      parameters.get('g') === 'apidiscovery.k8s.io' &&
      (version === 'v2' || version === 'v2beta1')
    )
      return version;
  }
  return undefined;
}

function aggregatedResponse(
  request: ApiRequest,
  query: Query,
  groups: readonly ServedGroup[],
  version: string,
): BodyResponse {
  const text = JSON.stringify(aggregated(groups, version));
  const response = tagged(request, jsonResponse(200, text, 'json', isPretty({ query, request })), text);
  return {
    ...response,
    headers: {
      ...response.headers,
      'content-type': `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
    },
  };
}

/** Adds an ETag; 304 when the client has it already. */
function tagged(request: ApiRequest, response: BodyResponse, text: string): BodyResponse {
  const etag = `"${hex(sha256(text)).toUpperCase()}"`;
  const headers = { ...response.headers, etag, vary: 'Accept' };
  if (request.headers['if-none-match'] === etag) return { type: 'body', status: 304, headers, body: '' };
  return { ...response, headers };
}

function openApi(server: Server, request: ApiRequest, path: readonly string[]): BodyResponse {
  const clauses = acceptClauses(request.headers['accept'] ?? '');
  if (path[0] === 'v2' && clauses[0]?.mediaType.startsWith(GNOSTIC))
    return {
      type: 'body',
      status: 200,
      headers: { 'content-type': OPENAPI_V2_PROTO_TYPE },
      body: gnosticDocument(server),
    };
  const accepts = clauses.some((c) => ['application/json', '*/*', 'application/*'].includes(c.mediaType));
  if (request.headers['accept'] && !accepts)
    throw notAcceptable('only the following media types are accepted: application/json');
  const text = openApiText(server, path);
  return text === undefined ? notFoundPage() : tagged(request, jsonResponse(200, text), text);
}

const GNOSTIC = 'application/com.github.proto-openapi.spec.v2';

/** Version 2 as gnostic's protobuf, which is how kubectl asks for it. */
function gnosticDocument(server: Server): Uint8Array {
  const cached = cacheOf(server);
  return (cached.gnostic ??= encodeOpenApiV2(openApiV2(cached.kinds)));
}

/** The documents are large and change with the served kinds only. */
interface Documents {
  readonly kinds: readonly Kind[];
  readonly texts: Map<string, string>;
  gnostic?: Uint8Array;
}
const documents = new WeakMap<object, Documents>();

function cacheOf({ registry }: Server): Documents {
  const kinds = registry.all().filter((k) => !k.internal);
  let cached = documents.get(registry);
  if (cached?.kinds.length !== kinds.length || kinds.some((k, i) => cached!.kinds[i] !== k))
    documents.set(registry, (cached = { kinds, texts: new Map() }));
  return cached;
}

function openApiText(server: Server, path: readonly string[]): string | undefined {
  const { texts } = cacheOf(server);
  const key = path.join('/');
  const known = texts.get(key);
  if (known !== undefined) return known;
  const made = makeOpenApi(server, path);
  if (made !== undefined) texts.set(key, made);
  return made;
}

function makeOpenApi(server: Server, path: readonly string[]): string | undefined {
  const kinds = server.registry.all().filter((k) => !k.internal);
  const [version, root, ...rest] = path;
  if (version === 'v2' && root === undefined) return JSON.stringify(openApiV2(kinds));
  if (version !== 'v3') return undefined;
  const served = servedGroups(server.registry).flatMap((g) =>
    g.versions.map((v) => ({ group: g.group, version: v.version, kinds: v.kinds, hash: hashOf(v.kinds) })),
  );
  if (root === undefined) return JSON.stringify(openApiV3Index(served));
  const [group, v] = root === 'api' ? ['', rest[0]] : root === 'apis' ? rest : [];
  const found = served.find((s) => s.group === group && s.version === v);
  return found && JSON.stringify(openApiV3(found.group, found.version, found.kinds));
}

/** Clients keep a group's document as long as its hash stays. */
const hashOf = (kinds: readonly Kind[]): string =>
  hex(sha256(JSON.stringify([VERSION.gitVersion, kinds]))).toUpperCase();
