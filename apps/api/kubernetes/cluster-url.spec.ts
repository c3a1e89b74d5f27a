import { TLSSocket } from 'node:tls';
import { Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { clusterRoots, clusterUrlOf, hasClusterRoot, isOutsideUrl, type AddressedRequest } from './cluster-url.js';

const roots = clusterRoots({ baseDomain: 'base.example', publicUrl: 'https://api.base.example:8443' });

const request = (url: string | undefined, host?: string, serverName?: string): AddressedRequest => {
  const socket = serverName === undefined ? new Socket() : new TLSSocket(new Socket());
  if (serverName !== undefined) Object.assign(socket, { servername: serverName });
  return { url, headers: { host }, socket } as AddressedRequest;
};

describe('by path', () => {
  test.each<[string | undefined, object | undefined]>([
    ['/clusters/c1', { id: 'c1', path: '/', query: '' }],
    ['/clusters/c1/', { id: 'c1', path: '/', query: '' }],
    ['/clusters/c1?a=b', { id: 'c1', path: '/', query: 'a=b' }],
    ['/clusters/c1/api/v1/pods?watch=1&a=%3F?', { id: 'c1', path: '/api/v1/pods', query: 'watch=1&a=%3F?' }],
    ['/clusters/c1/api/v1/pods/a%2Fb', { id: 'c1', path: '/api/v1/pods/a%2Fb', query: '' }],
    ['/clusters/%631/api', { id: 'c1', path: '/api', query: '' }],
    ['http://example.com:8080/clusters/c1/api', { id: 'c1', path: '/api', query: '' }],
    ['/clusters/c1@4711/api', { id: 'c1', at: '4711', path: '/api', query: '' }],
    ['/clusters/c1%40-10m/api', { id: 'c1', at: '-10m', path: '/api', query: '' }],
    ['/clusters/c1@2026-11-24T10:00:00Z', { id: 'c1', at: '2026-11-24T10:00:00Z', path: '/', query: '' }],
    ['/clusters/', undefined],
    ['/clusters//api', undefined],
    ['/clusters/%zz/api', undefined],
    [`/clusters/${'a'.repeat(501)}/api`, undefined],
    ['/clusters', undefined],
    ['/graphql', undefined],
    ['/v1/clusters/c1', undefined],
    ['*', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%s', (url, expected) => expect(clusterUrlOf(request(url, 'terrarium.example'), roots)).toEqual(expected));
});

describe('by host', () => {
  test.each<[host: string | undefined, id: string | undefined]>([
    ['c1.base.example', 'c1'],
    ['c1.base.example:8443', 'c1'],
    ['C1.Base.EXAMPLE', 'c1'],
    ['c1.base.example.', 'c1'],
    ['c1.base.example.:443', 'c1'],
    ['c1.clusters.local', 'c1'],
    ['api.base.example', undefined],
    ['API.base.example.:8443', undefined],
    ['base.example', undefined],
    ['.base.example', undefined],
    ['c1.base.example.evil.com', undefined],
    ['evilbase.example', undefined],
    ['c1..base.example', undefined],
    ['c1.base.example..', undefined],
    ['-c1.base.example', undefined],
    [`${'a'.repeat(64)}.base.example`, undefined],
    ['c%31.base.example', undefined],
    ['c1.base.example/', undefined],
    ['user@c1.base.example', undefined],
    ['c1.base.example:port', undefined],
    ['c1.base.example,c2.base.example', undefined],
    ['[::1]:8443', undefined],
    ['[c1.base.example]', undefined],
    ['127.0.0.1:8443', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%s', (host, id) => {
    const { headers, socket } = request('/api/v1/pods', host);
    expect(clusterUrlOf({ url: '/api/v1/pods?a=b', headers, socket }, roots)).toEqual(
      id && { id, path: '/api/v1/pods', query: 'a=b' },
    );
    expect(hasClusterRoot({ url: '/healthz', headers, socket }, roots)).toBe(id !== undefined);
  });

  test('without BASE_DOMAIN only the local domain leads to clusters', () => {
    const local = clusterRoots({ publicUrl: 'http://localhost:8080' });
    expect(clusterUrlOf(request('/api', 'c1.base.example'), local)).toBeUndefined();
    expect(clusterUrlOf(request('/api', 'c1.clusters.local'), local)).toMatchObject({ id: 'c1' });
  });
});

describe('by the host of something in the cluster', () => {
  test.each([
    ['shop.test.c1.base.example:8443', undefined, '/outside/shop.test/cart'],
    ['SHOP.c1.clusters.local', undefined, '/outside/shop/cart'],
    ['30080.c1.base.example', undefined, '/outside/30080/cart'],
    ['172-18-255-200.c1.base.example', undefined, '/outside/172.18.255.200/cart'],
    ['shop.test.c1.base.example', 'c1.clusters.local', '/outside/https:shop.test/cart'],
    ['30080.c1.base.example', 'c1.clusters.local', '/outside/30080/cart'],
    ['80.web.shop.svc.c1.clusters.localhost:8080', undefined, '/api/v1/namespaces/shop/services/web:80/proxy/cart'],
    ['8080.web.0.shop.pod.c1.base.example', undefined, '/api/v1/namespaces/shop/pods/web.0:8080/proxy/cart'],
    ['https-443.a.b.svc.c1.base.example', undefined, '/api/v1/namespaces/b/services/https:a:443/proxy/cart'],
    ['http.web.shop.svc.c1.base.example', undefined, '/outside/http.web.shop.svc/cart'],
    ['80.web.svc.c1.base.example', undefined, '/outside/80.web.svc/cart'],
  ])('%s, TLS %s: %s', (host, serverName, path) => {
    expect(clusterUrlOf(request('/cart?a=b', host, serverName), roots)).toEqual({
      ...{ id: 'c1', path, query: 'a=b' },
      ...{ outsideHost: host, outsidePath: '/cart', where: expect.any(String) },
    });
  });

  test.each([
    ['SHOP.test.c1.base.example:8443', 'shop.test'],
    ['172-18-255-200.c1.base.example', '172.18.255.200'],
    ['80.web.shop.svc.c1.clusters.localhost', '80.web.shop.svc'],
  ])('%s names %s', (host, where) =>
    expect(clusterUrlOf(request('/', host), roots)).toMatchObject({ id: 'c1', where }),
  );

  test('a path of another cluster is a path of this host', () => {
    expect(clusterUrlOf(request('/clusters/c2/api', 'shop.c1.base.example'), roots)).toMatchObject({
      ...{ id: 'c1', path: '/outside/shop/clusters/c2/api' },
    });
  });

  test.each([
    ['/outside/30080/', true],
    ['/outside', false],
    ['/api/outside/', false],
  ])('%s asks for something in the cluster: %s', (path, expected) => expect(isOutsideUrl({ path })).toBe(expected));
});

describe('by TLS server name', () => {
  test.each<[host: string, serverName: string, id: string | undefined]>([
    ['localhost:8080', 'c1.clusters.local', 'c1'],
    ['localhost:8080', 'C1.BASE.EXAMPLE', 'c1'],
    ['c1.base.example', 'c1.clusters.local', 'c1'],
    ['c1.base.example', 'api.base.example', 'c1'],
    ['api.base.example', 'api.base.example', undefined],
    ['localhost', 'localhost', undefined],
  ])('%s, %s', (host, serverName, id) =>
    expect(clusterUrlOf(request('/api', host, serverName), roots)).toEqual(id && { id, path: '/api', query: '' }),
  );

  test('it is read from TLS, never from a property of another socket', () => {
    const spoofed = Object.assign(new Socket(), { servername: 'c1.clusters.local' });
    expect(clusterUrlOf({ url: '/api', headers: {}, socket: spoofed }, roots)).toBeUndefined();
  });

  test('a Host header that names another cluster is refused', () => {
    expect(() => clusterUrlOf(request('/api', 'c2.base.example', 'c1.clusters.local'), roots)).toThrow(
      expect.objectContaining({ code: 421 }),
    );
  });
});

describe('the absolute form', () => {
  test.each<[url: string, host: string, expected: object | undefined]>([
    ['http://c1.base.example/api?a', 'c2.base.example', { id: 'c1', path: '/api', query: 'a' }],
    ['HTTPS://C1.base.example:8443', 'x', { id: 'c1', path: '/', query: '' }],
    ['http://terrarium.example/clusters/c3/api', 'c2.base.example', { id: 'c3', path: '/api', query: '' }],
    ['http://user@c1.base.example/api', 'c2.base.example', undefined],
    ['http:///api', 'c2.base.example', undefined],
    ['ftp://c1.base.example/api', 'c1.base.example', undefined],
    ['//c1.base.example/api', 'c2.base.example', { id: 'c2', path: '//c1.base.example/api', query: '' }],
  ])('%s with Host %s', (url, host, expected) => expect(clusterUrlOf(request(url, host), roots)).toEqual(expected));
});

test.each([
  ['/clusters/c2/api/v1/secrets', 'c1.base.example', undefined],
  ['/clusters/c2/api/v1/secrets', 'localhost', 'c1.clusters.local'],
  ['/v1/clusters', 'c1.base.example', undefined],
])('below a root the path %s is its own cluster’s', (path, host, serverName) =>
  expect(clusterUrlOf(request(path, host, serverName), roots)).toEqual({ id: 'c1', path, query: '' }),
);

test.each<[path: string, expected: object]>([
  ['/clusters/c1/api', { path: '/api' }],
  ['/clusters/c1', { path: '/' }],
  ['/clusters/c1@-10m/api', { path: '/api', at: '-10m' }],
  ['/clusters/c1/clusters/c1/api', { path: '/clusters/c1/api' }],
])('below its root the path %s is that of the same cluster', (path, expected) => {
  const url = { id: 'c1', query: '', ...expected };
  expect(clusterUrlOf(request(path, 'c1.base.example'), roots)).toEqual(url);
  expect(clusterUrlOf(request(path, 'localhost', 'c1.clusters.local'), roots)).toEqual(url);
});
