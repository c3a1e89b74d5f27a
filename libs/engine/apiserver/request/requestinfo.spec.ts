import { describe, expect, test } from '@jest/globals';
import { Query } from '../../machinery/requests/query.js';
import { newRequestInfo, type RequestInfo } from './requestinfo.js';

const parse = (method: string, url: string): RequestInfo => {
  const [path = '', query = ''] = url.split('?');
  return newRequestInfo({ method, path }, new Query(query));
};

describe('a resource request', () => {
  // Method, URL, verb, group/version, namespace, resource, subresource, name, parts.
  type Row = [string, string, string, string, string, string, string, string, string];
  test.each<Row>([
    ['GET', '/api/v1/namespaces', 'list', '/v1', '', 'namespaces', '', '', 'namespaces'],
    ['GET', '/api/v1/namespaces/other', 'get', '/v1', 'other', 'namespaces', '', 'other', 'namespaces other'],
    ['GET', '/api/v1/namespaces/other/pods', 'list', '/v1', 'other', 'pods', '', '', 'pods'],
    ['GET', '/api/v1/namespaces/other/pods/foo', 'get', '/v1', 'other', 'pods', '', 'foo', 'pods foo'],
    ['HEAD', '/api/v1/namespaces/other/pods/foo', 'get', '/v1', 'other', 'pods', '', 'foo', 'pods foo'],
    ['GET', '/api/v1/pods', 'list', '/v1', '', 'pods', '', '', 'pods'],
    ['HEAD', '/api/v1/pods', 'list', '/v1', '', 'pods', '', '', 'pods'],
    ['POST', '/apis/apps/v1/namespaces/a/deployments', 'create', 'apps/v1', 'a', 'deployments', '', '', 'deployments'],
    [
      'PUT',
      '/apis/apps/v1/namespaces/a/deployments/w',
      'update',
      'apps/v1',
      'a',
      'deployments',
      '',
      'w',
      'deployments w',
    ],
    ['PATCH', '/apis/example.com/v1/things/x', 'patch', 'example.com/v1', '', 'things', '', 'x', 'things x'],
    ['DELETE', '/api/v1/namespaces/other/pods/foo', 'delete', '/v1', 'other', 'pods', '', 'foo', 'pods foo'],
    ['DELETE', '/api/v1/nodes', 'deletecollection', '/v1', '', 'nodes', '', '', 'nodes'],
    ['OPTIONS', '/api/v1/pods', '', '/v1', '', 'pods', '', '', 'pods'],
    ['get', '/api/v1/pods', '', '/v1', '', 'pods', '', '', 'pods'],
    ['GET', '/apis/nothing.example.com/v9/any', 'list', 'nothing.example.com/v9', '', 'any', '', '', 'any'],
  ])('%s %s', (method, url, verb, groupVersion, namespace, resource, subresource, name, parts) => {
    const [apiGroup, apiVersion] = groupVersion.split('/');
    expect(parse(method, url)).toMatchObject({
      isResourceRequest: true,
      path: url,
      verb,
      apiPrefix: apiGroup ? 'apis' : 'api',
      apiGroup,
      apiVersion,
      namespace,
      resource,
      subresource,
      name,
      parts: parts.split(' '),
    });
  });

  test.each<[string, string, Partial<RequestInfo>]>([
    ['GET', '/api/v1/namespaces/a/pods/foo/status', { resource: 'pods', name: 'foo', subresource: 'status' }],
    ['POST', '/api/v1/namespaces/a/pods/x/eviction', { verb: 'create', name: 'x', subresource: 'eviction' }],
    [
      'GET',
      '/api/v1/namespaces/a/pods/foo/proxy/b/c',
      { subresource: 'proxy', parts: ['pods', 'foo', 'proxy', 'b', 'c'] },
    ],
  ])('%s %s has a subresource', (method, url, expected) => expect(parse(method, url)).toMatchObject(expected));

  test.each<[string, Partial<RequestInfo>]>([
    ['/api/v1/namespaces/a/status', { resource: 'namespaces', name: 'a', subresource: 'status', isNamespaced: false }],
    [
      '/api/v1/namespaces/a/finalize',
      { resource: 'namespaces', name: 'a', subresource: 'finalize', isNamespaced: false },
    ],
    ['/api/v1/namespaces/a/namespaces/a', { resource: 'namespaces', name: 'a', namespace: 'a', isNamespaced: true }],
    ['/api/v1/namespaces/a', { resource: 'namespaces', name: 'a', namespace: 'a', isNamespaced: false }],
    ['/apis/apps/v1/namespaces/a/finalize', { apiGroup: 'apps', resource: 'namespaces', subresource: 'finalize' }],
  ])('%s: a Namespace or within one', (url, expected) => expect(parse('PUT', url)).toMatchObject(expected));
});

