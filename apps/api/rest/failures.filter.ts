import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { Refusal } from '@terrarium/platform';
import type { FastifyReply } from 'fastify';
import { GraphQLError } from 'graphql';
import type { Logger } from 'pino';

/** Every error of REST as `{ error, details? }` with its status; what was not foreseen is logged and answered 500. */
@Catch()
export class RefusalFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(error: unknown, context: ArgumentsHost): unknown {
    if (context.getType<string>() === 'graphql') return asGraphQLError(error, this.logger);
    const { status, body } = this.answer(error);
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    if (status === 401) void reply.header('www-authenticate', 'Bearer');
    return reply.status(status).type('application/json; charset=utf-8').send(body);
  }

  private answer(error: unknown): { status: number; body: { error: string; details?: readonly string[] } } {
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

const CODES: Readonly<Record<number, string>> = {
  400: 'BAD_USER_INPUT',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  410: 'EXPIRED',
  422: 'INVALID',
};

/** A refusal with its code; anything unforeseen without its message. */
export function asGraphQLError(error: unknown, logger: Logger): GraphQLError {
  if (error instanceof GraphQLError) return error;
  if (error instanceof Refusal)
    return new GraphQLError(error.message, {
      extensions: { code: CODES[error.status] ?? 'REFUSED', status: error.status, details: error.details },
    });
  logger.error({ err: error }, 'a request failed');
  return new GraphQLError('something went wrong here; it has been logged', {
    extensions: { code: 'INTERNAL_SERVER_ERROR' },
  });
}
