import { expect, test } from '@jest/globals';
import { ApiError } from '@terrarium/engine';
import { toApiError } from './edge-errors.js';

test.each<[object, number, string, string]>([
  [new ApiError(409, 'Conflict', 'kept as it is'), 409, 'Conflict', 'kept as it is'],
  [{ statusCode: 413 }, 413, 'RequestEntityTooLarge', 'Request entity too large: limit is 3145728'],
  [{ statusCode: 400 }, 400, 'BadRequest', 'the request could not be read'],
  [{ statusCode: 500 }, 503, 'ServiceUnavailable', 'the server is currently unable to handle the request'],
  [new Error('broken'), 503, 'ServiceUnavailable', 'the server is currently unable to handle the request'],
])('%p', (error, code, reason, message) => {
  expect(toApiError(error)).toMatchObject({ code, reason, message });
});
