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
  try {
    const address = await server.listen({ host: '127.0.0.1', port: 0 });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${address}${url}`, {
      method,
      headers,
      ...(payload !== undefined && { body: payload }),
    });
    expect(answer.status).toBe(status);
  } finally {
    await server.close();
  }
});
