import { createParamDecorator, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { GqlExecutionContext } from '@nestjs/graphql';
import { Identity, type Caller } from '@terrarium/platform';
import type { FastifyRequest } from 'fastify';
import type { GraphQLContext } from '../graphql/graphql-context.js';

interface Authenticated {
  caller?: Caller;
}

/** Lets the holder of a key in, by REST and GraphQL. Throws Refusal 401. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(private readonly identity: Identity) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { request, authorization } = requestOf(context);
    request.caller = await this.identity.caller(authorization);
    return true;
  }
}

/** The user that ApiKeyGuard has found. */
export const CurrentCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext): Caller => requestOf(context).request.caller!,
);

function requestOf(context: ExecutionContext): { request: Authenticated; authorization: string | undefined } {
  if (context.getType<string>() === 'graphql') {
    const request = GqlExecutionContext.create(context).getContext<GraphQLContext & Authenticated>();
    return { request, authorization: request.authorization };
  }
  const request = context.switchToHttp().getRequest<FastifyRequest & Authenticated>();
  return { request, authorization: request.headers.authorization };
}
