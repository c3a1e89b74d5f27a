import { describe, expect, it, test } from '@jest/globals';
import { ControllerBed, names, seconds } from '../../../testkit/beds/controller-bed.js';
import { APIServices, ConfigMaps, Deployments, Namespaces, Pods, ReplicaSets } from '../../kinds/index.js';
import { controller as deployment } from '../deployment/controller.js';
import { controller as garbagecollector } from '../garbagecollector/controller.js';
import { controller as replicaset } from '../replicaset/controller.js';
import { controller } from './controller.js';

const DEFAULT = { namespace: '', name: 'default' };

/** A bed whose namespace 'default' holds a Deployment of three pods. */
function newBed(): ControllerBed {
  const bed = new ControllerBed({ controllers: [deployment, replicaset, controller, garbagecollector] });
  bed.create(Namespaces, 'default', { spec: {}, status: {} });
  const labels = { app: 'web' };
  bed.create(Deployments, 'web', {
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx' }] } },
    },
    status: {},
  });
  return bed.settle();
}
const left = (bed: ControllerBed): number[] =>
  [Deployments, ReplicaSets, Pods].map((kind) => bed.client.list(kind as typeof Pods).length);
const conditions = (bed: ControllerBed): string[] =>
  bed.get(Namespaces, 'default').status.conditions!.map((c) => `${c.type} ${c.status} ${c.reason}: ${c.message}`);

describe('deleting a namespace', () => {
  it('empties it, and then lets it go', () => {
    const bed = newBed();
    bed.client.create(ConfigMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'settings', namespace: 'default' },
    });
    bed.client.delete(Namespaces, { namespace: '', name: 'default' });
    bed.settle(seconds(60));
    expect(left(bed)).toEqual([0, 0, 0]);
    expect(names(bed.client.list(ConfigMaps))).toEqual([]);
    expect(names(bed.client.list(Namespaces))).toEqual([]);
  });

  it('says what keeps it', () => {
    const bed = newBed();
    bed.client.create(ConfigMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'stuck', namespace: 'default', finalizers: ['example.com/hold'] },
    });
    bed.client.delete(Namespaces, { namespace: '', name: 'default' });
    bed.settle(seconds(60));
    expect(conditions(bed)).toEqual([
      'NamespaceDeletionDiscoveryFailure False ResourcesDiscovered: All resources successfully discovered',
      'NamespaceDeletionGroupVersionParsingFailure False ParsedGroupVersions: All legacy kube types successfully parsed',
      'NamespaceDeletionContentFailure False ContentDeleted: All content successfully deleted, may be waiting on finalization',
      'NamespaceContentRemaining True SomeResourcesRemain: Some resources are remaining: configmaps. has 1 resource instances',
      'NamespaceFinalizersRemaining True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances',
    ]);
    const stuck = bed.get(ConfigMaps, 'stuck');
    bed.client.update(ConfigMaps, { ...stuck, metadata: { ...stuck.metadata, finalizers: [] } });
    bed.settle();
    expect(names(bed.client.list(Namespaces))).toEqual([]);
  });
});

test('nothing is deleted before the grace period of five seconds is over', () => {
  const bed = newBed();
  bed.client.delete(Namespaces, DEFAULT);
  bed.settle(seconds(4));
  expect(left(bed)).toEqual([1, 1, 3]);
  bed.settle(seconds(1));
  expect(names(bed.client.list(Namespaces))).toEqual([]);
});

test('a group that discovery does not reach keeps it, until its API server answers or it is gone', () => {
  const bed = newBed();
  const GROUP = 'shop.example.com';
  const condition = { type: 'Available', status: 'False', reason: 'ServiceNotFound', message: 'not present' };
  const priorities = { groupPriorityMinimum: 100, versionPriority: 100 };
  const spec = { group: GROUP, version: 'v1', ...priorities, service: { namespace: 'default', name: 'gone' } };
  const created = bed.create(APIServices, `v1.${GROUP}`, { spec });
  bed.client.updateStatus(APIServices, { ...created, status: { conditions: [condition] } } as never);
  bed.client.delete(Namespaces, DEFAULT);
  bed.settle(seconds(60));
  expect(left(bed)).toEqual([0, 0, 0]);
  expect(conditions(bed)[0]).toBe(
    'NamespaceDeletionDiscoveryFailure True DiscoveryFailed: Discovery failed for some groups, 1 failing: unable to ' +
      `retrieve the complete list of server APIs: ${GROUP}/v1: stale GroupVersion discovery: ${GROUP}/v1`,
  );
  bed.client.delete(APIServices, { namespace: '', name: `v1.${GROUP}` });
  bed.settle();
  expect(names(bed.client.list(Namespaces))).toEqual([]);
});

test('a pod that stays keeps all else', () => {
  const bed = new ControllerBed({ controllers: [controller] });
  bed.create(Namespaces, 'default', { spec: {}, status: {} });
  bed.create(
    Pods,
    'held',
    { spec: { containers: [{ name: 'c', image: 'nginx' }] }, status: {} },
    { finalizers: ['example.com/hold'] },
  );
  bed.create(ConfigMaps, 'settings');
  bed.client.delete(Namespaces, DEFAULT);
  bed.settle(seconds(5));
  expect(names(bed.client.list(ConfigMaps))).toEqual(['settings']);
  expect(conditions(bed).slice(3)).toEqual([
    'NamespaceContentRemaining True SomeResourcesRemain: Some resources are remaining: pods. has 1 resource instances',
    'NamespaceFinalizersRemaining True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances',
  ]);
  expect(bed.get(Namespaces, 'default').status.phase).toBe('Terminating');
});

test('a finalizer of another controller keeps the empty namespace', () => {
  const bed = new ControllerBed({ controllers: [controller] });
  bed.create(Namespaces, 'default', { spec: { finalizers: ['example.com/hold'] }, status: {} });
  bed.client.delete(Namespaces, DEFAULT);
  bed.settle(seconds(60));
  expect(bed.get(Namespaces, 'default').spec.finalizers).toEqual(['example.com/hold']);
  expect(bed.errors).toEqual([]);
});
