import { describe, expect, test } from '@jest/globals';
import { ConfigMaps, Deployments, kinds, Namespaces, Pods } from '../../kinds/index.js';
import { defineKind } from '../../machinery/kind.js';
import { aggregatedDiscovery, apiGroup, resourceList, storageVersionHash } from './discovery.js';

const Things = defineKind({
  group: 'example.com',
  version: 'v1',
  kind: 'Thing',
  plural: 'things',
  singular: 'thing',
  shortNames: ['th'],
  scope: 'Namespaced',
  definition: 'com.example.v1.Thing',
  subresources: { status: true },
});
const resourcesOf = (group: string, version: string, of: Parameters<typeof resourceList>[2]): any[] =>
  (resourceList(group, version, of) as { resources: any[] }).resources;

describe('the resources of a version', () => {
  test('of the core group have no apiVersion', () => {
    expect(resourceList('', 'v1', [ConfigMaps])).toEqual({
      kind: 'APIResourceList',
      groupVersion: 'v1',
      resources: [
        {
          name: 'configmaps',
          singularName: 'configmap',
          namespaced: true,
          kind: 'ConfigMap',
          shortNames: ['cm'],
          storageVersionHash: 'qFsyl6wFWjQ=',
          verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
        },
      ],
    });
  });

  test('of a custom kind list the verbs in the order of apiextensions', () =>
    expect(resourceList('example.com', 'v1', [Things])).toMatchObject({
      kind: 'APIResourceList',
      apiVersion: 'v1',
      groupVersion: 'example.com/v1',
      resources: [
        { name: 'things', verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'] },
        { name: 'things/status', singularName: '', namespaced: true, kind: 'Thing', verbs: ['get', 'patch', 'update'] },
      ],
    }));

  test('have their subresources behind them, by name', () => {
    expect(resourcesOf('', 'v1', [Pods]).map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      'pods Pod',
      'pods/attach PodAttachOptions',
      'pods/binding Binding',
      'pods/ephemeralcontainers Pod',
      'pods/eviction Eviction',
      'pods/exec PodExecOptions',
      'pods/log Pod',
      'pods/portforward PodPortForwardOptions',
      'pods/proxy PodProxyOptions',
      'pods/resize Pod',
      'pods/status Pod',
    ]);
    expect(resourcesOf('', 'v1', [Namespaces])[2]).toEqual({
      name: 'namespaces/status',
      singularName: '',
      namespaced: false,
      kind: 'Namespace',
      verbs: ['get', 'patch', 'update'],
    });
  });

  test('name the group of a foreign type', () =>
    expect(resourcesOf('apps', 'v1', [Deployments])[1]).toMatchObject({
      name: 'deployments/scale',
      group: 'autoscaling',
      version: 'v1',
      kind: 'Scale',
    }));

  test('that connect have the verbs of their methods', () => {
    const connects = resourcesOf(
      '',
      'v1',
      kinds.filter((kind) => kind.group === '' && !kind.internal),
    )
      .filter(({ kind }) => kind.endsWith('Options'))
      .map(({ name, kind, verbs }) => `${name} ${kind} ${verbs.join(',')}`);
    expect(connects.sort()).toEqual([
      'nodes/proxy NodeProxyOptions create,delete,get,patch,update',
      'pods/attach PodAttachOptions create,get',
      'pods/exec PodExecOptions create,get',
      'pods/portforward PodPortForwardOptions create,get',
      'pods/proxy PodProxyOptions create,delete,get,patch,update',
      'services/proxy ServiceProxyOptions create,delete,get,patch,update',
    ]);
  });
});

test('apiGroup prefers the first version', () =>
  expect(
    apiGroup({
      group: 'autoscaling',
      versions: [
        { version: 'v2', kinds: [] },
        { version: 'v1', kinds: [] },
      ],
    }),
  ).toEqual({
    name: 'autoscaling',
    versions: [
      { groupVersion: 'autoscaling/v2', version: 'v2' },
      { groupVersion: 'autoscaling/v1', version: 'v1' },
    ],
    preferredVersion: { groupVersion: 'autoscaling/v2', version: 'v2' },
  }));

describe('aggregatedDiscovery', () => {
  const versions = [{ version: 'v1', kinds: [Deployments] }];
  test('of built-in kinds leaves out their own group and version', () =>
    expect(aggregatedDiscovery([{ group: 'apps', versions }], 'v2')).toEqual({
      kind: 'APIGroupDiscoveryList',
      apiVersion: 'apidiscovery.k8s.io/v2',
      metadata: {},
      items: [
        {
          metadata: { name: 'apps' },
          versions: [
            {
              version: 'v1',
              freshness: 'Current',
              resources: [
                {
                  resource: 'deployments',
                  responseKind: { group: '', version: '', kind: 'Deployment' },
                  scope: 'Namespaced',
                  singularResource: 'deployment',
                  verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
                  shortNames: ['deploy'],
                  categories: ['all'],
                  subresources: [
                    {
                      subresource: 'scale',
                      responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
                      verbs: ['get', 'patch', 'update'],
                    },
                    {
                      subresource: 'status',
                      responseKind: { group: '', version: '', kind: 'Deployment' },
                      verbs: ['get', 'patch', 'update'],
                    },
                  ],
                },
              ],
            },
          ],
        },
      ],
    }));

  test('of custom kinds names them, and the core group has no name', () => {
    const { items } = aggregatedDiscovery(
      [
        { group: '', versions: [] },
        { group: 'example.com', versions: [{ version: 'v1', kinds: [Things] }] },
      ],
      'v2beta1',
    ) as { items: any[] };
    expect(items[0]).toEqual({ metadata: {}, versions: [] });
    expect(items[1].versions[0].resources[0].responseKind).toEqual({
      group: 'example.com',
      version: 'v1',
      kind: 'Thing',
    });
  });
});

// As real clusters of 1.36 print them.
test.each([
  ['pods', Pods, 'xPOwRZ+Yhw8='],
  ['configmaps', ConfigMaps, 'qFsyl6wFWjQ='],
  ['deployments', Deployments, '8aSe+NMegvE='],
  ['namespaces', Namespaces, 'Q3oi5N2YM8M='],
])('the storage version hash of %s', (_, kind, hash) => expect(storageVersionHash(kind)).toBe(hash));
