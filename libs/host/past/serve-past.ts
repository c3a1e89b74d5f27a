import {
  ApiError,
  describeRequest,
  type ApiRequest,
  type ApiResponse,
  type AskingRequest,
  type OutsideResponse,
} from '@terrarium/engine';
import { wantsHistory } from '../log/settle-history.js';
import type { PastCluster } from './past-clusters.js';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Questions that are asked by POST and store nothing: `kubectl auth can-i` and `whoami`, checks, why, and traces. */
const QUESTIONS =
  /^\/apis\/(?:(?:authorization|authentication)\.k8s\.io\/v1\/self\w+reviews|terrarium\.dev\/v1alpha1\/(?:checkreports|whys|traces))$/;
/** What a cluster has inside, as its neighbours outside see it. */
const OUTSIDE = '/outside/';
const CONNECTIONS = new Set(['exec', 'attach', 'portforward', 'proxy', 'shell']);

/**
 * Answers a request from a past state, at that moment's virtual time; nothing of it stays. Throws ApiError 405 for what
 * would change the past, or lead into its containers.
 */
export function servePast(
  past: PastCluster,
  request: ApiRequest | AskingRequest,
  now?: number,
): ApiResponse | OutsideResponse {
  refuseWrites(request);
  const { engine } = past.cluster;
  const mark = engine.mark();
  try {
    const at = Math.max(now ?? mark.now, mark.now);
    past.latest = Math.max(past.latest, at);
    const response = 'outside' in request ? engine.handle(request, at, at) : engine.handle(request, at, at);
    if (wantsHistory(response)) return response;
    if (response.type === 'body' || response.type === 'watch') return response;
    if (response.type === 'stream') return { ...response, type: 'body', body: response.next(at).chunk };
    throw readOnly('does not lead into its containers or to webhooks');
  } finally {
    engine.rollback(mark);
  }
}

function refuseWrites({ method, path, query }: ApiRequest): void {
  const [, subresource = ''] = describeRequest({ method, path, query }).resource.split('/');
  if (CONNECTIONS.has(subresource) || path.startsWith(OUTSIDE)) throw readOnly('does not lead into its containers');
  if (!READING.has(method) && !(method === 'POST' && QUESTIONS.test(path))) throw readOnly('does not change');
}

const readOnly = (what: string): ApiError =>
  new ApiError(
    405,
    'MethodNotAllowed',
    `the past of a cluster ${what}: fork the cluster at this moment to go on from it`,
  );
