import { describe, expect, test } from '@jest/globals';
import { storageVersionHash } from './discovery.js';
import { compareVersions } from './served-groups.js';
import { handle } from '../handle.js';
import { RequestCounts } from './request-counts.js';
import { hex, sha256 } from '../../machinery/crypto/sha256.js';
import { configMap, TestServer } from '../testing.js';

const server = new TestServer();
const AGGREGATED =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json';

describe('discovery', () => {
  test('/api and /apis', () => {
    expect(server.get('/api').body).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
    const { groups } = server.get('/apis').body;
    expect(groups.map((g: any) => g.name)).toEqual(
      expect.arrayContaining(['apps', 'batch', 'networking.k8s.io', 'rbac.authorization.k8s.io']),
    );
    expect(groups.map((g: any) => g.name)).not.toContain('');
    expect(groups.find((g: any) => g.name === 'autoscaling')).toMatchObject({
      preferredVersion: { groupVersion: 'autoscaling/v2', version: 'v2' },
      versions: [{ version: 'v2' }, { version: 'v1' }],
    });
    expect(server.get('/apis/apps').body).toMatchObject({
      kind: 'APIGroup',
      name: 'apps',
      versions: [{ groupVersion: 'apps/v1', version: 'v1' }],
    });
  });

  test('the resources of a version', () => {
    const { resources, groupVersion } = server.get('/api/v1').body;
    const named = (name: string): any => resources.find((r: any) => r.name === name);
    expect(groupVersion).toBe('v1');
    expect(named('configmaps')).toEqual({
      name: 'configmaps',
      singularName: 'configmap',
      namespaced: true,
      kind: 'ConfigMap',
      shortNames: ['cm'],
      storageVersionHash: 'qFsyl6wFWjQ=',
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
    });
    expect(named('namespaces/status')).toEqual({
      name: 'namespaces/status',
      singularName: '',
      namespaced: false,
      kind: 'Namespace',
      verbs: ['get', 'patch', 'update'],
    });
    expect(named('pods/log')).toMatchObject({ verbs: ['get'], kind: 'Pod' });
    expect(server.get('/apis/apps/v1').body.resources.find((r: any) => r.name === 'deployments/scale')).toMatchObject({
      group: 'autoscaling',
      version: 'v1',
      kind: 'Scale',
    });
  });

  test('in one document, when asked for, and not again when it is known', () => {
    const answer = server.get('/apis', { accept: AGGREGATED });
    expect(answer.headers['content-type']).toBe('application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList');
    const apps = answer.body.items.find((i: any) => i.metadata.name === 'apps');
    expect(apps.versions[0].resources.find((r: any) => r.resource === 'deployments')).toMatchObject({
      responseKind: { group: '', version: '', kind: 'Deployment' },
      scope: 'Namespaced',
      singularResource: 'deployment',
      shortNames: ['deploy'],
      categories: ['all'],
      subresources: [{ subresource: 'scale', responseKind: { kind: 'Scale' } }, { subresource: 'status' }],
    });
    expect(server.get('/apis', { accept: AGGREGATED, 'if-none-match': String(answer.headers['etag']) }).status).toBe(
      304,
    );
    expect(server.get('/api', { accept: AGGREGATED }).body.items).toHaveLength(1);
  });

  test('nothing internal is shown', () => {
    const { body } = server.get('/apis', { accept: AGGREGATED });
    for (const kind of server.registry.all().filter((k) => k.internal))
      expect(JSON.stringify(body)).not.toContain(`"${kind.plural}"`);
  });

  test.each([
    [
      ['v1', 'v2'],
      ['v2', 'v1'],
    ],
    [
      ['v1alpha1', 'v1', 'v1beta1', 'v1beta2'],
      ['v1', 'v1beta2', 'v1beta1', 'v1alpha1'],
    ],
    [
      ['foo', 'v10', 'v2'],
      ['v10', 'v2', 'foo'],
    ],
  ])('%j is ordered %j', (given, expected) => {
    expect([...given].sort(compareVersions)).toEqual(expected);
  });
});

