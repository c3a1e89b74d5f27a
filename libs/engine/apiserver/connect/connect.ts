import type { ApiResponse } from '../../machinery/requests/http.js';
import type { Millis } from '../../machinery/time/time.js';
import { badRequest, methodNotAllowed } from '../../machinery/meta/status.js';
import type { Call } from '../call.js';
import { admitConnection } from './connect-options.js';
import { requireCreateOfConnection } from '../request/authorize.js';
import type { IdentifiedRequest } from '../request/identify.js';
import { PLAIN_JSON } from '../request/negotiate.js';
import { attach, exec, shell } from './exec.js';
import { portForward } from './portforward.js';
import { proxy } from './proxy/proxy.js';
import type { Query } from '../../machinery/requests/query.js';
import type { ResourceRoute } from '../request/route.js';
import type { Server } from '../server.js';

const PROXY_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const STREAM_METHODS = new Set(['GET', 'POST']);

/**
 * Serves a subresource that connects the client with a container or a backend: exec, attach, portforward, proxy. Throws
 * 400, 405. Models apiserver/pkg/endpoints/handlers/rest.go ConnectResource.
 */
export function connect(
  server: Server,
  request: IdentifiedRequest,
  query: Query,
  route: ResourceRoute,
  now: Millis,
): ApiResponse {
  const { kind, namespace, name, subresource, tail } = route;
  const isProxy = subresource === 'proxy';
  if (!(isProxy ? PROXY_METHODS : STREAM_METHODS).has(request.method)) throw methodNotAllowed();
  if (query.get('dryRun') !== null) throw badRequest('dryRun is not supported');
  const call: Call = {
    server,
    request,
    query,
    kind,
    namespace,
    name,
    subresource,
    output: PLAIN_JSON,
    now,
    warnings: [],
  };
  admitConnection(call, tail);
  if (isProxy) return proxy(call, tail);
  requireCreateOfConnection(call);
  switch (subresource) {
    case 'exec':
      return exec(call);
    case 'shell':
      return shell(call);
    case 'attach':
      return attach(call);
    default:
      return portForward(call);
  }
}
