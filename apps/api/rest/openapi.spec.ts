import { expect, test } from '@jest/globals';
import { openapi } from './openapi.js';

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: object }>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly required?: string[]; readonly properties: object }>>;
  };
  readonly servers: readonly object[];
}
const document = openapi({ publicUrl: 'https://terrarium.example' }) as Document;

test('the server is the public URL', () => {
  expect(document.servers).toEqual([{ url: 'https://terrarium.example' }]);
});

test('every operation lists what it answers', () => {
  const answers = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => `${method} ${path} ${Object.keys(responses).join(' ')}`),
  );
  expect(answers).toEqual([
    'post /v1/clusters 201 400 401 403',
    'get /v1/clusters 200 400 401',
    'get /v1/clusters/{id} 200 401 404',
    'delete /v1/clusters/{id} 204 401 404',
    'get /v1/clusters/{id}/kubeconfig 200 401 404',
  ]);
});

test('every reference leads to a schema', () => {
  const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map((m) => m[1]!);
  expect(references.length).toBeGreaterThan(5);
  for (const name of references) expect(document.components.schemas).toHaveProperty(name);
  expect(JSON.stringify(document)).not.toContain('$defs');
});

test('what has a default need not be sent, and is always answered', () => {
  expect(document.components.schemas['NewCluster']!.required).toEqual(['name']);
  expect(document.components.schemas['Cluster']!.required).toEqual(
    expect.arrayContaining(['id', 'name', 'nodes', 'state']),
  );
});
