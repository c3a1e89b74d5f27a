import { expect, test } from '@jest/globals';
import { ClusterBed } from '../../../testkit/beds/cluster-bed.js';
import { CustomResourceDefinitions } from '../../kinds/index.js';
import type { Kind } from '../../machinery/kind.js';
import type { KubeObject } from '../../machinery/meta/object.js';

const NAME = 'widgets.example.com';
const KEY = { namespace: '', name: NAME };
const spec = {
  group: 'example.com',
  scope: 'Namespaced',
  names: { plural: 'widgets', kind: 'Widget' },
  versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
};

function start(): { bed: ClusterBed; widgets: Kind } {
  const bed = new ClusterBed();
  bed.create(CustomResourceDefinitions, NAME, { spec });
  bed.at(5);
  return { bed, widgets: bed.client.allKinds().find(({ plural }) => plural === 'widgets')! };
}
const terminating = (bed: ClusterBed): string | undefined => {
  const one = bed.client.get(CustomResourceDefinitions, KEY)?.status.conditions?.find((c) => c.type === 'Terminating');
  return one && `${one.status} ${one.reason}: ${one.message}`;
};

test('objects go with their definition, and do not come back with it', () => {
  const { bed, widgets } = start();
  bed.create(widgets, 'one');
  bed.client.delete(CustomResourceDefinitions, KEY);
  expect(bed.get(CustomResourceDefinitions, NAME).metadata.finalizers).toEqual([
    'customresourcecleanup.apiextensions.k8s.io',
  ]);
  expect(terminating(bed)).toBe(
    'True InstanceDeletionPending: CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  );
  bed.at(10);
  expect(bed.client.get(CustomResourceDefinitions, KEY)).toBeUndefined();
  bed.create(CustomResourceDefinitions, NAME, { spec });
  bed.at(15);
  const again = bed.client.allKinds().find(({ plural }) => plural === 'widgets')!;
  expect(bed.client.list(again)).toEqual([]);
  expect(bed.errors).toEqual([]);
});

test('an object with a finalizer keeps its definition, and no other is created meanwhile', () => {
  const { bed, widgets } = start();
  const held = bed.create<KubeObject>(widgets, 'held', {}, { finalizers: ['example.com/hold'] });
  bed.client.delete(CustomResourceDefinitions, KEY);
  bed.at(10);
  expect(terminating(bed)).toBe('True InstanceDeletionInProgress: CustomResource deletion is in progress');
  expect(() =>
    bed.create(
      bed.client.allKinds().find(({ plural }) => plural === 'widgets')!,
      'two',
    ),
  ).toThrow('create not allowed while custom resource definition is terminating');
  bed.at(80);
  expect(terminating(bed)).toBe(
    'True InstanceDeletionCheck: could not confirm zero CustomResources remaining: timed out waiting for the condition',
  );
  const left = bed.client.get(widgets, { namespace: 'default', name: 'held' })!;
  expect(left.metadata.uid).toBe(held.metadata.uid);
  bed.client.update(widgets, { ...left, metadata: { ...left.metadata, finalizers: [] } });
  bed.at(90);
  expect(bed.client.get(CustomResourceDefinitions, KEY)).toBeUndefined();
  expect(bed.errors).toEqual([]);
});

test('a definition whose names are taken goes at once', () => {
  const { bed } = start();
  const names = { plural: 'gadgets', kind: 'Widget' };
  bed.create(CustomResourceDefinitions, 'gadgets.example.com', { spec: { ...spec, names } });
  bed.at(10);
  bed.client.delete(CustomResourceDefinitions, { namespace: '', name: 'gadgets.example.com' });
  bed.at(12);
  expect(bed.client.get(CustomResourceDefinitions, { namespace: '', name: 'gadgets.example.com' })).toBeUndefined();
  expect(bed.client.get(CustomResourceDefinitions, KEY)).toBeDefined();
});
