import { expect, test } from '@jest/globals';
import { documentOf } from './testing.js';

const paths = (group: string) =>
  Object.fromEntries(
    Object.entries(documentOf(group).paths).map(([path, item]) => [
      path,
      Object.keys(item)
        .filter((k) => k !== 'parameters')
        .join(' '),
    ]),
  );
test('a namespaced kind, its subresources, and a kind of the cluster', () => {
  expect(paths('')).toEqual({
    '/api/v1/namespaces': 'get post',
    '/api/v1/namespaces/{name}': 'get put delete patch',
    '/api/v1/namespaces/{namespace}/pods': 'get post delete',
    '/api/v1/namespaces/{namespace}/pods/{name}': 'get put delete patch',
    '/api/v1/namespaces/{namespace}/pods/{name}/eviction': 'post',
    '/api/v1/namespaces/{namespace}/pods/{name}/status': 'get put patch',
    '/api/v1/pods': 'get',
  });
});
test('a review can only be created', () =>
  expect(paths('authentication.k8s.io')).toEqual({ '/apis/authentication.k8s.io/v1/tokenreviews': 'post' }));
test('a patch tells its kind and takes fieldValidation, which is what kubectl looks for', () => {
  const patch = documentOf('').paths['/api/v1/namespaces/{namespace}/pods/{name}']!['patch']!;
  expect(patch['x-kubernetes-group-version-kind']).toEqual({ group: '', kind: 'Pod', version: 'v1' });
  expect(patch.parameters.map((p) => p.name ?? (p as { $ref?: string }).$ref?.split('/').at(-1))).toEqual([
    'dryRun',
    'patch.fieldManager',
    'fieldValidation',
    'force',
  ]);
});
test('a custom resource takes no strategic merge patch and speaks no protobuf', () => {
  const { requestBody, responses } = documentOf('shop.example').paths[
    '/apis/shop.example/v1/namespaces/{namespace}/carts/{name}'
  ]!['patch'] as unknown as { requestBody: { content: object }; responses: Record<string, { content: object }> };
  expect(Object.keys(requestBody.content)).toEqual([
    'application/apply-patch+yaml',
    'application/json-patch+json',
    'application/merge-patch+json',
  ]);
  expect(Object.keys(responses['200']!.content)).toEqual(['application/json', 'application/yaml']);
});
