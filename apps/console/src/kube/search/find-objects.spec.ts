import { expect, test } from '@jest/globals';
import { findNames, soughtKinds } from './find-objects.js';
import type { Resource } from '../resource.js';

const names = [
  { kind: 'Pod', resource: 'pods', namespace: 'shop', name: 'web-1' },
  { kind: 'Deployment', resource: 'deployments.apps', namespace: 'shop', name: 'web' },
  { kind: 'Service', resource: 'services', namespace: 'shop', name: 'a-web' },
  { kind: 'Service', resource: 'services', namespace: 'other', name: 'db' },
];

test.each([
  ['web', ['web', 'web-1', 'a-web']],
  ['service web', ['a-web']],
  ['shop/web-1', ['web-1']],
  ['DB other', ['db']],
  [' ', []],
])('%s finds', (text, expected) => expect(findNames(names, text, 9).map(({ name }) => name)).toEqual(expected));

test('no more than are asked for', () => expect(findNames(names, 'e', 2)).toHaveLength(2));

test('kinds of every cluster and its own, but none that only tells of others', () => {
  const make = (group: string, resource: string, verbs = ['list']) =>
    ({ group, resource, verbs, preferred: true }) as unknown as Resource;
  const kinds = [
    make('', 'pods'),
    make('', 'events'),
    make('shop.dev', 'carts'),
    make('shop.dev', 'reviews', ['create']),
  ];
  expect(soughtKinds(kinds).map(({ resource }) => resource)).toEqual(['pods', 'carts']);
});
