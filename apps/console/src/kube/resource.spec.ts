import { expect, test } from '@jest/globals';
import {
  findResource,
  groupResources,
  isServed,
  pathOf,
  resourceName,
  resourceOfKind,
  type Resource,
} from './resource.js';

const make = (apiVersion: string, kind: string, resource: string, more: Partial<Resource> = {}): Resource => ({
  group: apiVersion.includes('/') ? apiVersion.split('/')[0]! : '',
  version: apiVersion.split('/').at(-1)!,
  apiVersion,
  kind,
  resource,
  singular: kind.toLowerCase(),
  namespaced: true,
  verbs: ['list', 'watch'],
  shortNames: [],
  categories: [],
  subresources: [],
  preferred: true,
  ...more,
});
const ALL = [
  make('v1', 'Pod', 'pods', { shortNames: ['po'] }),
  make('v1', 'Event', 'events'),
  make('apps/v1', 'Deployment', 'deployments', { shortNames: ['deploy'] }),
  make('autoscaling/v2', 'HorizontalPodAutoscaler', 'horizontalpodautoscalers', { shortNames: ['hpa'] }),
  make('autoscaling/v1', 'HorizontalPodAutoscaler', 'horizontalpodautoscalers', { preferred: false }),
  make('shop.example.com/v1', 'Pod', 'pods'),
  make('v1', 'Binding', 'bindings', { verbs: ['create'] }),
];

test.each([
  ['pods', 'v1'],
  ['po', 'v1'],
  ['Deployment', 'apps/v1'],
  ['deployments.apps', 'apps/v1'],
  ['pods.shop.example.com', 'shop.example.com/v1'],
  ['hpa', 'autoscaling/v2'],
  ['nothing', undefined],
])('%s is of %s', (name, apiVersion) => expect(findResource(ALL, name)?.apiVersion).toBe(apiVersion));

test.each([
  ['pods.shop.example.com', true],
  ['deployments.apps', true],
  ['pods.example.com', false],
])('the definition %s is served: %s', (name, expected) => expect(isServed(ALL, name)).toBe(expected));

test('paths name what is namespaced by its namespace', () => {
  expect(pathOf(ALL[0]!, 'a', 'web')).toBe('/api/v1/namespaces/a/pods/web');
  expect(pathOf(ALL[2]!)).toBe('/apis/apps/v1/deployments');
  expect(pathOf({ ...ALL[0]!, namespaced: false }, 'a', 'x/y')).toBe('/api/v1/pods/x%2Fy');
  expect([resourceName(ALL[0]!), resourceName(ALL[2]!)]).toEqual(['pods', 'deployments.apps']);
});

test('a kind is found in another version of its group, too', () => {
  expect(resourceOfKind(ALL, 'autoscaling/v1', 'HorizontalPodAutoscaler')?.version).toBe('v1');
  expect(resourceOfKind(ALL, 'autoscaling/v3', 'HorizontalPodAutoscaler')?.version).toBe('v2');
  expect(resourceOfKind(ALL, 'v1', 'Nothing')).toBeUndefined();
});

test('what can be listed is grouped, and searched by every word', () => {
  const shown = (search: string): string[] =>
    groupResources(ALL, search).map(({ area, resources }) => `${area}: ${resources.map((r) => r.kind).join(' ')}`);
  expect(shown('')).toEqual(['workloads: Deployment HorizontalPodAutoscaler Pod', 'cluster: Event', 'custom: Pod']);
  expect(shown('pod example')).toEqual(['custom: Pod']);
  expect(shown('hpa')).toEqual(['workloads: HorizontalPodAutoscaler']);
});
