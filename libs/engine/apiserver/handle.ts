import type { ApiRequest, ApiResponse } from '../machinery/requests/http.js';
import { ApiError, methodNotAllowed, notFound } from '../machinery/meta/status.js';
import type { Millis } from '../machinery/time/time.js';
import { apiServerOf } from '../kinds/terrarium/noderuntime/api-server.js';
import { findRemote } from './aggregation/remote-services.js';
import { serveRemote } from './aggregation/serve-remote.js';
import { auditRequest } from './audit/audit.js';
import { noteRequest } from './audit/note-request.js';
import { errorResponse } from './error-response.js';
import { meetFaults } from './faults.js';
import { isOutside, serveOutside } from './connect/proxy/outside.js';
import { authorizeRequest } from './request/authorize.js';
import { identify } from './request/identify.js';
import { Query } from '../machinery/requests/query.js';
import { newRequestInfo, type RequestInfo } from './request/requestinfo.js';
import { findRoute } from './request/route.js';
import { isOwnPath, refusalOf } from './response/refused.js';
import { nonResourceResponse } from './nonresource/nonresource.js';
import { notFoundPage } from './response/writers.js';
import { serveResource } from './serve-resource.js';
import type { Server } from './server.js';

/** As Go's limit on a request's line and headers. */
const MAX_URL_LENGTH = 1024 * 1024;

/**
 * Serves one request to one cluster's API server: parse, identify, authorize, route, negotiate, decode, act, print. A
 * client's mistake is answered with a Status of 4xx; any other error is a fault of the engine, thrown for the host to
 * log and to answer with 500.
 */
export function handle(server: Server, request: ApiRequest, now: Millis): ApiResponse {
  return answerErrors(request, () => {
    checkLength(request);
    const refused = refusalOf(server.state, request);
    if (refused) return refused;
    const query = new Query(request.query);
    const info = request.info ?? newRequestInfo(request, query);
    const response = answerErrors(request, () => dispatch(server, request, query, info, now));
    server.requests?.add(request, info, response.status);
    const audit = apiServerOf(server.state)?.audit;
    if (server.asks?.isWanted()) server.asks.note(noteRequest(server, request, info, response.status, now));
    if (audit && !isOwnPath(request.path)) auditRequest(server, audit, request, info, response, now);
    return response;
  });
}

function answerErrors(request: ApiRequest, serve: () => ApiResponse): ApiResponse {
  try {
    return serve();
  } catch (error) {
    if (error instanceof ApiError) return errorResponse(error, request);
    throw error;
  }
}

function checkLength({ path, query }: ApiRequest): void {
  if (path.length + query.length > MAX_URL_LENGTH)
    throw new ApiError(414, 'RequestURITooLong', 'the request URL is too long');
}

function dispatch(server: Server, original: ApiRequest, query: Query, info: RequestInfo, now: Millis): ApiResponse {
  const request = identify(server, original, info, now);
  const waits = meetFaults(server.state, {
    ...{ info, now, user: request.user, count: server.state.revision },
    resourceVersion: query.text('resourceVersion'),
  });
  if (waits > 0) server.writer.waitForComponent?.(waits);
  authorizeRequest(request.user, info, server.state);
  if (isOutside(request)) return serveOutside(server, request, now);
  const remote = findRemote(server.state, info);
  if (remote) return serveRemote(server, request, query, info, remote, now);
  const route = findRoute(server.registry, info, request.method);
  switch (route.type) {
    case 'resource':
      return serveResource(server, request, query, route, now);
    case 'nonResource':
      if (request.method !== 'GET' && isReadOnly(info)) throw methodNotAllowed();
      return nonResourceResponse(server, request, query, info);
    case 'notFound':
      return notFoundPage();
    case 'unknownSubresource':
      throw notFound(route.kind, route.name);
    case 'unknownResource':
      throw new ApiError(404, 'NotFound', 'the server could not find the requested resource', {});
  }
}

/** Non-resource paths that upstream's router serves take GET alone; its other handlers do not look at the method. */
const isReadOnly = ({ parts: [first, , version] }: RequestInfo): boolean =>
  first === 'api' || first === 'version' || (first === 'apis' && version !== undefined);
