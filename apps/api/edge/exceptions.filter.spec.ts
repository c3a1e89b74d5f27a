import { NotFoundException, type ArgumentsHost } from '@nestjs/common';
import { expect, test } from '@jest/globals';
import { ApiError } from '@terrarium/engine';
import { Refusal } from '@terrarium/platform';
import { GraphQLError } from 'graphql';
import { ClientLeft } from '../gate/request-context.js';
import { ExceptionsFilter } from './exceptions.filter.js';

const HIDDEN = 'something went wrong here; it has been logged';

function run(error: unknown, type: 'http' | 'graphql') {
  const answer = { status: 0, headers: {} as Record<string, string>, body: undefined as unknown };
  const reply = {
    header: (name: string, value: string) => ((answer.headers[name] = value), reply),
    status: (status: number) => ((answer.status = status), reply),
    type: () => reply,
    send: (body: unknown) => ((answer.body = body), reply),
  };
  const requestContext: { error?: unknown } = {};
  const context = {
    getType: () => type,
    getClass: () => undefined,
    getHandler: () => undefined,
    getArgs: () => [undefined, {}, { requestContext }],
    switchToHttp: () => ({ getResponse: () => reply, getRequest: () => ({ requestContext }) }),
  } as unknown as ArgumentsHost;
  const result = new ExceptionsFilter().catch(error, context);
  return { answer, kept: requestContext.error, result };
}

test.each<[string, unknown, number, object]>([
  ['a refusal', new Refusal(403, 'no'), 403, { error: 'no', details: undefined }],
  ['a refusal with details', new Refusal(400, 'a; b', ['a', 'b']), 400, { error: 'a; b', details: ['a', 'b'] }],
  ['NestJS’s own', new NotFoundException('Cannot GET /x'), 404, { error: 'Cannot GET /x' }],
  ['the gate’s', new ApiError(429, 'TooManyRequests', 'Too many requests'), 429, { error: 'Too many requests' }],
  ['Fastify’s own', Object.assign(new Error('too large'), { statusCode: 413 }), 413, { error: 'too large' }],
])('%s is told', (_, error, status, body) => {
  const { answer, kept } = run(error, 'http');
  expect([answer.status, answer.body, kept]).toEqual([status, body, undefined]);
});

test('401 names the scheme', () => {
  expect(run(new Refusal(401, 'who are you'), 'http').answer.headers).toEqual({ 'www-authenticate': 'Bearer' });
});

test('429 says when to try again', () => {
  const error = new ApiError(429, 'TooManyRequests', 'Too many requests', { retryAfterSeconds: 3 });
  expect(run(error, 'http').answer.headers).toEqual({ 'retry-after': '3' });
});

test('a request whose client has left is no error', () => {
  const { answer, kept } = run(new ClientLeft('the client has left'), 'http');
  expect([answer.status, kept]).toEqual([500, undefined]);
});

test('an unforeseen error is kept for the log, and its message is not told', () => {
  const error = new Error('password=secret');
  const { answer, kept } = run(error, 'http');
  expect([answer.status, answer.body, kept]).toEqual([500, { error: HIDDEN }, error]);
});

test.each<[string, unknown, string, object]>([
  ['a refusal', new Refusal(404, 'no'), 'no', { code: 'NOT_FOUND', status: 404 }],
  ['a refusal without a code of its own', new Refusal(418, 'no'), 'no', { code: 'REFUSED', status: 418 }],
  ['the gate’s', new ApiError(429, 'TooManyRequests', 'later'), 'later', { code: 'TOO_MANY_REQUESTS', status: 429 }],
  ['GraphQL’s own', new GraphQLError('bad', { extensions: { code: 'X' } }), 'bad', { code: 'X' }],
  ['an unforeseen error', new Error('password=secret'), HIDDEN, { code: 'INTERNAL_SERVER_ERROR' }],
])('%s by GraphQL', (_, error, message, extensions) => {
  const { result, kept } = run(error, 'graphql');
  expect(result).toMatchObject({ message, extensions });
  expect(kept).toBe(message === HIDDEN ? error : undefined);
});
