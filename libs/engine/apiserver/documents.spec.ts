import { describe, expect, test } from '@jest/globals';
import { compareVersions, storageVersionHash } from './discovery.js';
import { hex, sha256 } from './sha256.js';
import { TestServer } from './testing.js';

const server = new TestServer();
const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json';

describe('discovery', () => {
  test('/api and /apis', () => {
    expect(server.get('/api').body).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
    const { groups } = server.get('/apis').body;
    expect(groups.map((g: any) => g.name)).toEqual(expect.arrayContaining(['apps', 'batch', 'networking.k8s.io', 'rbac.authorization.k8s.io']));
    expect(groups.map((g: any) => g.name)).not.toContain('');
    expect(groups.find((g: any) => g.name === 'autoscaling')).toMatchObject({ preferredVersion: { groupVersion: 'autoscaling/v2', version: 'v2' }, versions: [{ version: 'v2' }, { version: 'v1' }] });
    expect(server.get('/apis/apps').body).toMatchObject({ kind: 'APIGroup', name: 'apps', versions: [{ groupVersion: 'apps/v1', version: 'v1' }] });
  });

  test('the resources of a version', () => {
    const { resources, groupVersion } = server.get('/api/v1').body;
    const named = (name: string): any => resources.find((r: any) => r.name === name);
    expect(groupVersion).toBe('v1');
    expect(named('configmaps')).toEqual({
      name: 'configmaps', singularName: 'configmap', namespaced: true, kind: 'ConfigMap', shortNames: ['cm'], storageVersionHash: 'qFsyl6wFWjQ=',
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
    });
    expect(named('namespaces/status')).toEqual({ name: 'namespaces/status', singularName: '', namespaced: false, kind: 'Namespace', verbs: ['get', 'patch', 'update'] });
    expect(named('pods/log')).toMatchObject({ verbs: ['get'], kind: 'Pod' });
    expect(server.get('/apis/apps/v1').body.resources.find((r: any) => r.name === 'deployments/scale')).toMatchObject({ group: 'autoscaling', version: 'v1', kind: 'Scale' });
  });

  test('in one document, when asked for, and not again when it is known', () => {
    const answer = server.get('/apis', { accept: AGGREGATED });
    expect(answer.headers['content-type']).toBe('application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList');
    const apps = answer.body.items.find((i: any) => i.metadata.name === 'apps');
    expect(apps.versions[0].resources.find((r: any) => r.resource === 'deployments')).toMatchObject({
      responseKind: { group: 'apps', version: 'v1', kind: 'Deployment' }, scope: 'Namespaced', singularResource: 'deployment', shortNames: ['deploy'], categories: ['all'],
      subresources: [{ subresource: 'scale', responseKind: { kind: 'Scale' } }, { subresource: 'status' }],
    });
    expect(server.get('/apis', { accept: AGGREGATED, 'if-none-match': String(answer.headers['etag']) }).status).toBe(304);
    expect(server.get('/api', { accept: AGGREGATED }).body.items).toHaveLength(1);
  });

  test('nothing internal is shown', () => {
    const { body } = server.get('/apis', { accept: AGGREGATED });
    for (const kind of server.registry.all().filter((k) => k.internal)) expect(JSON.stringify(body)).not.toContain(`"${kind.plural}"`);
  });

  test.each([[['v1', 'v2'], ['v2', 'v1']], [['v1alpha1', 'v1', 'v1beta1', 'v1beta2'], ['v1', 'v1beta2', 'v1beta1', 'v1alpha1']], [['foo', 'v10', 'v2'], ['v10', 'v2', 'foo']]])('%j is ordered %j', (given, expected) => {
    expect([...given].sort(compareVersions)).toEqual(expected);
  });
});

test("hashes are those of real servers", () => {
  expect(hex(sha256('abc'))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(hex(sha256('a'.repeat(119)))).toBe('31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb');
  expect(storageVersionHash(server.registry.resource('', 'v1', 'pods')!)).toBe('xPOwRZ+Yhw8=');
});

describe('health and version', () => {
  test.each([['/healthz', 'ok'], ['/livez', 'ok'], ['/readyz', 'ok'], ['/readyz/ping', 'ok']])('%s', (url, text) => expect(server.get(url)).toMatchObject({ status: 200, text }));
  test('verbosely', () => expect(server.get('/readyz?verbose').text).toMatch(/^\[\+\]ping ok\n(.*ok\n)+readyz check passed\n$/));
  test('/version', () => expect(server.get('/version').body).toMatchObject({ major: '1', minor: '36', gitVersion: expect.stringMatching(/^v1\.36\.\d+$/), platform: 'linux/amd64' }));
  test('nothing of it can be written', () => expect(server.post('/version', {}).status).toBe(405));
});

describe('OpenAPI', () => {
  test('the index leads to each version', () => {
    const { paths } = server.get('/openapi/v3').body;
    const { serverRelativeURL } = paths['apis/apps/v1'];
    expect(serverRelativeURL).toMatch(/^\/openapi\/v3\/apis\/apps\/v1\?hash=[0-9A-F]{64}$/);
    const answer = server.get(serverRelativeURL);
    expect(answer.body.components.schemas['io.k8s.api.apps.v1.Deployment']['x-kubernetes-group-version-kind']).toEqual([{ group: 'apps', kind: 'Deployment', version: 'v1' }]);
    expect(server.get(serverRelativeURL, { 'if-none-match': String(answer.headers['etag']) }).status).toBe(304);
  });
  test('version 2', () => expect(server.get('/openapi/v2').body.swagger).toBe('2.0'));
  test('of a version that is not served', () => expect(server.get('/openapi/v3/apis/nope/v1').status).toBe(404));
});
