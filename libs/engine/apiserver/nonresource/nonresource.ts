import type { ApiRequest, BodyResponse } from '../../machinery/requests/http.js';
import type { RequestInfo } from '../request/requestinfo.js';
import { askResources } from '../aggregation/ask-resources.js';
import { withRemoteOpenApi } from '../aggregation/remote-openapi.js';
import { remoteGroups } from '../aggregation/remote-services.js';
import type { Query } from '../../machinery/requests/query.js';
import type { Server } from '../server.js';
import { discoveryResponse } from './discovery-response.js';
import { hasStore } from '../../kinds/terrarium/fault/active.js';
import { HEALTH_CHECKS, healthResponse } from './health.js';
import { metrics, sliMetrics } from './metrics.js';
import { openApiResponse } from './openapi.js';
import { keySet, openIdConfiguration } from './openid.js';
import { servedGroups } from './served-groups.js';
import { versionInfo } from './version.js';
import { jsonResponse, notFoundPage } from '../response/writers.js';

/** The address that discovery and OpenID tell a cluster's clients. */
const SERVER_ADDRESS = '172.18.0.2:6443';

/** Paths that are always served, beside those of the API groups and health checks. */
const FIXED_PATHS = [
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

/**
 * Serves the paths that are no resources: discovery, OpenAPI, health, metrics, the issuer's keys, the version. Models
 * apiserver/pkg/server/routes.
 */
export function nonResourceResponse(
  server: Server,
  request: ApiRequest,
  query: Query,
  { parts }: RequestInfo,
): BodyResponse {
  const [first, ...rest] = parts;
  switch (first) {
    case undefined:
      return indentedResponse({ paths: indexPaths(server) });
    case 'version':
      return rest.length === 0 ? indentedResponse(versionInfo(server.version?.())) : notFoundPage();
    case 'healthz':
    case 'livez':
    case 'readyz':
      return healthResponse(first, rest.join('/'), query, hasStore(server.state)) ?? notFoundPage();
    case 'metrics':
      if (rest.length === 0) return metrics(server);
      return rest.join('/') === 'slis' ? sliMetrics() : notFoundPage();
    case 'openid':
    case '.well-known':
      return openIdResponse(server, parts.join('/'));
    case 'openapi':
      return withRemoteOpenApi(server, request, rest, (own) => openApiResponse(server.registry, own, rest));
    case 'api':
    case 'apis':
      return discoveryResponse(
        server.registry,
        remoteGroups(server.state, (service) => askResources(server, service)),
        SERVER_ADDRESS,
        request,
        query,
        first,
        rest,
      );
    default:
      return notFoundPage();
  }
}

/** Upstream's handlers of / and /version indent their JSON for every client. */
const indentedResponse = (value: unknown): BodyResponse => jsonResponse(200, JSON.stringify(value), 'json', true);

/** Models apiserver/pkg/server/routes/index.go. */
function indexPaths({ registry }: Server): string[] {
  const groups = servedGroups(registry).filter(({ group }) => group !== '');
  const apis = groups.flatMap(({ group, versions }) => [
    `/apis/${group}`,
    ...versions.map(({ version }) => `/apis/${group}/${version}`),
  ]);
  const checks = Object.entries(HEALTH_CHECKS).flatMap(([path, names]) => [
    `/${path}`,
    ...names.map((name) => `/${path}/${name}`),
  ]);
  return [...FIXED_PATHS, ...apis, ...checks].sort();
}

function openIdResponse({ writer: { keys } }: Server, path: string): BodyResponse {
  if (keys && path === 'openid/v1/jwks') return keySet(keys);
  return keys && path === '.well-known/openid-configuration' ? openIdConfiguration(SERVER_ADDRESS) : notFoundPage();
}
