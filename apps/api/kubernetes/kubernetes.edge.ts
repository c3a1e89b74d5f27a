import type { IncomingMessage } from 'node:http';
import { describeRequest, type RequestDescription, type RequestInfo } from '@terrarium/engine';
import { clusterNotFound } from '@terrarium/host';
import type { HttpEdge } from '../gate/http-gate.js';
import type { ClusterApi } from './cluster-api.js';
import { identifyClient } from './cluster-request.js';
import { CLUSTER_ROOT } from './cluster-root-constraint.js';
import { clusterUrlOf, type ClusterUrl } from './cluster-url.js';

declare module 'fastify' {
  interface FastifyRequest {
    clusterUrl?: ClusterUrl;
    requestInfo?: RequestInfo | undefined;
  }
}

/** The routes of the clusters' Kubernetes APIs. Only the run on the cluster takes a turn: a watch holds none. */
export const kubernetesEdge = (api: ClusterApi): HttpEdge => ({
  edge: 'kubernetes',
  inTurns: false,
  isServedBy: ({ url, constraints = {} }) => url.startsWith('/clusters/:id') || CLUSTER_ROOT in constraints,
  describe: (request) => {
    request.clusterUrl = findClusterUrl(api, request.raw);
    const description = describeClusterRequest(request.raw, request.clusterUrl);
    request.requestInfo = description.info;
    return description;
  },
  identify: async ({ raw, requestContext, clusterUrl }) => {
    const url = clusterUrl ?? clusterUrlOf(raw, api.roots);
    if (!url) throw clusterNotFound('');
    await identifyClient(api, requestContext, { url, raw });
  },
});

export function describeClusterRequest(
  { method = 'GET' }: IncomingMessage,
  url: ClusterUrl | undefined,
): RequestDescription {
  return url ? describeRequest({ method, ...url }) : { verb: method.toLowerCase(), resource: '' };
}

/** Undefined also when the request names two clusters, which clusterUrlOf refuses. */
function findClusterUrl({ roots }: Pick<ClusterApi, 'roots'>, raw: IncomingMessage): ClusterUrl | undefined {
  try {
    return clusterUrlOf(raw, roots);
  } catch {
    // identify() refuses it with the same error.
    return undefined;
  }
}
