import { ApiError, type BodyResponse } from '@terrarium/engine';

/** An error as the API server writes it: a Status body. */
export function asResponse(error: ApiError): BodyResponse {
  const retryAfter = error.details?.retryAfterSeconds;
  return {
    type: 'body',
    status: error.code,
    headers: { 'content-type': 'application/json', ...(retryAfter ? { 'retry-after': String(retryAfter) } : {}) },
    body: `${JSON.stringify(error.toStatus())}\n`,
  };
}

/** The store did not answer, so nothing was done. */
export const outOfReach = (): ApiError =>
  new ApiError(503, 'ServiceUnavailable', 'the server is currently unable to handle the request', {
    retryAfterSeconds: 1,
  });

/** A write's answer was lost: it may have been done. Upstream's words when etcd is silent. */
export function unknownOutcome(cause: unknown): ApiError {
  const error = new ApiError(504, 'Timeout', 'etcdserver: request timed out');
  error.cause = cause;
  return error;
}

/** The engine threw where it never should. */
export const crashed = (): ApiError =>
  new ApiError(500, 'InternalError', 'Internal error occurred: this request caused the API server to panic');

/** Upstream's words (apiserver/pkg/server/filters/maxinflight.go). */
export const overloaded = (): ApiError =>
  new ApiError(429, 'TooManyRequests', 'Too many requests, please try again later.', { retryAfterSeconds: 1 });
