import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { Refusal } from '@terrarium/platform';
import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { toGraphQLError } from '../graphql/graphql-error.js';

interface Failure {
  readonly status: number;
  readonly body: { readonly error: string; readonly details?: readonly string[] };
}

/** Answers every error of REST and GraphQL. An unforeseen error is logged, and its message is not told. */
@Catch()
export class ExceptionsFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(error: unknown, context: ArgumentsHost): unknown {
    if (context.getType<string>() === 'graphql') return toGraphQLError(error, this.logger);
    const { status, body } = this.toFailure(error);
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    if (status === 401) void reply.header('www-authenticate', 'Bearer');
    return reply.status(status).type('application/json; charset=utf-8').send(body);
  }

  private toFailure(error: unknown): Failure {
    if (error instanceof Refusal)
      return { status: error.status, body: { error: error.message, details: error.details } };
    if (error instanceof HttpException) return { status: error.getStatus(), body: { error: error.message } };
    const status = (error as { statusCode?: number }).statusCode;
    if (status !== undefined && status >= 400 && status < 500)
      return { status, body: { error: (error as Error).message } };
    this.logger.error({ err: error }, 'a request failed');
    return { status: 500, body: { error: 'something went wrong here; it has been logged' } };
  }
}
