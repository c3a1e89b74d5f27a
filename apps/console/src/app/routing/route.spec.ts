import { expect, test } from '@jest/globals';
import { clusterHref, embedHref, keptQuery, parseRoute, topHref, withParam } from './route.js';

test.each<[string, object]>([
  ['/', { place: 'top', view: 'clusters', rest: [] }],
  ['/operator', { place: 'top', view: 'operator', rest: [] }],
  ['/c/c1', { place: 'cluster', clusterId: 'c1', view: 'overview', rest: [] }],
  ['/c/c1/objects/pods/a%2Fb', { place: 'cluster', clusterId: 'c1', view: 'objects', rest: ['pods', 'a/b'] }],
  ['/c/', { place: 'top', view: 'c', rest: [] }],
  ['/c/c1/%E0%A4%A', { place: 'cluster', clusterId: 'c1', view: '%E0%A4%A', rest: [] }],
  ['/embed/picture/x', { place: 'embed', view: 'picture', rest: ['x'] }],
])('%s is a place', (path, route) => expect(parseRoute(path)).toEqual(route));

test('links lead to where they are read from', () => {
  expect(topHref('clusters')).toBe('/');
  expect(topHref('operator')).toBe('/operator');
  expect(clusterHref('c1')).toBe('/c/c1/overview');
  expect(parseRoute(clusterHref('c1', 'objects', 'a/b c'))).toMatchObject({ view: 'objects', rest: ['a/b c'] });
});

test.each([
  ['', 'at', '12', '?at=12'],
  ['?q=a&at=1', 'at', undefined, '?q=a'],
  ['?q=a', 'q', '', ''],
  ['?q=a&at=1', 'q', 'b c', '?q=b+c&at=1'],
])('%s with %s=%s is %s', (search, key, value, expected) => expect(withParam(search, key, value)).toBe(expected));

test.each([
  ['?q=a&ns=shop&at=12&cluster=c1', false, '?at=12&ns=shop'],
  ['?theme=dark&cluster=c1&q=a&at=12', true, '?cluster=c1&theme=dark&at=12'],
  ['', true, ''],
])('of %s, in a frame: %s, links keep %s', (search, isEmbedded, kept) =>
  expect(keptQuery(search, isEmbedded)).toBe(kept),
);

test('links of a frame lead to where they are read from', () =>
  expect(parseRoute(embedHref('objects', 'pods', 'a', 'b'))).toEqual({
    ...{ place: 'embed', view: 'objects' },
    rest: ['pods', 'a', 'b'],
  }));
