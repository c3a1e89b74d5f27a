import { expect, test } from '@jest/globals';
import { parseClusterUrl } from './cluster-url.js';

test.each<[string | undefined, object | undefined]>([
  ['/clusters/c1', { id: 'c1', path: '/', query: '' }],
  ['/clusters/c1/', { id: 'c1', path: '/', query: '' }],
  ['/clusters/c1?a=b', { id: 'c1', path: '/', query: 'a=b' }],
  ['/clusters/c1/api/v1/pods?watch=1&a=%3F?', { id: 'c1', path: '/api/v1/pods', query: 'watch=1&a=%3F?' }],
  ['/clusters/c1/api/v1/pods/a%2Fb', { id: 'c1', path: '/api/v1/pods/a%2Fb', query: '' }],
  ['/clusters/%631/api', { id: 'c1', path: '/api', query: '' }],
  ['http://example.com:8080/clusters/c1/api', { id: 'c1', path: '/api', query: '' }],
  ['/clusters/', undefined],
  ['/clusters//api', undefined],
  ['/clusters/%zz/api', undefined],
  [`/clusters/${'a'.repeat(501)}/api`, undefined],
  ['/clusters', undefined],
  ['/graphql', undefined],
  ['/v1/clusters/c1', undefined],
  [undefined, undefined],
])('%s', (url, expected) => expect(parseClusterUrl(url)).toEqual(expected));
