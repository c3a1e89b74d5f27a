import { expect, test } from '@jest/globals';
import { documentOf, KINDS } from './testing.js';
import { openApiV2 } from './v2.js';

test.each([
  ['', '/api/v1/pods', 'get', 'listCoreV1PodForAllNamespaces', 'list or watch objects of kind Pod'],
  [
    '',
    '/api/v1/namespaces/{namespace}/pods',
    'delete',
    'deleteCoreV1CollectionNamespacedPod',
    'delete collection of Pod',
  ],
  [
    '',
    '/api/v1/namespaces/{namespace}/pods/{name}/eviction',
    'post',
    'createCoreV1NamespacedPodEviction',
    'create eviction of a Pod',
  ],
  ['', '/api/v1/namespaces/{name}', 'put', 'replaceCoreV1Namespace', 'replace the specified Namespace'],
  [
    'authentication.k8s.io',
    '/apis/authentication.k8s.io/v1/tokenreviews',
    'post',
    'createAuthenticationV1TokenReview',
    'create a TokenReview',
  ],
  [
    'shop.example',
    '/apis/shop.example/v1/namespaces/{namespace}/carts/{name}',
    'get',
    'readShopExampleV1NamespacedCart',
    'read the specified Cart',
  ],
])('%s %s: generated clients know %s as %s', (group, path, method, operationId, description) => {
  expect(documentOf(group).paths[path]![method]).toMatchObject({ operationId, description });
});
test('parameters are described', () => {
  const { parameters } = openApiV2(KINDS) as unknown as {
    parameters: Record<string, { name: string; description: string }>;
  };
  expect(parameters['patch.fieldManager']).toMatchObject({ name: 'fieldManager', in: 'query' });
  expect(Object.values(parameters).filter((p) => !p.description)).toEqual([]);
});
