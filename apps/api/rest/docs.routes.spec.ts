import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { fastify as createFastify, type FastifyInstance } from 'fastify';
import { serveDocs } from './docs.routes.js';

const DOCUMENT: OpenAPIObject = {
  openapi: '3.1.0',
  info: { title: 'Terrarium', description: 'Clusters & more.', version: 'v1' },
  paths: {
    '/v1/things/{id}': {
      put: {
        summary: 'Replace <one>',
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
        responses: { 200: { description: 'The thing.' }, 404: { description: 'There is none.' } },
      },
    },
  },
  components: { schemas: { Thing: { type: 'object' } } },
};

let fastify: FastifyInstance;
let url: string;
let created: number;

beforeEach(async () => {
  created = 0;
  fastify = createFastify();
  serveDocs(fastify, () => {
    created++;
    return DOCUMENT;
  });
  url = await fastify.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => fastify.close());

test('the document is made once, when it is first read', async () => {
  expect(created).toBe(0);
  expect(await (await fetch(`${url}/docs/openapi.json`)).json()).toEqual(DOCUMENT);
  await fetch(`${url}/docs`);
  expect(created).toBe(1);
});

test('the page lists each operation, its body and its answers, escaped', async () => {
  const response = await fetch(`${url}/docs`);
  const page = await response.text();
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page).toContain('Clusters &amp; more.');
  expect(page).toContain(
    '<h3><code>PUT /v1/things/{id}</code></h3><p>Replace &lt;one&gt;</p><p>Body: <code>Thing</code></p>',
  );
  expect(page).toContain('<li><code>404</code> There is none.</li>');
  expect(page).toContain('<h3>Thing</h3>');
});
