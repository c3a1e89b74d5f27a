import {
  actionOfRest,
  allows,
  Refusal,
  unauthenticated,
  unknownCluster,
  type Identity,
  type Principal,
} from '@terrarium/platform';
import type { FastifyRequest } from 'fastify';
import { CONSOLE_ROUTES } from '../console/console.routes.js';
import type { Gate } from './gate.js';
import type { HttpEdge } from './http-gate.js';

/** Routes that say nothing about any tenant. */
const OPEN_ROUTES: ReadonlySet<string> = new Set([
  '/healthz',
  '/livez',
  '/readyz',
  '/metrics',
  '/docs',
  '/docs/openapi.json',
  ...CONSOLE_ROUTES,
]);
/** Routes of /v1 that the token of a cluster opens: none that makes another token. */
const TOKEN_ROUTES: ReadonlySet<string> = new Set(['/v1/clusters/:id']);

/** Health, metrics, documents, and the preflights that @fastify/cors answers. */
export const openEdge: HttpEdge = {
  edge: 'open',
  inTurns: false,
  isServedBy: ({ url, method, constraints }) =>
    OPEN_ROUTES.has(url) || (url === '*' && method === 'OPTIONS' && constraints === undefined),
};

/** /v1. */
export const restEdge = (gate: Gate, identity: Pick<Identity, 'identify' | 'identifyNewcomer'>): HttpEdge => ({
  edge: 'rest',
  inTurns: true,
  isServedBy: ({ url }) => url.startsWith('/v1/'),
  identify: (request) =>
    gate.identify(request.requestContext, request.headers.authorization, async () => {
      const { authorization } = request.headers;
      const principal = isSignIn(request)
        ? await identity.identifyNewcomer(authorization)
        : await identity.identify(authorization);
      if (!principal) throw unauthenticated();
      authorizeRest(principal, request);
      return { principal, tenantId: principal.tenantId ?? '', clusterId: clusterOf(request) };
    }),
});

/** The one request that a link is good for. */
const isSignIn = ({ method, routeOptions }: FastifyRequest): boolean =>
  method === 'POST' && routeOptions.url === '/v1/session';

/** Throws Refusal 403: the scope does not suffice; 404: a token of another cluster. */
function authorizeRest(principal: Principal, request: FastifyRequest): void {
  const { method, url } = request;
  const action = actionOfRest(method, url.split('?', 1)[0]!);
  if (!allows(principal.scope, action))
    throw new Refusal(403, `the scope "${principal.scope}" of this ${principal.kind} does not allow to ${action}`);
  if (principal.kind !== 'token') return;
  if (!TOKEN_ROUTES.has(request.routeOptions.url ?? '') || action !== 'read')
    throw new Refusal(403, 'a token reads its own cluster only: use a key');
  const id = clusterOf(request) ?? '';
  if (id !== principal.clusterId) throw unknownCluster(id);
}

const clusterOf = ({ params }: FastifyRequest): string | undefined => (params as { id?: string } | undefined)?.id;
