import type { ApiResponse, BodyResponse } from '@terrarium/engine';
import { authorizeByProtocol, respondOnSocket, statusResponse, type Handshake } from '@terrarium/host';
import type { Upgrade } from '../edge/upgrades.js';
import type { Edge } from '../gate/observer.js';
import type { RequestContext } from '../gate/request-context.js';
import type { ClusterApi } from './cluster-api.js';
import { identifyClient, runClusterRequest } from './cluster-request.js';
import type { ClusterUrl } from './cluster-url.js';
import { toApiError } from './edge-errors.js';
import { describeClusterRequest } from './kubernetes.edge.js';

const SWITCHING_PROTOCOLS = 101;
const BAD_REQUEST = 400;
/** How long a client may take to close what is closed. */
const CLOSE_MS = 1_000;

/** A request to a cluster that is to be upgraded. */
export interface UpgradeRequest {
  readonly url: ClusterUrl;
  edgeOf(resource: string): Edge;
  /** The answer is sent, and nothing is upgraded. */
  isRefusal(context: RequestContext, response: ApiResponse): response is BodyResponse;
  /** False when it is no handshake, which was answered. `end` closes the connection. Rejects with ApiError. */
  accept(
    context: RequestContext,
    handshake: Handshake,
    response: ApiResponse,
    end: () => void,
  ): boolean | Promise<boolean>;
}

/** Takes an upgrade through the gate, runs its request on the cluster, and accepts or refuses it. */
export async function serveUpgrade(api: ClusterApi, upgrade: Upgrade, request: UpgradeRequest): Promise<void> {
  const { gate } = api;
  const { raw, socket, head } = upgrade;
  const { url } = request;
  const description = describeClusterRequest(raw, url);
  const context = gate.begin({
    edge: request.edgeOf(description.resource),
    headers: raw.headers,
    remoteAddress: raw.socket.remoteAddress,
    ...description,
  });
  let code: number | undefined;
  socket.once('close', () => {
    gate.leave(context);
    gate.finish(context, code);
  });
  const refuse = (response: BodyResponse): void => {
    code = response.status;
    respondOnSocket(socket, { ...response, headers: { ...response.headers, ...idHeaders(context) } });
  };
  try {
    authorizeByProtocol(raw);
    await identifyClient(api, context, { url, raw });
    const response = await runClusterRequest(api, context, { url, raw });
    if (request.isRefusal(context, response)) return refuse(response);
    const closing = new AbortController();
    const end = (): void => {
      closing.abort();
      setTimeout(() => socket.destroy(), CLOSE_MS).unref();
    };
    const handshake = { raw, socket, head, headers: idHeaders(context), closing: closing.signal };
    const isAccepted = await request.accept(context, handshake, response, end);
    code = isAccepted ? SWITCHING_PROTOCOLS : BAD_REQUEST;
    if (isAccepted) upgrade.accept();
  } catch (error) {
    refuse(statusResponse(toApiError(error, context)));
  }
}

const idHeaders = ({ requestId }: RequestContext): Record<string, string> => ({
  'x-request-id': requestId,
  'audit-id': requestId,
});
