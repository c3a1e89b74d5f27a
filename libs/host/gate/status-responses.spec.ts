import { expect, test } from '@jest/globals';
import type { ApiError } from '@terrarium/engine';
import {
  clusterNotFound,
  internalError,
  serviceUnavailable,
  statusResponse,
  timeoutError,
  tooManyRequests,
} from './status-responses.js';

test.each<[ApiError, number, string, string, string | undefined]>([
  [clusterNotFound('a"b'), 404, 'NotFound', 'cluster "a\\"b" not found', undefined],
  [tooManyRequests(), 429, 'TooManyRequests', 'Too many requests, please try again later.', '1'],
  [
    internalError(),
    500,
    'InternalError',
    'Internal error occurred: this request caused the API server to panic',
    undefined,
  ],
  [serviceUnavailable(), 503, 'ServiceUnavailable', 'the server is currently unable to handle the request', '1'],
  [timeoutError(new Error('lost')), 504, 'Timeout', 'etcdserver: request timed out', undefined],
])('%s is answered as a Status', (error, code, reason, message, retryAfter) => {
  const { status, headers, body } = statusResponse(error);
  expect([status, headers['content-type'], headers['retry-after']]).toEqual([code, 'application/json', retryAfter]);
  expect(JSON.parse(body as string)).toMatchObject({ kind: 'Status', status: 'Failure', code, reason, message });
});

test('a timeout keeps its cause, for the log', () => {
  const cause = new Error('connection reset');
  expect(timeoutError(cause).cause).toBe(cause);
});
