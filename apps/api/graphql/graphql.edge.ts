import { ApiError } from '@terrarium/engine';
import { Refusal, type Identity } from '@terrarium/platform';
import type { FastifyReply } from 'fastify';
import type { Gate } from '../gate/gate.js';
import type { Identified } from '../gate/request-context.js';
import type { HttpEdge } from '../gate/http-gate.js';
import { toGraphQLError } from './graphql-error.js';

/** Whose operation it is. Anybody may read the schema; fields refuse who is nobody (root-field.interceptor.ts). */
export async function identifyOperation(
  identity: Pick<Identity, 'identify'>,
  authorization: string | undefined,
): Promise<Identified> {
  const principal = await identity.identify(authorization);
  return { principal, tenantId: principal?.tenantId ?? '', clusterId: principal?.clusterId };
}

/** Queries and mutations over HTTP. */
export const graphqlEdge = (gate: Gate, identity: Pick<Identity, 'identify'>, path: string): HttpEdge => ({
  edge: 'graphql',
  inTurns: true,
  isServedBy: ({ url }) => url === path,
  identify: ({ requestContext, headers: { authorization } }) =>
    gate.identify(requestContext, authorization, () => identifyOperation(identity, authorization)),
  refuse: (error, reply) => refuseOperation(error, reply),
});

function refuseOperation(error: unknown, reply: FastifyReply): FastifyReply {
  const answer = toGraphQLError(error, reply.request.requestContext);
  const retryAfter = error instanceof ApiError ? error.details?.retryAfterSeconds : undefined;
  if (retryAfter !== undefined) void reply.header('retry-after', String(retryAfter));
  return reply
    .code(statusOf(error))
    .type('application/json; charset=utf-8')
    .send({ errors: [answer.toJSON()] });
}

function statusOf(error: unknown): number {
  if (error instanceof ApiError) return error.code;
  return error instanceof Refusal ? error.status : 500;
}
