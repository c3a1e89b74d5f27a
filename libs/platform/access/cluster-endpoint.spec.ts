import { expect, test } from '@jest/globals';
import { clusterEndpoint, type EndpointSettings, type Root } from './cluster-endpoint.js';
import { Refusal } from '../refusal.js';

const own = { publicUrl: 'http://localhost:8080', servesTls: true };
const proxied = { publicUrl: 'https://terrarium.example', servesTls: false };
const baseDomain = 'base.example';

test.each<[Root, EndpointSettings, object]>([
  ['path', own, { server: 'https://localhost:8080/clusters/c1', tlsServerName: 'c1.clusters.local' }],
  [
    'path',
    { publicUrl: 'http://localhost', servesTls: true, baseDomain },
    { server: 'https://localhost:80/clusters/c1', tlsServerName: 'c1.base.example' },
  ],
  ['path', { ...own, publicUrl: 'http://localhost/t' }, { server: 'https://localhost:80/t/clusters/c1' }],
  ['path', proxied, { server: 'https://terrarium.example/clusters/c1' }],
  [
    'path',
    { ...proxied, publicUrl: 'https://example.com/terrarium' },
    { server: 'https://example.com/terrarium/clusters/c1' },
  ],
  ['host', { ...own, baseDomain }, { server: 'https://c1.base.example:8080' }],
  ['host', { ...proxied, baseDomain }, { server: 'https://c1.base.example' }],
  ['sni', own, { server: 'https://localhost:8080', tlsServerName: 'c1.clusters.local' }],
  ['sni', { ...own, baseDomain }, { server: 'https://localhost:8080', tlsServerName: 'c1.base.example' }],
  ['sni', { ...own, publicUrl: 'http://[::1]:80' }, { server: 'https://[::1]:80', tlsServerName: 'c1.clusters.local' }],
])('by %s with %j', (root, settings, endpoint) => expect(clusterEndpoint(root, 'c1', settings)).toEqual(endpoint));

test.each<[Root, EndpointSettings, string]>([
  ['host', own, 'root: clusters have no host names here: BASE_DOMAIN is not set'],
  ['sni', proxied, 'root: a proxy ends TLS here, and the server name with it: use path or host'],
])('by %s with %j is refused', (root, settings, words) =>
  expect(() => clusterEndpoint(root, 'c1', settings)).toThrow(new Refusal(400, words)),
);
