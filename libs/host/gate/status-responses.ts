import { ApiError, type BodyResponse } from '@terrarium/engine';

/** An error as the API server answers it: a Status body. */
export function statusResponse(error: ApiError): BodyResponse {
  const retryAfter = error.details?.retryAfterSeconds;
  return {
    type: 'body',
    status: error.code,
    headers: { 'content-type': 'application/json', ...(retryAfter ? { 'retry-after': String(retryAfter) } : {}) },
    body: `${JSON.stringify(error.toStatus())}\n`,
  };
}

export const clusterNotFound = (id: string): ApiError =>
  new ApiError(404, 'NotFound', `cluster ${JSON.stringify(id)} not found`);

/** The store did not answer, so nothing was done. */
export const serviceUnavailable = (): ApiError =>
  new ApiError(503, 'ServiceUnavailable', 'the server is currently unable to handle the request', {
    retryAfterSeconds: 1,
  });

/** The store's answer to a write was lost: the write may have been done. Upstream's words when etcd is silent. */
export function timeoutError(cause: unknown): ApiError {
  const error = new ApiError(504, 'Timeout', 'etcdserver: request timed out');
  error.cause = cause;
  return error;
}

/** The engine threw an error that is no ApiError. */
export const internalError = (): ApiError =>
  new ApiError(500, 'InternalError', 'Internal error occurred: this request caused the API server to panic');

/** Upstream's words (apiserver/pkg/server/filters/maxinflight.go). `retryAfterMs`: when it is worth trying again. */
export const tooManyRequests = (retryAfterMs = 1_000): ApiError =>
  new ApiError(429, 'TooManyRequests', 'Too many requests, please try again later.', {
    retryAfterSeconds: Math.ceil(retryAfterMs / 1_000),
  });
