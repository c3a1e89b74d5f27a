import { describe, expect, test } from '@jest/globals';
import { defineKind, type Kind } from '../../machinery/kind.js';
import { WireReader } from '../serializer/wire-reader.js';
import { definitions, encodeOpenApiV2, openApiV2, openApiV3, openApiV3Index } from '../index.js';

const kind = (fields: Partial<Kind> & Pick<Kind, 'kind' | 'plural' | 'definition'>): Kind =>
  defineKind({ group: '', version: 'v1', singular: fields.kind.toLowerCase(), scope: 'Namespaced', ...fields });

const pods = kind({
  kind: 'Pod',
  plural: 'pods',
  definition: 'io.k8s.api.core.v1.Pod',
  subresources: {
    status: true,
    actions: {
      eviction: {
        verbs: ['create'],
        kind: { group: 'policy', version: 'v1', kind: 'Eviction' },
        body: 'io.k8s.api.policy.v1.Eviction',
        handle: () => undefined,
      },
    },
  },
});
const namespaces = kind({
  kind: 'Namespace',
  plural: 'namespaces',
  definition: 'io.k8s.api.core.v1.Namespace',
  scope: 'Cluster',
  verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
});
const reviews = kind({
  group: 'authentication.k8s.io',
  kind: 'TokenReview',
  plural: 'tokenreviews',
  definition: 'io.k8s.api.authentication.v1.TokenReview',
  scope: 'Cluster',
  verbs: ['create'],
});
const carts = kind({
  group: 'shop.example',
  kind: 'Cart',
  plural: 'carts',
  definition: '',
  schema: { type: 'object', properties: { spec: { type: 'object' } } },
});
const secret = kind({ kind: 'Faults', plural: 'faults', definition: 'x.Faults', internal: true });
const all = [pods, namespaces, reviews, carts, secret];

type Doc = {
  paths: Record<string, Record<string, { parameters: { name: string }[]; [x: string]: unknown }>>;
  components: { schemas: Record<string, { properties: Record<string, Record<string, unknown>>; required?: string[] }> };
};
const v3 = (group: string, version: string) => openApiV3(group, version, all) as unknown as Doc;

/** Every $ref within a document. */
function references(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, inner] of Object.entries(value)) {
    if (key === '$ref' && typeof inner === 'string') found.add(inner);
    else references(inner, found);
  }
  return found;
}

test('the index names a document for every group version', () => {
  expect(
    openApiV3Index([
      { group: '', version: 'v1' },
      { group: 'apps', version: 'v1', hash: 'a b' },
    ]),
  ).toEqual({
    paths: {
      'api/v1': { serverRelativeURL: '/openapi/v3/api/v1?hash=1.36' },
      'apis/apps/v1': { serverRelativeURL: '/openapi/v3/apis/apps/v1?hash=a%20b' },
    },
  });
});

describe('paths', () => {
  const paths = (group: string) =>
    Object.fromEntries(
      Object.entries(v3(group, 'v1').paths).map(([path, item]) => [
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
    const patch = v3('', 'v1').paths['/api/v1/namespaces/{namespace}/pods/{name}']!['patch']!;
    expect(patch['x-kubernetes-group-version-kind']).toEqual({ group: '', kind: 'Pod', version: 'v1' });
    expect(patch.parameters.map((p) => p.name ?? (p as { $ref?: string }).$ref?.split('/').at(-1))).toEqual([
      'dryRun',
      'patch.fieldManager',
      'fieldValidation',
      'force',
    ]);
  });
  test('a custom resource takes no strategic merge patch and speaks no protobuf', () => {
    const { requestBody, responses } = v3('shop.example', 'v1').paths[
      '/apis/shop.example/v1/namespaces/{namespace}/carts/{name}'
    ]!['patch'] as unknown as { requestBody: { content: object }; responses: Record<string, { content: object }> };
    expect(Object.keys(requestBody.content)).toEqual([
      'application/apply-patch+yaml',
      'application/json-patch+json',
      'application/merge-patch+json',
    ]);
    expect(Object.keys(responses['200']!.content)).toEqual(['application/json', 'application/yaml']);
  });
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
    expect(v3(group, 'v1').paths[path]![method]).toMatchObject({ operationId, description });
  });
  test('parameters are described', () => {
    const { parameters } = openApiV2(all) as unknown as {
      parameters: Record<string, { name: string; description: string }>;
    };
    expect(parameters['patch.fieldManager']).toMatchObject({ name: 'fieldManager', in: 'query' });
    expect(Object.values(parameters).filter((p) => !p.description)).toEqual([]);
  });
});

