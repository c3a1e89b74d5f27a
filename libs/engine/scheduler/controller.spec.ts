import { describe, expect, test } from '@jest/globals';
import { ControllerBed, names } from '../../testkit/beds/controller-bed.js';
import type { Pod, PodSpec } from '../api/core_v1.js';
import { Nodes, PersistentVolumeClaims, PersistentVolumes, Pods, StorageClasses } from '../kinds/index.js';
import { schedulerController } from './controller.js';
import { makeNode, requesting } from './testing.js';

function bedWith(...nodes: string[]): ControllerBed {
  const bed = new ControllerBed({ controllers: [schedulerController], readyAfter: () => 'never' });
  for (const name of nodes) bed.client.create(Nodes, makeNode(name));
  return bed;
}
const create = (bed: ControllerBed, name: string, spec: Partial<PodSpec> = {}): Pod =>
  bed.create(Pods, name, { spec: { containers: [{ name: 'c', image: 'nginx' }], ...spec } } as Partial<Pod>);
const nodeOf = (bed: ControllerBed, name: string): string | undefined => bed.get(Pods, name).spec.nodeName;
const scheduledOf = (bed: ControllerBed, name: string): unknown =>
  bed.get(Pods, name).status.conditions?.find((c) => c.type === 'PodScheduled');

describe('a pod', () => {
  test('is bound, and its event tells where', () => {
    const bed = bedWith('n');
    create(bed, 'p');
    bed.settle();
    expect(nodeOf(bed, 'p')).toBe('n');
    expect(bed.events()).toEqual(['Scheduled Successfully assigned default/p to n']);
    expect(bed.errors).toEqual([]);
  });

  test('that fits nowhere is told once, until something changes', () => {
    const bed = bedWith('n');
    create(bed, 'p', { nodeSelector: { disk: 'ssd' } });
    bed.settle();
    const message =
      "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector. no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.";
    expect(scheduledOf(bed, 'p')).toMatchObject({ status: 'False', reason: 'Unschedulable', message });
    expect(bed.events('FailedScheduling')).toEqual([`FailedScheduling ${message}`]);
    expect(bed.restart()).toBe(0);
    bed.client.update(Nodes, { ...bed.get(Nodes, 'n'), metadata: { name: 'n', labels: { disk: 'ssd' } } });
    bed.settle();
    expect(nodeOf(bed, 'p')).toBe('n');
  });

  test('without nodes waits for one', () => {
    const bed = bedWith();
    create(bed, 'p');
    bed.settle();
    expect(scheduledOf(bed, 'p')).toMatchObject({ message: 'no nodes available to schedule pods' });
    bed.client.create(Nodes, makeNode('n'));
    expect(nodeOf(bed.settle(), 'p')).toBe('n');
  });

  test('with a gate is reported, and bound when the gate is gone', () => {
    const bed = bedWith('n');
    const pod = create(bed, 'p', { schedulingGates: [{ name: 'example.com/wait' }] });
    bed.settle();
    expect(scheduledOf(bed, 'p')).toMatchObject({
      status: 'False',
      reason: 'SchedulingGated',
      message: 'Scheduling is blocked due to non-empty scheduling gates',
    });
    const { metadata, spec } = bed.get(Pods, pod.metadata.name!);
    bed.client.update(Pods, { ...pod, metadata, spec: { ...spec, schedulingGates: [] } });
    expect(nodeOf(bed.settle(), 'p')).toBe('n');
  });

  test('of another scheduler is left alone', () => {
    const bed = bedWith('n');
    create(bed, 'p', { schedulerName: 'mine' });
    expect([nodeOf(bed.settle(), 'p'), bed.events()]).toEqual([undefined, []]);
  });

  test('is bound when another leaves room', () => {
    const bed = bedWith('n');
    create(bed, 'first', requesting({ cpu: '3' }));
    bed.settle();
    create(bed, 'second', requesting({ cpu: '3' }));
    expect(nodeOf(bed.settle(), 'second')).toBeUndefined();
    bed.finish(bed.get(Pods, 'first'), 'Succeeded');
    expect(nodeOf(bed.settle(), 'second')).toBe('n');
  });

  test('of a higher priority goes first', () => {
    const bed = bedWith('n');
    create(bed, 'low', { ...requesting({ cpu: '3' }), priority: 0 });
    create(bed, 'urgent', { ...requesting({ cpu: '3' }), priority: 10 });
    bed.settle();
    expect([nodeOf(bed, 'low'), nodeOf(bed, 'urgent')]).toEqual([undefined, 'n']);
  });
});

