import { describe, expect, test } from '@jest/globals';
import { kinds } from '../../kinds/index.js';
import { defineKind } from '../../machinery/kind.js';
import { Registry } from '../../runtime/registry.js';
import { Query } from '../../machinery/requests/query.js';
import { newRequestInfo } from './requestinfo.js';
import { findRoute, type Route } from './route.js';

const Things = defineKind({
  group: 'example.com',
  version: 'v1',
  kind: 'Thing',
  plural: 'things',
  singular: 'thing',
  scope: 'Namespaced',
  definition: 'com.example.v1.Thing',
  subresources: { status: true },
});
const registry = new Registry([...kinds, Things]);
const routeOf = (method: string, url: string): Route => {
  const [path = '', query = ''] = url.split('?');
  return findRoute(registry, newRequestInfo({ method, path }, new Query(query)), method);
};

describe('a resource', () => {
  // Method, URL, plural, namespace, name, subresource, verb.
  test.each<[string, string, string, string, string, string, string | undefined]>([
    ['GET', '/api/v1/pods', 'pods', '', '', '', 'list'],
    ['GET', '/api/v1/pods/', 'pods', '', '', '', 'list'],
    ['GET', '/api/v1/pods?watch=1', 'pods', '', '', '', 'watch'],
    ['GET', '/api/v1/pods?fieldSelector=metadata.name=x', 'pods', '', '', '', 'list'],
    ['GET', '/api/v1/namespaces/a/pods/x', 'pods', 'a', 'x', '', 'get'],
    ['POST', '/api/v1/namespaces/a/pods', 'pods', 'a', '', '', 'create'],
    ['PUT', '/api/v1/namespaces/a/pods/x/status', 'pods', 'a', 'x', 'status', 'update'],
    ['DELETE', '/api/v1/namespaces/a/pods', 'pods', 'a', '', '', 'deletecollection'],
    ['GET', '/api/v1/namespaces/a', 'namespaces', '', 'a', '', 'get'],
    ['PUT', '/api/v1/namespaces/a/finalize', 'namespaces', '', 'a', 'finalize', 'update'],
    ['GET', '/api/v1/nodes/n', 'nodes', '', 'n', '', 'get'],
    ['GET', '/apis/example.com/v1/namespaces/a/things/x/status', 'things', 'a', 'x', 'status', 'get'],
    ['GET', '/api/v1/watch/namespaces/a/pods/x', 'pods', 'a', 'x', '', 'watch'],
    // Methods that the path does not take.
    ['HEAD', '/api/v1/pods', 'pods', '', '', '', undefined],
    ['OPTIONS', '/api/v1/pods', 'pods', '', '', '', undefined],
    ['PUT', '/api/v1/namespaces/a/pods', 'pods', 'a', '', '', undefined],
    ['PATCH', '/api/v1/pods', 'pods', '', '', '', undefined],
    ['POST', '/api/v1/watch/namespaces/a/pods', 'pods', 'a', '', '', undefined],
    ['DELETE', '/api/v1/watch/namespaces/a/pods/x', 'pods', 'a', 'x', '', undefined],
    ['HEAD', '/api/v1/watch/pods', 'pods', '', '', '', undefined],
  ])('%s %s', (method, url, plural, namespace, name, subresource, verb) =>
    expect(routeOf(method, url)).toMatchObject({
      type: 'resource',
      kind: expect.objectContaining({ plural }),
      namespace,
      name,
      subresource,
      verb,
      tail: '',
    }),
  );

  test.each([
    ['/api/v1/namespaces/a/pods/x/proxy', ''],
    ['/api/v1/namespaces/a/pods/x/proxy/', '/'],
    ['/api/v1/namespaces/a/pods/x/proxy/b/c', '/b/c'],
    ['/api/v1/namespaces/a/pods/x/proxy//b//c/', '/b/c/'],
    ['/api/v1/namespaces/a/pods/x/proxy/a%20b/./../c', '/c'],
    ['/api/v1/namespaces/a/services/x/proxy/../../d', '/d'],
    ['/api/v1/nodes/n/proxy/metrics/cadvisor', '/metrics/cadvisor'],
    ['/api/v1/namespaces/a/pods/x/proxy/watch/proxy', '/watch/proxy'],
  ])('%s passes on %j', (url, tail) => expect(routeOf('GET', url)).toMatchObject({ subresource: 'proxy', tail }));
});

describe('no resource', () => {
  test.each([
    '/api/v1/nothing',
    '/api/v1/watch',
    '/api/v2/pods',
    '/apis/apps/v9/deployments',
    '/api/v1/namespaces/a/nodes',
    '/api/v1/namespaces/a/namespaces/a',
    '/api/v1/pods/x',
    '/api/v1/namespaces/a/pods/x/nothing',
    '/api/v1/namespaces/a/pods/x/status/more',
    '/api/v1/namespaces/a/pods/x/constructor',
    '/api/v1/namespaces/a/status/x',
    '/api/v1/proxy/namespaces/a/pods/x',
    '/api/v1/watch/namespaces/a/pods/x/log',
    '/api/v1/watch/namespaces/a/pods/x/exec',
    '/api//v1/pods',
    '/apis/example.com//v1/things',
  ])('%s below a served group is a Status', (url) => expect(routeOf('GET', url)).toEqual({ type: 'unknownResource' }));

  test.each(['/apis/example.com/v1/nothing', '/apis/other.example.com/v1/things', '//', '//healthz', '/healthz//etcd'])(
    '%s is a page',
    (url) => expect(routeOf('GET', url)).toEqual({ type: 'notFound' }),
  );

  test('a custom kind without the subresource', () =>
    expect(routeOf('GET', '/apis/example.com/v1/namespaces/a/things/x/scale')).toEqual({
      type: 'unknownSubresource',
      kind: Things,
      name: 'x',
    }));

  test.each(['/', '', '/api', '/api/v1', '/apis/example.com/v1', '/healthz', '/any/thing'])('%j', (url) =>
    expect(routeOf('GET', url)).toEqual({ type: 'nonResource' }),
  );
});
