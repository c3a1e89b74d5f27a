import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import type { Resource } from '../../../kube/resource.js';
import { skeletonOf } from './skeleton.js';

const make = (apiVersion: string, kind: string, namespaced = true): Resource =>
  ({ apiVersion, kind, namespaced }) as Resource;

test.each(['Deployment', 'DaemonSet', 'StatefulSet'])('a %s has containers', (kind) =>
  expect(parse(skeletonOf(make('apps/v1', kind), 'shop'))).toMatchObject({
    kind,
    metadata: { name: 'new', namespace: 'shop' },
    spec: { selector: { matchLabels: { app: 'new' } }, template: { spec: { containers: [{ image: 'nginx' }] } } },
  }),
);

test('a Job and a Pod, too', () => {
  expect(parse(skeletonOf(make('batch/v1', 'Job'), ''))).toMatchObject({
    metadata: { namespace: 'default' },
    spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'web' }] } } },
  });
  expect(parse(skeletonOf(make('v1', 'Pod'), ''))).toMatchObject({ spec: { containers: [{ name: 'web' }] } });
});

test('what is not known has a name', () =>
  expect(parse(skeletonOf(make('shop.example.com/v1', 'Pod', false), 'x'))).toEqual({
    apiVersion: 'shop.example.com/v1',
    kind: 'Pod',
    metadata: { name: 'new' },
  }));
