import { expect, test } from '@jest/globals';
import { ApiError } from '@terrarium/engine';
import { Refusal } from '@terrarium/platform';
import { ClientLeft } from '../gate/request-context.js';
import { toApiError } from './edge-errors.js';

const UNAVAILABLE = [503, 'ServiceUnavailable', 'the server is currently unable to handle the request'] as const;
const broken = new Error('broken');
const serverError = { statusCode: 500 };

test.each<[object, readonly [number, string, string], unknown]>([
  [new ApiError(409, 'Conflict', 'kept as it is'), [409, 'Conflict', 'kept as it is'], undefined],
  [new Refusal(403, 'the tenant is suspended'), [403, 'Forbidden', 'the tenant is suspended'], undefined],
  [new Refusal(418, 'no'), [418, '', 'no'], undefined],
  [{ statusCode: 413 }, [413, 'RequestEntityTooLarge', 'Request entity too large: limit is 3145728'], undefined],
  [{ statusCode: 400 }, [400, 'BadRequest', 'the request could not be read'], undefined],
  [new ClientLeft('the client has left'), UNAVAILABLE, undefined],
  [serverError, UNAVAILABLE, serverError],
  [broken, UNAVAILABLE, broken],
])('%p', (error, [code, reason, message], kept) => {
  const context: { error?: unknown } = {};
  expect(toApiError(error, context as { error: unknown })).toMatchObject({ code, reason, message });
  expect(context.error).toBe(kept);
});
