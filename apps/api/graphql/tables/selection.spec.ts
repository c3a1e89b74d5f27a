import { expect, test } from '@jest/globals';
import { groupOf, pathOf, queryOf } from './selection.js';

test.each<[Parameters<typeof pathOf>[0], string]>([
  [{ apiVersion: 'v1', resource: 'pods' }, '/api/v1/pods'],
  [{ apiVersion: 'v1', resource: 'pods', namespace: 'shop' }, '/api/v1/namespaces/shop/pods'],
  [{ apiVersion: 'apps/v1', resource: 'deployments', namespace: 'a' }, '/apis/apps/v1/namespaces/a/deployments'],
])('%j is served at %s', (selection, path) => expect(pathOf(selection)).toBe(path));

test.each([
  { apiVersion: '../v1', resource: 'pods' },
  { apiVersion: 'a/b/v1', resource: 'pods' },
  { apiVersion: 'v1', resource: 'pods/../secrets' },
  { apiVersion: 'v1', resource: 'pods', namespace: 'a/secrets' },
  { apiVersion: 'v1', resource: 'pods?watch=1' },
])('%j is no path', (selection) => expect(() => pathOf(selection)).toThrow('is not one'));

test('the group of an API version', () =>
  expect([groupOf({ apiVersion: 'v1' }), groupOf({ apiVersion: 'apps/v1' })]).toEqual(['', 'apps']));

test('selectors are part of the query, and what is empty is not', () =>
  expect(queryOf({ labelSelector: 'a in (b,c)', fieldSelector: '' }, { limit: 5, continue: undefined })).toBe(
    'labelSelector=a+in+%28b%2Cc%29&limit=5',
  ));
