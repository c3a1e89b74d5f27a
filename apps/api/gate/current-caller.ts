import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { GqlExecutionContext } from '@nestjs/graphql';
import { Refusal, type Caller, type Principal } from '@terrarium/platform';
import type { FastifyRequest } from 'fastify';
import type { GraphQLContext } from '../graphql/graphql-context.js';
import type { RequestContext } from './request-context.js';

/** The request that NestJS runs a handler for, as the gate has let it in. */
export function requestContextOf(context: ExecutionContext): RequestContext {
  if (context.getType<string>() === 'graphql')
    return GqlExecutionContext.create(context).getContext<GraphQLContext>().requestContext;
  return context.switchToHttp().getRequest<FastifyRequest>().requestContext;
}

/** The request itself, as the gate has let it in. */
export const CurrentRequest = createParamDecorator((_: unknown, context: ExecutionContext): RequestContext =>
  requestContextOf(context),
);

/** Whose request it is: a tenant's, or the operator's. */
export const CurrentPrincipal = createParamDecorator(
  (_: unknown, context: ExecutionContext): Principal => requestContextOf(context).principal!,
);

/** The user of a tenant. Throws Refusal 403 for the operator, who has no clusters. */
export function callerOf(principal: Principal): Caller {
  if (principal.kind === 'operator') throw new Refusal(403, 'the operator has no clusters: use a key of a tenant');
  return principal;
}

/** The user of a tenant, as `callerOf` finds it. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller =>
  callerOf(requestContextOf(context).principal!),
);
