import { expect, test } from '@jest/globals';
import fastify from 'fastify';
import { forgetTypeOfEmptyBody } from './empty-body.js';

test.each<[string, 'POST' | 'DELETE', string, string | undefined, number]>([
  ['a POST without a body', 'POST', '/v1/x', undefined, 200],
  ['a DELETE without a body', 'DELETE', '/v1/x', undefined, 200],
  ['a body', 'POST', '/v1/x', '{}', 200],
  ['a body that is no JSON', 'POST', '/v1/x', '{', 400],
  ['an empty body elsewhere', 'POST', '/other', undefined, 400],
])('%s', async (_, method, url, payload, status) => {
  const server = fastify();
  server.addHook('onRequest', forgetTypeOfEmptyBody);
  for (const path of ['/v1/x', '/other']) server.route({ method, url: path, handler: async () => ({}) });
  const headers = { 'content-type': 'application/json' };
  const answer = await server.inject({ method, url, headers, ...(payload !== undefined && { payload }) });
  expect(answer.statusCode).toBe(status);
  await server.close();
});
