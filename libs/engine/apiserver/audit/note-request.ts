import type { AskedRequest } from '../../machinery/requests/asked-request.js';
import type { ApiRequest } from '../../machinery/requests/http.js';
import type { RequestInfo } from '../../machinery/requests/request-info.js';
import type { Millis } from '../../machinery/time/time.js';
import { Query } from '../../machinery/requests/query.js';
import type { Server } from '../server.js';
import { actorOf } from './audit.js';
import { requestObjectOf, subjectOf } from './bodies.js';

const MAX_WORDS = 64;
const CREATE = 'create';

/** A request as checks are told of it: an audit event without its bodies. */
export function noteRequest(
  server: Server,
  request: ApiRequest,
  info: RequestInfo,
  code: number,
  now: Millis,
): AskedRequest {
  const user = actorOf(server, request, info, now);
  const { verb, apiGroup: group, resource, subresource, namespace, name, path } = info;
  return {
    user: user?.name ?? '',
    groups: user?.groups ?? [],
    ...{ verb, group, resource, subresource, namespace, path, code },
    name: name || (verb === CREATE ? createdName(server, request, info) : ''),
    command: subresource === 'exec' ? new Query(request.query).all('command').slice(0, MAX_WORDS) : [],
    line: '',
    agent: request.headers['user-agent'] ?? '',
  };
}

/** The URL of a creation does not say what is created. */
const createdName = (server: Server, request: ApiRequest, info: RequestInfo): string =>
  subjectOf(requestObjectOf(server.registry, request, info, true))?.name ?? '';
