import { describe, expect, test } from '@jest/globals';
import { TestServer } from '../testing.js';

const server = new TestServer();
const AGGREGATED =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json';

test('/api', () =>
  expect(server.get('/api').body).toEqual({
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '172.18.0.2:6443' }],
  }));

test('/apis lists every group but the core', () => {
  const { kind, apiVersion, groups } = server.get('/apis').body;
  expect([kind, apiVersion]).toEqual(['APIGroupList', 'v1']);
  const names = groups.map((g: any) => g.name);
  expect(names).toEqual(expect.arrayContaining(['apps', 'batch', 'networking.k8s.io', 'rbac.authorization.k8s.io']));
  expect(names).not.toContain('');
  expect(groups.find((g: any) => g.name === 'autoscaling')).toMatchObject({
    preferredVersion: { groupVersion: 'autoscaling/v2', version: 'v2' },
    versions: [{ version: 'v2' }, { version: 'v1' }],
  });
});

test('/apis/apps', () =>
  expect(server.get('/apis/apps').body).toMatchObject({
    kind: 'APIGroup',
    apiVersion: 'v1',
    name: 'apps',
    versions: [{ groupVersion: 'apps/v1', version: 'v1' }],
  }));

test.each([
  ['/api/v1', 'v1', 'pods/log'],
  ['/apis/apps/v1', 'apps/v1', 'deployments/scale'],
])('%s lists resources', (url, groupVersion, name) => {
  const { body } = server.get(url);
  expect(body).toMatchObject({ kind: 'APIResourceList', groupVersion });
  expect(body.resources).toContainEqual(expect.objectContaining({ name }));
});

test('in the format that is asked for', () => {
  expect(server.get('/apis/apps', { accept: 'application/yaml' }).text).toMatch(/^apiVersion: v1\nkind: APIGroup\n/);
  expect(server.get('/apis/apps?pretty=1').text).toMatch(/^\{\n {2}"kind": "APIGroup",\n/);
  expect(server.get('/apis/apps', { accept: 'text/html' }).status).toBe(406);
});

describe('aggregated', () => {
  const answer = server.get('/apis', { accept: AGGREGATED });

  test('in one document', () => {
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
      vary: 'Accept',
    });
    const apps = answer.body.items.find((i: any) => i.metadata.name === 'apps');
    expect(apps.versions[0].resources.find((r: any) => r.resource === 'deployments')).toMatchObject({
      responseKind: { group: '', version: '', kind: 'Deployment' },
      scope: 'Namespaced',
      singularResource: 'deployment',
      shortNames: ['deploy'],
      categories: ['all'],
      subresources: [{ subresource: 'scale', responseKind: { kind: 'Scale' } }, { subresource: 'status' }],
    });
    expect(server.get('/api', { accept: AGGREGATED }).body.items).toHaveLength(1);
  });

  test('and not again when the client has it', () => {
    const again = server.get('/apis', { accept: AGGREGATED, 'if-none-match': String(answer.headers['etag']) });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  test.each([
    ['application/json,application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList', 'APIGroupList'],
    ['application/json;g=apidiscovery.k8s.io;v=v3;as=APIGroupDiscoveryList,application/json', 'APIGroupList'],
    ['application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList', 'APIGroupDiscoveryList'],
  ])('only where the client prefers it: %s', (accept, kind) =>
    expect(server.get('/apis', { accept }).body.kind).toBe(kind),
  );

  test('without internal kinds', () => {
    for (const kind of server.registry.all().filter((k) => k.internal))
      expect(answer.text).not.toContain(`"${kind.plural}"`);
  });
});

test.each([
  ['/apis/none.example.com', '404 page not found\n'],
  ['/apis/none.example.com/v1', '404 page not found\n'],
])('%s is a page', (url, text) => expect(server.get(url)).toMatchObject({ status: 404, text }));

test.each(['/api/v2', '/apis/apps/v9'])('%s is a Status', (url) =>
  expect(server.get(url).body).toMatchObject({
    kind: 'Status',
    code: 404,
    message: 'the server could not find the requested resource',
  }),
);
