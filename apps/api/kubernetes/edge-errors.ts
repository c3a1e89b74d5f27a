import { ApiError } from '@terrarium/engine';
import { serviceUnavailable } from '@terrarium/host';
import { Refusal } from '@terrarium/platform';
import { ClientLeft, type RequestContext } from '../gate/request-context.js';

/** As kube-apiserver's limit on request bodies. */
export const MAX_BODY_BYTES = 3 * 1024 * 1024;

const REASONS: Readonly<Record<number, string>> = { 403: 'Forbidden', 404: 'NotFound', 429: 'TooManyRequests' };

/**
 * An error of the edge in the form that Kubernetes clients read: of the gate, or of HTTP (a body that is too large,
 * broken chunks). Any other error is unforeseen: the request's context keeps it for the log.
 */
export function toApiError(error: unknown, context: Pick<RequestContext, 'error'>): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof Refusal) return new ApiError(error.status, REASONS[error.status] ?? '', error.message);
  const { statusCode } = error as { statusCode?: number };
  if (statusCode === 413)
    return new ApiError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${MAX_BODY_BYTES}`);
  if (statusCode !== undefined && statusCode < 500)
    return new ApiError(statusCode, 'BadRequest', 'the request could not be read');
  if (!(error instanceof ClientLeft)) context.error = error;
  return serviceUnavailable();
}
