import type { ApiRequest, ApiResponse, StreamResponse, User, WatchResponse } from '@terrarium/engine';
import { requestHeaders, type FrameStream } from '@terrarium/host';
import { authenticate } from './authenticate.js';
import type { ClusterApi, ClusterRequest } from './cluster-api.js';

/** Authenticates the client and runs the request on its cluster. Rejects with 429. */
export async function handleClusterRequest(api: ClusterApi, request: ClusterRequest): Promise<ApiResponse> {
  const client = await authenticate(api, request);
  if ('refusal' in client) return client.refusal;
  return withSeat(api, request, () =>
    api.host.request(request.url.id, toApiRequest(request, client.user, client.certificate)),
  );
}

/** The frames of a watch, or the text of a followed pod log. Rejects with 429. */
export const openStream = (
  { host }: Pick<ClusterApi, 'host'>,
  id: string,
  response: WatchResponse | StreamResponse,
): Promise<FrameStream> => (response.type === 'watch' ? host.watch(id, response) : host.stream(id, response));

/** Works in a seat of the cluster's tenant; a stream that follows holds none. Rejects with 429. */
async function withSeat<T>(
  { host, clusters }: ClusterApi,
  { url, body }: ClusterRequest,
  work: () => Promise<T>,
): Promise<T> {
  const tenantId = await clusters.tenantOf(url.id);
  const seat = host.fairQueue.acquire(tenantId, body?.length);
  if (seat) await seat;
  try {
    return await work();
  } finally {
    host.fairQueue.release(tenantId);
  }
}

function toApiRequest(
  { url: { path, query }, raw, body }: ClusterRequest,
  user: User | undefined,
  clientCertificate: Uint8Array | undefined,
): ApiRequest {
  const hasBody = body !== undefined && body.length > 0;
  return {
    method: raw.method ?? 'GET',
    path,
    query,
    headers: requestHeaders(raw),
    body: hasBody ? body : undefined,
    user,
    clientCertificate,
  };
}