describe('schemas', () => {
  const schemas = v3('', 'v1').components.schemas;
  test.each(['', 'authentication.k8s.io', 'shop.example'])(
    'every reference of group "%s" is in the document',
    (group) => {
      const doc = v3(group, 'v1');
      for (const ref of references(doc)) expect(doc).toHaveProperty(ref.slice(2).split('/'));
    },
  );
  test('lists say how they merge', () => {
    expect(schemas['io.k8s.api.core.v1.PodSpec']!.properties['containers']).toMatchObject({
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      'x-kubernetes-patch-merge-key': 'name',
      'x-kubernetes-patch-strategy': 'merge',
      items: { allOf: [{ $ref: '#/components/schemas/io.k8s.api.core.v1.Container' }] },
    });
  });
  test('fields are described, required and enumerated', () => {
    const container = schemas['io.k8s.api.core.v1.Container']!;
    expect(container.required).toEqual(['name']);
    expect(container.properties['imagePullPolicy']?.['enum']).toEqual(['Always', 'IfNotPresent', 'Never']);
    expect(container.properties['image']?.['description']).toMatch(/image/i);
  });
  test('quantities and ports are unions', () => {
    expect(schemas['io.k8s.apimachinery.pkg.api.resource.Quantity']).toMatchObject({
      oneOf: [{ type: 'string' }, { type: 'number' }],
    });
    expect(schemas['io.k8s.apimachinery.pkg.util.intstr.IntOrString']).toMatchObject({ format: 'int-or-string' });
  });
  test('a custom resource has the schema of its definition, with metadata and a list', () => {
    const custom = v3('shop.example', 'v1').components.schemas;
    expect(custom['example.shop.v1.Cart']).toMatchObject({
      type: 'object',
      properties: { spec: { type: 'object' }, metadata: {} },
      'x-kubernetes-group-version-kind': [{ group: 'shop.example', kind: 'Cart', version: 'v1' }],
    });
    expect(custom['example.shop.v1.CartList']!.required).toEqual(['items']);
    expect(carts.schema).toEqual({ type: 'object', properties: { spec: { type: 'object' } } });
  });
  test('internal kinds are nowhere', () =>
    expect(Object.keys(openApiV2(all)['paths'] as object).filter((p) => p.includes('/faults'))).toEqual([]));
});

test('the Swagger document is closed as well', () => {
  const doc = openApiV2(all) as { swagger: string; definitions: Record<string, unknown> };
  expect(doc.swagger).toBe('2.0');
  for (const ref of references(doc)) expect(doc).toHaveProperty(ref.slice(2).split('/'));
});

describe('the Swagger document as protobuf', () => {
  /** Texts at a path of field numbers, each a message within the one before. */
  function texts(reader: WireReader, [number, ...rest]: number[], found: string[] = []): string[] {
    while (!reader.done) {
      const tag = reader.tag();
      if (tag.number !== number) reader.skip(tag.wire);
      else if (rest.length > 0) texts(reader.message(), rest, found);
      else found.push(reader.string());
    }
    return found;
  }
  const bytes = encodeOpenApiV2(openApiV2(all));
  const at = (...path: number[]) => texts(new WireReader(bytes), path);
  test('names every definition and every path', () => {
    const doc = openApiV2(all) as { definitions: object; paths: object };
    expect(at(9, 1, 1)).toEqual(Object.keys(doc.definitions));
    expect(at(8, 2, 1)).toEqual(Object.keys(doc.paths));
  });
  test('tells merge keys as vendor extensions', () =>
    expect(at(9, 1, 2, 25, 1, 2, 31, 1)).toContain('x-kubernetes-patch-merge-key'));
  test('begins with its version', () => expect(at(1)).toEqual(['2.0']));
});

test('the facts are closed: every type is a definition', () => {
  const names = new Set(definitions().keys());
  const used = [...definitions().values()].flatMap((d) =>
    Object.values(d.fields ?? {}).map((f) => JSON.stringify(f.type)),
  );
  for (const text of used) for (const [name] of text.matchAll(/io\.k8s\.[\w.-]+/g)) expect(names).toContain(name);
});
