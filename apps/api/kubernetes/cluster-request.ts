import type { IncomingMessage } from 'node:http';
import type { ApiRequest, ApiResponse, RequestInfo, StreamResponse, WatchResponse } from '@terrarium/engine';
import { parsePoint, requestHeaders, type FrameStream } from '@terrarium/host';
import type { RequestContext } from '../gate/request-context.js';
import { authenticate, showsBootstrapToken } from './authenticate.js';
import { clientCertificateOf } from './client-certificate.js';
import type { ClusterApi } from './cluster-api.js';
import { isOutsideUrl, type ClusterUrl } from './cluster-url.js';
import { outsideAccess } from './outside-access.js';

/** A request to one cluster's API server. */
export interface ClusterRequest {
  readonly url: ClusterUrl;
  readonly raw: IncomingMessage;
  readonly body?: Uint8Array;
  /** When it is known already. */
  readonly info?: RequestInfo;
}

/** Takes the request through the gate up to its turn. Rejects with ApiError 401, 404, 429 and Refusal 403. */
export function identifyClient(
  api: ClusterApi,
  context: RequestContext,
  { url, raw }: Pick<ClusterRequest, 'url' | 'raw'>,
): Promise<void> {
  if (url.outsideHost !== undefined) return identifyVisitor(api, context, url, raw);
  const isOutside = isOutsideUrl(url);
  const credential = raw.headers.authorization ?? clientCertificateOf(raw, api.clientCertificateHeader)?.fingerprint256;
  return api.gate.identify(context, credential, () => authenticate(api, url.id, raw, { isOutside }));
}

/** Its Authorization header may be for the server that it calls. */
function identifyVisitor(
  api: ClusterApi,
  context: RequestContext,
  url: ClusterUrl,
  raw: IncomingMessage,
): Promise<void> {
  const { credential } = outsideAccess(raw.headers, url.query);
  const own = { ...raw.headers };
  delete own.authorization;
  const bare = { headers: own, socket: raw.socket } as IncomingMessage;
  return api.gate.identify(context, credential, () =>
    authenticate(api, url.id, bare, { authorization: credential, isOutside: true, door: url.where }),
  );
}

/** Runs the request on its cluster, in its tenant's turn. Rejects with ApiError 429 and 504. */
export async function runClusterRequest(
  { gate, host }: Pick<ClusterApi, 'gate' | 'host'>,
  context: RequestContext,
  request: ClusterRequest,
): Promise<ApiResponse> {
  const response = await gate.run(context, request.body?.length ?? 0, () =>
    ask(host, request.url, toApiRequest(request, context)),
  );
  const isVisit = request.url.outsideHost !== undefined || isOutsideUrl(request.url);
  const isGuess = response.type === 'body' && response.status === 401;
  if (isVisit ? isRefusalOfNobody(response) : isGuess && showsBootstrapToken(request.raw.headers.authorization))
    gate.recordRefusal(context);
  return response;
}

/** The present cluster, or the past one that the URL names. Rejects with ApiError 400. */
async function ask(
  host: ClusterApi['host'],
  { id, at }: Pick<ClusterUrl, 'id' | 'at'>,
  request: ApiRequest,
): Promise<ApiResponse> {
  return at === undefined ? host.request(id, request) : host.past.request(id, parsePoint(at), request);
}

/** The API server has refused it, in its own words, and not the server behind it. */
const isRefusalOfNobody = (response: ApiResponse): boolean =>
  response.type === 'body' &&
  response.status === 403 &&
  typeof response.body === 'string' &&
  response.body.includes('\\"system:anonymous\\" cannot ');

/**
 * The frames of a watch, or the text of a followed pod log; counted among the tenant's streams. They end, and `cut` is
 * called, when the client would be refused now. Rejects with 429.
 */
export async function openStream(
  { gate, host }: Pick<ClusterApi, 'gate' | 'host'>,
  context: RequestContext,
  { id, at }: Pick<ClusterUrl, 'id' | 'at'>,
  response: WatchResponse | StreamResponse,
  cut: () => void,
): Promise<FrameStream> {
  let isCut = false;
  const open: { stream?: FrameStream } = {};
  gate.startStream(context, () => {
    isCut = true;
    open.stream?.end();
    cut();
  });
  const watch = at === undefined ? host.watch.bind(host) : (_id: string, one: WatchResponse) => host.past.watch(one);
  const stream = await (response.type === 'watch' ? watch(id, response) : host.stream(id, response));
  open.stream = stream;
  if (isCut) stream.end();
  return stream;
}

function toApiRequest(
  { url, raw, body, info }: ClusterRequest,
  { user, clientCertificate }: Pick<RequestContext, 'user' | 'clientCertificate'>,
): ApiRequest {
  const { path, query, outsideHost } = url;
  const hasBody = body !== undefined && body.length > 0;
  const request = {
    method: raw.method ?? 'GET',
    path,
    query,
    headers: requestHeaders(raw),
    body: hasBody ? body : undefined,
    user,
    clientCertificate,
    info,
    takesEnd: true,
  };
  if (outsideHost === undefined) return request;
  const { passed, cookie, credential } = outsideAccess(raw.headers, query);
  // A token that the cluster itself has signed is for it to know.
  const headers = { ...request.headers, cookie, authorization: user ? undefined : credential };
  return { ...request, headers, visit: { host: outsideHost, authorization: passed } };
}
