import { APIServices } from '../../kinds/index.js';
import type { ApiRequest, BodyResponse } from '../../machinery/requests/http.js';
import { etagOf, jsonResponse, withEtag } from '../response/writers.js';
import type { Server } from '../server.js';
import { askRemote } from './ask-resources.js';
import { isAvailable, isRemote, MAX_ASKED, servesMetrics, type RemoteService } from './remote-services.js';

type Paths = Readonly<Record<string, unknown>>;

const pathOf = ({ spec: { group = '', version = '' } }: RemoteService): string => `apis/${group}/${version}`;

/** Those that may answer; metrics-server has no OpenAPI here. */
const answering = ({ state }: Server): RemoteService[] =>
  state
    .list(APIServices)
    .filter(isRemote)
    .filter((service) => isAvailable(service) && !servesMetrics(state, service))
    .slice(0, MAX_ASKED);

/**
 * /openapi/v3 with what Services say of their own versions, and their documents; `path` is behind /openapi/, `serve`
 * answers what the cluster's own API server does. Models kube-aggregator/pkg/controllers/openapiv3/aggregator.
 * Left out: version 2.
 */
export function withRemoteOpenApi(
  server: Server,
  request: ApiRequest,
  path: readonly string[],
  serve: (request: ApiRequest) => BodyResponse,
): BodyResponse {
  const [specification, ...rest] = path;
  const services = specification === 'v3' ? answering(server) : [];
  if (services.length === 0) return serve(request);
  if (rest.length === 0) {
    // What the client has may be the whole document: not to be compared with the cluster's own.
    const { 'if-none-match': _known, ...headers } = request.headers;
    return withPaths(server, request, services, serve({ ...request, headers }));
  }
  const own = serve(request);
  const service = own.status === 404 ? services.find((one) => pathOf(one) === rest.join('/')) : undefined;
  const text = service && askRemote(server, service, `/openapi/v3/${pathOf(service)}`)?.body;
  return text === undefined ? own : withEtag(request, jsonResponse(200, text), etagOf(text));
}

function withPaths(
  server: Server,
  request: ApiRequest,
  services: readonly RemoteService[],
  own: BodyResponse,
): BodyResponse {
  const added: Record<string, unknown> = {};
  for (const service of services) {
    const found = readPaths(askRemote(server, service, '/openapi/v3')?.body ?? '')[pathOf(service)];
    if (found !== undefined) added[pathOf(service)] = found;
  }
  if (own.status !== 200 || typeof own.body !== 'string') return own;
  const text = JSON.stringify({ paths: { ...readPaths(own.body), ...added } });
  return withEtag(request, jsonResponse(200, text), etagOf(text));
}

function readPaths(text: string): Paths {
  try {
    const { paths } = (JSON.parse(text) ?? {}) as { readonly paths?: unknown };
    return typeof paths === 'object' && paths !== null ? (paths as Paths) : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