test('hashes are those of real servers', () => {
  expect(hex(sha256('abc'))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(hex(sha256('a'.repeat(119)))).toBe('31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb');
  expect(storageVersionHash(server.registry.resource('', 'v1', 'pods')!)).toBe('xPOwRZ+Yhw8=');
});

describe('health and version', () => {
  test.each([
    ['/healthz', 'ok'],
    ['/livez', 'ok'],
    ['/readyz', 'ok'],
    ['/readyz/ping', 'ok'],
  ])('%s', (url, text) => expect(server.get(url)).toMatchObject({ status: 200, text }));
  test('verbosely', () =>
    expect(server.get('/readyz?verbose').text).toMatch(/^\[\+\]ping ok\n(.*ok\n)+readyz check passed\n$/));
  test('without one of them', () => {
    expect(server.get('/livez?verbose&exclude=etcd&exclude=moon').text).toMatch(
      /\n\[\+\]etcd excluded: ok\n(.*\n)+warn: some health checks cannot be excluded: no matches for "moon"\nlivez check passed\n$/,
    );
  });
  test.each(['/livez/moon', '/livez/shutdown', '/metrics/moon', '/openid/v1/moon'])('%s is not there', (url) =>
    expect(server.get(url)).toMatchObject({ status: 404, text: '404 page not found\n' }),
  );
  test('/ lists every path', () =>
    expect(server.get('/').body.paths).toEqual(
      expect.arrayContaining(['/api/v1', '/apis/apps/v1', '/readyz/shutdown', '/openid/v1/jwks', '/metrics']),
    ));
  test("tokens' keys are published", () => {
    expect(server.get('/.well-known/openid-configuration').body).toMatchObject({
      issuer: 'https://kubernetes.default.svc.cluster.local',
      id_token_signing_alg_values_supported: ['ES256'],
    });
    const answer = server.get('/openid/v1/jwks');
    expect([answer.headers['content-type'], JSON.parse(answer.text).keys[0]]).toEqual([
      'application/jwk-set+json',
      expect.objectContaining({ kty: 'EC', crv: 'P-256', alg: 'ES256' }),
    ]);
  });
  test('/version', () =>
    expect(server.get('/version').body).toMatchObject({
      major: '1',
      minor: '36',
      gitVersion: expect.stringMatching(/^v1\.36\.\d+$/),
      platform: 'linux/amd64',
    }));
  test('nothing of it can be written', () => expect(server.post('/version', {}).status).toBe(405));
});

describe('metrics', () => {
  const line = (text: string): string | undefined =>
    server
      .get('/metrics')
      .text.split('\n')
      .find((l) => l.startsWith(text));

  test('count what is stored', () => {
    server.post('/api/v1/namespaces/default/configmaps', configMap('a'));
    expect(line('apiserver_resource_objects{group="",resource="configmaps"}')).toMatch(/ 1$/);
    expect(line('kubernetes_build_info{')).toContain('major="1",minor="36"');
  });

  test.each([
    [
      'GET',
      '/api/v1/namespaces/default/pods',
      'code="200",component="apiserver",dry_run="",group="",resource="pods",scope="namespace",subresource="",verb="LIST",version="v1"',
    ],
    [
      'GET',
      '/api/v1/pods?watch=1',
      'code="200",component="apiserver",dry_run="",group="",resource="pods",scope="cluster",subresource="",verb="WATCH",version="v1"',
    ],
    [
      'DELETE',
      '/apis/apps/v1/namespaces/default/deployments/x?dryRun=All',
      'code="404",component="apiserver",dry_run="All",group="apps",resource="deployments",scope="resource",subresource="",verb="DELETE",version="v1"',
    ],
    [
      'GET',
      '/healthz',
      'code="200",component="",dry_run="",group="",resource="",scope="",subresource="/healthz",verb="GET",version=""',
    ],
    [
      'GET',
      '/apis/any.example.com/v1/things',
      'code="404",component="",dry_run="",group="",resource="",scope="",subresource="apis",verb="GET",version=""',
    ],
    ['GET', '/api/v1/namespaces/%zz', ''],
  ])('count %s %s', (method, url, series) => {
    const counts = new RequestCounts();
    handle(
      { ...server.server, requests: counts },
      {
        method,
        path: url.split('?')[0]!,
        query: url.split('?')[1] ?? '',
        headers: {},
        user: { name: 'root', groups: ['system:masters'] },
      },
      server.state.now,
    );
    expect([...counts.lines(server.registry)]).toEqual(series ? [`apiserver_request_total{${series}} 1`] : []);
  });
});

describe('OpenAPI', () => {
  test('the index leads to each version', () => {
    const { paths } = server.get('/openapi/v3').body;
    const { serverRelativeURL } = paths['apis/apps/v1'];
    expect(serverRelativeURL).toMatch(/^\/openapi\/v3\/apis\/apps\/v1\?hash=[0-9A-F]{64}$/);
    const answer = server.get(serverRelativeURL);
    expect(answer.body.components.schemas['io.k8s.api.apps.v1.Deployment']['x-kubernetes-group-version-kind']).toEqual([
      { group: 'apps', kind: 'Deployment', version: 'v1' },
    ]);
    expect(server.get(serverRelativeURL, { 'if-none-match': String(answer.headers['etag']) }).status).toBe(304);
  });
  test('version 2', () => expect(server.get('/openapi/v2').body.swagger).toBe('2.0'));
  test('of a version that is not served', () => expect(server.get('/openapi/v3/apis/nope/v1').status).toBe(404));
});
