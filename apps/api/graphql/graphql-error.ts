import { ApiError } from '@terrarium/engine';
import { Refusal } from '@terrarium/platform';
import { GraphQLError } from 'graphql';
import type { RequestContext } from '../gate/request-context.js';

const CODES: Readonly<Record<number, string>> = {
  400: 'BAD_USER_INPUT',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  410: 'EXPIRED',
  422: 'INVALID',
  429: 'TOO_MANY_REQUESTS',
  504: 'TIMEOUT',
};

/**
 * A refusal as an error with its code. Any other error is unforeseen: the request's context keeps it for the log, and
 * its message is not told.
 */
export function toGraphQLError(error: unknown, context: Pick<RequestContext, 'error'>): GraphQLError {
  if (error instanceof GraphQLError) return error;
  if (error instanceof Refusal) return refusal(error.status, error.message, error.details);
  if (error instanceof ApiError) return refusal(error.code, error.message);
  context.error = error;
  return new GraphQLError('something went wrong here; it has been logged', {
    extensions: { code: 'INTERNAL_SERVER_ERROR' },
  });
}

const refusal = (status: number, message: string, details?: readonly string[]): GraphQLError =>
  new GraphQLError(message, { extensions: { code: CODES[status] ?? 'REFUSED', status, details } });
