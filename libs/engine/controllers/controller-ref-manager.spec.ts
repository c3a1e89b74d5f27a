import { beforeEach, describe, expect, test } from '@jest/globals';
import { ControllerBed, names } from '../../testkit/beds/controller-bed.js';
import type { ReplicaSet } from '../api/apps_v1.js';
import type { Pod } from '../api/core_v1.js';
import { Pods, ReplicaSets } from '../kinds/index.js';
import { controllerOf, keyOf, type OwnerReference } from '../machinery/meta/object.js';
import { defineController } from '../runtime/controller.js';
import { claimObjects, newControllerRef, orphanIndex, orphanSource } from './controller-ref-manager.js';

const SPEC = { containers: [{ name: 'c', image: 'nginx' }] };
const SELECTOR = { matchLabels: { app: 'web' } };
/** Brings the index that claimObjects reads, and does nothing. */
const idle = defineController({
  name: 'idle',
  actor: 'system:test',
  for: ReplicaSets,
  indexes: [orphanIndex(Pods)],
  reconcile: () => undefined,
});

let bed: ControllerBed;
let owner: ReplicaSet;
beforeEach(() => {
  bed = new ControllerBed({ controllers: [idle], readyAfter: () => 'never' });
  owner = createOwner('web');
});
const createOwner = (name: string): ReplicaSet =>
  bed.create(
    ReplicaSets,
    name,
    {
      spec: { selector: SELECTOR, template: { metadata: { labels: { app: 'web' } }, spec: SPEC } },
      status: { replicas: 0 },
    },
    { finalizers: ['example.com/hold'] },
  );
const createPod = (name: string, app: string, ...ownerReferences: OwnerReference[]): Pod =>
  bed.create(Pods, name, { spec: SPEC, status: {} }, { labels: { app }, ownerReferences });
const claim = (): string[] =>
  names(claimObjects(bed.client, Pods, ReplicaSets, bed.get(ReplicaSets, 'web'), SELECTOR)).sort();
const ownerOf = (name: string): string | undefined => controllerOf(bed.get(Pods, name))?.name;

test('a reference to a controller', () =>
  expect(newControllerRef(ReplicaSets, owner)).toEqual({
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    name: 'web',
    uid: owner.metadata.uid,
    controller: true,
    blockOwnerDeletion: true,
  }));

describe('an owner', () => {
  test('claims its pods and adopts orphans that its selector matches', () => {
    createPod('own', 'web', newControllerRef(ReplicaSets, owner));
    createPod('orphan', 'web');
    createPod('stranger', 'other');
    createPod('taken', 'web', newControllerRef(ReplicaSets, createOwner('rival')));
    expect(claim()).toEqual(['orphan', 'own']);
    expect(['own', 'orphan', 'stranger', 'taken'].map(ownerOf)).toEqual(['web', 'web', undefined, 'rival']);
  });

  test('releases pods that its selector matches no longer', () => {
    createPod('own', 'other', newControllerRef(ReplicaSets, owner));
    expect(claim()).toEqual([]);
    expect(bed.get(Pods, 'own').metadata.ownerReferences).toBeUndefined();
  });

  test('does not adopt a pod that is being deleted', () => {
    const orphan = createPod('orphan', 'web');
    bed.client.update(Pods, { ...orphan, metadata: { ...orphan.metadata, finalizers: ['example.com/hold'] } });
    bed.client.delete(Pods, keyOf(orphan), { gracePeriodSeconds: 0 });
    expect(claim()).toEqual([]);
  });

  test('that is being deleted neither adopts nor releases', () => {
    createPod('own', 'web', newControllerRef(ReplicaSets, owner));
    createPod('changed', 'other', newControllerRef(ReplicaSets, owner));
    createPod('orphan', 'web');
    bed.client.delete(ReplicaSets, keyOf(owner), { propagationPolicy: 'Background' });
    expect(claim()).toEqual(['own']);
    expect(['changed', 'orphan'].map(ownerOf)).toEqual(['web', undefined]);
  });
});

test('an orphan wakes the owners whose selector matches it', () => {
  createOwner('rival');
  const source = orphanSource(Pods, ReplicaSets);
  const keysOf = (pod: Pod): string[] => [...source.keys!(pod, bed.state, undefined)].map((key) => key.name);
  const orphan = createPod('orphan', 'web');
  expect([source.when!(orphan, undefined), keysOf(orphan)]).toEqual([true, ['rival', 'web']]);
  expect(keysOf(createPod('stranger', 'other'))).toEqual([]);
  expect(source.when!(createPod('own', 'web', newControllerRef(ReplicaSets, owner)), undefined)).toBe(false);
});
