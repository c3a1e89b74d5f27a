import { ApiError } from '@terrarium/engine';
import { serviceUnavailable } from '@terrarium/host';

/** As kube-apiserver's limit on request bodies. */
export const MAX_BODY_BYTES = 3 * 1024 * 1024;

/** Errors of HTTP (a body that is too large, broken chunks) in the form that Kubernetes clients read. */
export function toApiError(error: { statusCode?: number }): ApiError {
  if (error instanceof ApiError) return error;
  if (error.statusCode === 413)
    return new ApiError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${MAX_BODY_BYTES}`);
  if (error.statusCode !== undefined && error.statusCode < 500)
    return new ApiError(error.statusCode, 'BadRequest', 'the request could not be read');
  return serviceUnavailable();
}
