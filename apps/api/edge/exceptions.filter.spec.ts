import { NotFoundException, type ArgumentsHost } from '@nestjs/common';
import { expect, test } from '@jest/globals';
import { Refusal } from '@terrarium/platform';
import { GraphQLError } from 'graphql';
import type { Logger } from 'pino';
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
  const logged: unknown[] = [];
  const logger = { error: (entry: { err: unknown }) => void logged.push(entry.err) } as unknown as Logger;
  const context = {
    getType: () => type,
    switchToHttp: () => ({ getResponse: () => reply }),
  } as unknown as ArgumentsHost;
  const result = new ExceptionsFilter(logger).catch(error, context);
  return { answer, logged, result };
}

test.each<[string, unknown, number, object]>([
  ['a refusal', new Refusal(403, 'no'), 403, { error: 'no', details: undefined }],
  ['a refusal with details', new Refusal(400, 'a; b', ['a', 'b']), 400, { error: 'a; b', details: ['a', 'b'] }],
  ['NestJS’s own', new NotFoundException('Cannot GET /x'), 404, { error: 'Cannot GET /x' }],
  ['Fastify’s own', Object.assign(new Error('too large'), { statusCode: 413 }), 413, { error: 'too large' }],
])('%s is told', (_, error, status, body) => {
  const { answer, logged } = run(error, 'http');
  expect([answer.status, answer.body, logged]).toEqual([status, body, []]);
});

test('401 names the scheme', () => {
  expect(run(new Refusal(401, 'who are you'), 'http').answer.headers).toEqual({ 'www-authenticate': 'Bearer' });
});

test('an unforeseen error is logged, and its message is not told', () => {
  const error = new Error('password=secret');
  const { answer, logged } = run(error, 'http');
  expect([answer.status, answer.body, logged]).toEqual([500, { error: HIDDEN }, [error]]);
});

test.each<[string, unknown, string, object]>([
  ['a refusal', new Refusal(404, 'no'), 'no', { code: 'NOT_FOUND', status: 404 }],
  ['a refusal without a code of its own', new Refusal(418, 'no'), 'no', { code: 'REFUSED', status: 418 }],
  ['GraphQL’s own', new GraphQLError('bad', { extensions: { code: 'X' } }), 'bad', { code: 'X' }],
  ['an unforeseen error', new Error('password=secret'), HIDDEN, { code: 'INTERNAL_SERVER_ERROR' }],
])('%s by GraphQL', (_, error, message, extensions) => {
  const { result, logged } = run(error, 'graphql');
  expect(result).toMatchObject({ message, extensions });
  expect(logged).toHaveLength(message === HIDDEN ? 1 : 0);
});
