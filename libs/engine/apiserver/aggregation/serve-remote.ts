import type { ApiRequest, BodyResponse, ProxiedResponse, PodHttpAnswer } from '../../machinery/requests/http.js';
import { isMetricsServer } from '../../machinery/questions/metrics-server.js';
import type { Millis } from '../../machinery/time/time.js';
import { ApiError } from '../../machinery/meta/status.js';
import { bodyOf, forwardedHeaders, isUpgrade, passAnswer, proxyResponse } from '../connect/proxy/proxy.js';
import type { Query } from '../../machinery/requests/query.js';
import type { RequestInfo } from '../request/requestinfo.js';
import { textResponse } from '../response/writers.js';
import type { Server } from '../server.js';
import { serveMetrics } from './metrics-api.js';
import { backendOf, isAvailable, type RemoteService } from './remote-services.js';

const NO_BODY = new Uint8Array();

/**
 * Passes a request on to the Service that serves its version of an API group. Models kube-aggregator/pkg/apiserver
 * handler_proxy.go.
 */
export function serveRemote(
  server: Server,
  request: ApiRequest,
  query: Query,
  info: RequestInfo,
  service: RemoteService,
  now: Millis,
): BodyResponse | ProxiedResponse {
  if (!isAvailable(service)) return textResponse(503, 'service unavailable\n');
  const backend = backendOf(server.state, service);
  if ('error' in backend || !backend.pod) return textResponse(503, 'service unavailable\n');
  if (isMetricsServer(backend.pod)) return serveMetrics(server, request, query, info, now);
  const answer = (server.reach ?? server.dial)?.(
    backend.pod,
    {
      ...{ scheme: 'https', port: backend.port, method: request.method },
      path: request.path + (request.query && `?${request.query}`),
      headers: { ...forwardedHeaders(request), ...userHeaders(request) },
      ...bodyOf(request.body ?? NO_BODY),
    },
    now,
  ) ?? { error: `dial tcp ${backend.ip}:${backend.port}: connect: connection refused` };
  const refuse = (why: string): ApiError =>
    new ApiError(503, 'ServiceUnavailable', `error trying to reach service: ${why}`);
  if ('error' in answer) throw refuse(answer.error);
  const finish = (found: PodHttpAnswer): BodyResponse => proxyResponse(found, request.path, (link) => link);
  return passAnswer(answer, isUpgrade(request), { finish, refuse });
}

/** Who asks, as a request header proxy tells it. */
function userHeaders({ user }: ApiRequest): Record<string, string> {
  return user ? { 'x-remote-user': user.name, 'x-remote-group': user.groups.join(',') } : {};
}
