import { expect, test } from '@jest/globals';
import { kinds } from '../../kinds/index.js';
import type { BodyResponse } from '../../machinery/requests/http.js';
import { defineKind } from '../../machinery/kind.js';
import { Registry } from '../../runtime/registry.js';
import { OPENAPI_V2_PROTO_ACCEPT, OPENAPI_V2_PROTO_TYPE } from '../../schema/index.js';
import { openApiResponse } from './openapi.js';

const registry = new Registry(kinds);
const get = (path: string, headers: Record<string, string> = {}, from = registry): BodyResponse =>
  openApiResponse(from, { method: 'GET', path: `/openapi/${path}`, query: '', headers }, path.split('/'));
const parse = ({ body }: BodyResponse): any => JSON.parse(String(body));

test('the index of version 3 leads to each version of a group', () => {
  const { serverRelativeURL } = parse(get('v3')).paths['apis/apps/v1'];
  expect(serverRelativeURL).toMatch(/^\/openapi\/v3\/apis\/apps\/v1\?hash=[0-9A-F]{64}$/);
  const answer = get('v3/apis/apps/v1');
  expect(parse(answer).components.schemas['io.k8s.api.apps.v1.Deployment']['x-kubernetes-group-version-kind']).toEqual([
    { group: 'apps', kind: 'Deployment', version: 'v1' },
  ]);
  expect(get('v3/apis/apps/v1', { 'if-none-match': String(answer.headers['etag']) }).status).toBe(304);
});

test('the core group stands below /api', () => {
  expect(parse(get('v3')).paths).toHaveProperty(['api/v1']);
  expect(parse(get('v3/api/v1')).components.schemas).toHaveProperty(['io.k8s.api.core.v1.Pod']);
});

test('version 2, and as kubectl asks for it', () => {
  expect(parse(get('v2')).swagger).toBe('2.0');
  const gnostic = get('v2', { accept: OPENAPI_V2_PROTO_ACCEPT });
  expect(gnostic.headers['content-type']).toBe(OPENAPI_V2_PROTO_TYPE);
  expect(gnostic.body).toBeInstanceOf(Uint8Array);
});

test.each(['v3/apis/nope/v1', 'v3/nope', 'v2/more', 'v4'])('%s is not served', (path) =>
  expect(get(path)).toMatchObject({ status: 404, body: '404 page not found\n' }),
);

test('no other format is served', () =>
  expect(() => get('v3', { accept: 'application/yaml' })).toThrow(
    expect.objectContaining({
      code: 406,
      message: 'only the following media types are accepted: application/json',
    }) as never,
  ));

test('a document changes with the kinds', () => {
  const growing = new Registry(kinds);
  expect(parse(get('v3', {}, growing)).paths).not.toHaveProperty(['apis/example.com/v1']);
  growing.add(
    defineKind({
      group: 'example.com',
      version: 'v1',
      kind: 'Thing',
      plural: 'things',
      singular: 'thing',
      scope: 'Cluster',
      definition: 'com.example.v1.Thing',
    }),
  );
  expect(parse(get('v3', {}, growing)).paths).toHaveProperty(['apis/example.com/v1']);
});

test('clusters that serve nothing else share the documents of the built-in kinds', () => {
  const gnostic = (from: Registry) => get('v2', { accept: OPENAPI_V2_PROTO_ACCEPT }, from).body;
  const [plain, custom] = [new Registry(kinds), new Registry(kinds)];
  const widget = { group: 'shop.io', version: 'v1', kind: 'Widget', plural: 'widgets', singular: 'widget' };
  const kind = defineKind({ ...widget, scope: 'Namespaced', definition: 'io.shop.v1.Widget' });
  custom.add(kind);
  expect(gnostic(plain)).toBe(gnostic(registry));
  expect(gnostic(custom)).not.toBe(gnostic(registry));
  expect(get('v3/apis/apps/v1', {}, custom).body).toBe(get('v3/apis/apps/v1').body);
  expect(parse(get('v3', {}, custom)).paths).toHaveProperty(['apis/shop.io/v1']);
  expect(parse(get('v3/apis/shop.io/v1', {}, custom)).paths).toHaveProperty(['/apis/shop.io/v1/widgets']);
  expect(parse(get('v3', {}, plain)).paths).not.toHaveProperty(['apis/shop.io/v1']);
  custom.remove(kind);
  expect(gnostic(custom)).toBe(gnostic(registry));
});

test('a kind of a cluster in a built-in group shows in its own document alone', () => {
  const [plain, custom] = [new Registry(kinds), new Registry(kinds)];
  const route = { group: 'networking.k8s.io', version: 'v1', kind: 'Route', plural: 'routes', singular: 'route' };
  custom.add(defineKind({ ...route, scope: 'Namespaced', definition: 'io.shop.v1.Route' }));
  const path = '/apis/networking.k8s.io/v1/namespaces/{namespace}/routes';
  for (const from of [custom, plain, custom]) {
    const isServed = from === custom;
    expect(path in parse(get('v3/apis/networking.k8s.io/v1', {}, from)).paths).toBe(isServed);
  }
});
