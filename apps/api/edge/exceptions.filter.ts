import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { GqlArgumentsHost } from '@nestjs/graphql';
import { ApiError } from '@terrarium/engine';
import { Refusal } from '@terrarium/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ClientLeft, type RequestContext } from '../gate/request-context.js';
import type { GraphQLContext } from '../graphql/graphql-context.js';
import { toGraphQLError } from '../graphql/graphql-error.js';

interface Failure {
  readonly status: number;
  readonly body: { readonly error: string; readonly details?: readonly string[] };
  readonly retryAfterSeconds?: number;
}

/**
 * Answers every error of REST and GraphQL. An unforeseen error is kept in the request's context, which the gate logs,
 * and its message is not told.
 */
@Catch()
export class ExceptionsFilter implements ExceptionFilter {
  catch(error: unknown, context: ArgumentsHost): unknown {
    if (context.getType<string>() === 'graphql')
      return toGraphQLError(error, GqlArgumentsHost.create(context).getContext<GraphQLContext>().requestContext);
    const { requestContext } = context.switchToHttp().getRequest<FastifyRequest>();
    const { status, body, retryAfterSeconds } = toFailure(error, requestContext);
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    if (status === 401) void reply.header('www-authenticate', 'Bearer');
    if (retryAfterSeconds !== undefined) void reply.header('retry-after', String(retryAfterSeconds));
    return reply.status(status).type('application/json; charset=utf-8').send(body);
  }
}

function toFailure(error: unknown, context: Pick<RequestContext, 'error'>): Failure {
  if (error instanceof Refusal) return { status: error.status, body: { error: error.message, details: error.details } };
  if (error instanceof ApiError)
    return {
      status: error.code,
      body: { error: error.message },
      retryAfterSeconds: error.details?.retryAfterSeconds,
    };
  if (error instanceof HttpException) return { status: error.getStatus(), body: { error: error.message } };
  const { statusCode } = error as { statusCode?: number };
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return { status: statusCode, body: { error: (error as Error).message } };
  if (!(error instanceof ClientLeft)) context.error = error;
  return { status: 500, body: { error: 'something went wrong here; it has been logged' } };
}