test('a victim is told why, and the pod takes its place', () => {
  const bed = bedWith('n');
  create(bed, 'low', { ...requesting({ cpu: '3' }), priority: 0 });
  bed.settle();
  const { uid } = create(bed, 'urgent', { ...requesting({ cpu: '3' }), priority: 10 }).metadata;
  const conditions: unknown[] = [];
  const nominations = new Set<string | undefined>();
  bed.state.observe(bed.state.resourceOf(Pods), (old, next) => {
    const { metadata, status } = (next ?? old) as Pod;
    if (metadata.name === 'low')
      conditions.push(...(status.conditions ?? []).filter((c) => c.type === 'DisruptionTarget'));
    else nominations.add(status.nominatedNodeName);
  });
  bed.settle(60_000);
  expect(conditions[0]).toMatchObject({
    status: 'True',
    reason: 'PreemptionByScheduler',
    message: 'default-scheduler: preempting to accommodate a higher priority pod',
  });
  expect(bed.events('Preempted')).toEqual([`Preempted Preempted by pod ${uid} on node n`]);
  expect(names(bed.client.list(Pods))).toEqual(['urgent']);
  // Binding clears the nomination.
  expect([nodeOf(bed, 'urgent'), [...nominations]]).toEqual(['n', [undefined, 'n']]);
  expect(bed.errors).toEqual([]);
});

/** A pod of low priority that leaves, and one that waits for its room. */
function bedWithNominated(): ControllerBed {
  const bed = bedWith('n');
  const spec = { containers: [{ name: 'c', image: 'nginx' }], ...requesting({ cpu: '3' }), priority: 0 } as PodSpec;
  bed.create(Pods, 'leaving', { spec }, { finalizers: ['example.com/x'] });
  bed.settle();
  create(bed, 'nominated', { ...requesting({ cpu: '3' }), priority: 10 });
  return bed.settle();
}

test('room that is made for one pod is not given to another, until that one is gone', () => {
  const bed = bedWithNominated();
  create(bed, 'sly', { ...requesting({ cpu: '1' }), priority: 5 });
  expect(nodeOf(bed.settle(), 'sly')).toBeUndefined();
  bed.client.delete(Pods, { namespace: 'default', name: 'nominated' });
  expect([nodeOf(bed.settle(), 'sly'), bed.errors]).toEqual(['n', []]);
});

test('a more important pod takes the room of a nominated one, which then looks elsewhere', () => {
  const bed = bedWithNominated();
  create(bed, 'first', { ...requesting({ cpu: '3' }), priority: 20 });
  bed.settle();
  const nominated = ['first', 'nominated'].map((name) => bed.get(Pods, name).status.nominatedNodeName);
  expect([nominated, bed.errors]).toEqual([['n', undefined], []]);
});

test('a claim that waits for its pod is told the node, and the pod waits for the claim', () => {
  const bed = bedWith('n');
  bed.create(StorageClasses, 'late', { provisioner: 'example.com/disk', volumeBindingMode: 'WaitForFirstConsumer' });
  bed.create(PersistentVolumeClaims, 'data', {
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'late',
      resources: { requests: { storage: '1Gi' } },
    },
  });
  create(bed, 'p', { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] });
  bed.settle();
  const claim = bed.get(PersistentVolumeClaims, 'data');
  expect([claim.metadata.annotations, nodeOf(bed, 'p')]).toEqual([
    { 'volume.kubernetes.io/selected-node': 'n' },
    undefined,
  ]);
  bed.create(PersistentVolumes, 'v1', {
    spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/v' } },
  });
  const updated = bed.client.update(PersistentVolumeClaims, { ...claim, spec: { ...claim.spec, volumeName: 'v1' } });
  bed.client.updateStatus(PersistentVolumeClaims, { ...updated, status: { phase: 'Bound' } });
  expect(nodeOf(bed.settle(), 'p')).toBe('n');
});
