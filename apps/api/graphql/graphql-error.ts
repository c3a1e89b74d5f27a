import { Refusal } from '@terrarium/platform';
import { GraphQLError } from 'graphql';
import type { Logger } from 'pino';

const CODES: Readonly<Record<number, string>> = {
  400: 'BAD_USER_INPUT',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  410: 'EXPIRED',
  422: 'INVALID',
};

/** A refusal as an error with its code. An unforeseen error is logged, and its message is not told. */
export function toGraphQLError(error: unknown, logger: Logger): GraphQLError {
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