describe('a path with a verb', () => {
  test.each<[string, string, Partial<RequestInfo>]>([
    ['GET', '/api/v1/watch/pods', { verb: 'watch', resource: 'pods', namespace: '', name: '' }],
    ['GET', '/api/v1/watch/namespaces/a/pods/x', { verb: 'watch', resource: 'pods', namespace: 'a', name: 'x' }],
    ['DELETE', '/api/v1/watch/namespaces/a/pods/x', { verb: 'watch', resource: 'pods', name: 'x' }],
    ['GET', '/api/v1/watch', { verb: 'list', resource: 'watch' }],
    ['GET', '/api/v1/proxy/namespaces/a/pods/foo', { verb: 'proxy', namespace: 'a', resource: 'pods', name: 'foo' }],
    [
      'GET',
      '/api/v1/proxy/namespaces/a/pods/foo/no/subresource',
      { verb: 'proxy', name: 'foo', subresource: '', parts: ['pods', 'foo', 'no', 'subresource'] },
    ],
    ['GET', '/apis/apps/v1/namespaces/a/watch/x', { verb: 'get', resource: 'watch', name: 'x' }],
  ])('%s %s', (method, url, expected) => expect(parse(method, url)).toMatchObject(expected));
});

describe('a query', () => {
  test.each([
    ['watch=true', 'watch'],
    ['watch', 'watch'],
    ['watch=1', 'watch'],
    ['watch=0', 'list'],
    ['watch=FALSE', 'list'],
    ['watch=false&watch=true', 'list'],
  ])('%s makes the verb %s', (query, verb) => expect(parse('GET', `/api/v1/pods?${query}`).verb).toBe(verb));

  test('watches no single object', () => expect(parse('GET', '/api/v1/nodes/a?watch=1').verb).toBe('get'));

  test.each([
    ['GET', 'metadata.name%3Dx', 'x'],
    ['GET', 'metadata.name==x', 'x'],
    ['DELETE', 'spec.nodeName=n,metadata.name=x', 'x'],
    ['GET', 'metadata.name!=x', ''],
    ['GET', 'spec.metadata.name=x', ''],
    ['GET', 'metadata.name=..', ''],
    ['GET', 'metadata.name=a%2Fb', ''],
    ['POST', 'metadata.name=x', ''],
  ])('%s of a collection with the field selector %s requires the name %j', (method, selector, name) => {
    const info = parse(method, `/api/v1/pods?fieldSelector=${selector}`);
    expect([info.name, info.fieldSelector]).toEqual([name, decodeURIComponent(selector)]);
  });

  test('does not rename an object of the path', () =>
    expect(parse('GET', '/api/v1/nodes/a?fieldSelector=metadata.name=b').name).toBe('a'));
});

describe('a non-resource request', () => {
  test.each<[string, string, string, string[]]>([
    ['GET', '/', 'get', []],
    ['GET', '', 'get', []],
    ['GET', '/api', 'get', ['api']],
    ['GET', '/api/v1', 'get', ['api', 'v1']],
    ['GET', '/api/v1/', 'get', ['api', 'v1']],
    ['GET', '/apis/apps/v1', 'get', ['apis', 'apps', 'v1']],
    ['HEAD', '/apis/apps/v1/', 'head', ['apis', 'apps', 'v1']],
    ['POST', '/metrics', 'post', ['metrics']],
    ['GET', '/not-api/version/resource', 'get', ['not-api', 'version', 'resource']],
    ['GET', '/constructor/v1/pods?fieldSelector=a%3Db&watch=1', 'get', ['constructor', 'v1', 'pods']],
  ])('%s %s', (method, url, verb, parts) =>
    expect(parse(method, url)).toEqual({
      isResourceRequest: false,
      path: url.split('?')[0],
      verb,
      apiPrefix: '',
      apiGroup: '',
      apiVersion: '',
      namespace: '',
      resource: '',
      subresource: '',
      name: '',
      parts,
      isNamespaced: false,
      fieldSelector: '',
    }),
  );
});

describe('a path as it is written', () => {
  test.each<[string, Partial<RequestInfo>]>([
    ['/api/v1/pods/', { verb: 'list', resource: 'pods', path: '/api/v1/pods/' }],
    ['//api//v1//pods', { verb: 'list', resource: 'pods', path: '//api//v1//pods' }],
    ['/api/v1/nodes/a%20b', { name: 'a b', path: '/api/v1/nodes/a%20b' }],
    ['/api/v1/namespaces%2Fa%2Fpods', { resource: 'pods', namespace: 'a' }],
    ['/api/v1/nodes/100%25', { name: '100%' }],
    ['/api/v1/nodes/%ff', { name: '\ufffd' }],
  ])('%s is decoded before it is split', (url, expected) => expect(parse('GET', url)).toMatchObject(expected));

  test.each(['/api/v1/namespaces/%zz/pods', '/healthz/%', '/%2'])('%s has a bad escape', (url) =>
    expect(() => parse('GET', url)).toThrow('invalid URL escape'),
  );
});
