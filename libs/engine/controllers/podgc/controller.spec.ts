import { expect, it } from '@jest/globals';
import { ControllerBed, names, seconds } from '../../../testkit/beds/controller-bed.js';
import type { Pod } from '../../api/core_v1.js';
import { Nodes, Pods } from '../../kinds/index.js';
import { timestamp } from '../../machinery/time/time.js';
import { controller as nodelifecycle } from '../nodelifecycle/controller.js';
import { controller } from './controller.js';
import { TERMINATED_POD_GC_THRESHOLD } from './terminated-pods.js';

function bedWithPodOn(nodeName: string): ControllerBed {
  const bed = new ControllerBed({ controllers: [nodelifecycle, controller] });
  bed.client.create(Nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' }, spec: {}, status: {} });
  bed.client.create(Pods, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'default' },
    spec: { nodeName, containers: [{ name: 'c', image: 'x' }] },
    status: {},
  } as never);
  return bed.settle(seconds(100));
}
const pods = (bed: ControllerBed): string[] => names(bed.client.list(Pods));

it('leaves pods whose node exists', () => {
  expect(pods(bedWithPodOn('a'))).toEqual(['p']);
});

it('removes the pods of a deleted node after the quarantine', () => {
  const bed = bedWithPodOn('a');
  bed.client.delete(Nodes, { namespace: '', name: 'a' });
  bed.settle(seconds(39));
  expect(pods(bed)).toEqual(['p']);
  bed.settle(seconds(2));
  expect(pods(bed)).toEqual([]);
  expect(bed.events('RemovingNode')).toEqual(['RemovingNode Node a event: Removing Node a from Controller']);
  expect(bed.errors).toEqual([]);
});

it('keeps them when the node comes back in time', () => {
  const bed = bedWithPodOn('a');
  bed.client.delete(Nodes, { namespace: '', name: 'a' });
  bed.settle(seconds(20));
  bed.client.create(Nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' }, spec: {}, status: {} });
  bed.settle(seconds(100));
  expect(pods(bed)).toEqual(['p']);
});

it('removes pods of a node that never was', () => {
  expect(pods(bedWithPodOn('b'))).toEqual([]);
});

it('looks for pods of nodes that do not exist every 20 s, and leaves those that a finalizer keeps', () => {
  const bed = new ControllerBed({ controllers: [controller], readyAfter: () => 'never' });
  const spec = { nodeName: 'b', containers: [{ name: 'c', image: 'x' }] };
  bed.settle(seconds(5));
  bed.create(Pods, 'p', { spec }, { finalizers: ['example.com/keep'] });
  bed.settle(seconds(54));
  expect(bed.get(Pods, 'p').metadata.deletionTimestamp).toBeUndefined();
  bed.settle(seconds(1));
  expect(bed.get(Pods, 'p').status.phase).toBe('Failed');
  const { revision } = bed.state;
  bed.create(Pods, 'q', { spec });
  bed.settle(seconds(60));
  expect(pods(bed)).toEqual(['p']);
  // Of the new pod alone: its creation, its failure, its deletion.
  expect(bed.state.revision - revision).toBeLessThanOrEqual(4);
  expect(bed.errors).toEqual([]);
});

it('fails pods that are deleted before they have a node, at its next check', () => {
  const bed = new ControllerBed({ controllers: [controller], readyAfter: () => 'never' });
  const metadata = { finalizers: ['example.com/keep'] };
  bed.create(Pods, 'p', { spec: { containers: [{ name: 'c', image: 'x' }] } }, metadata);
  bed.settle(seconds(5));
  bed.client.delete(Pods, { namespace: 'default', name: 'p' });
  expect(bed.settle(seconds(14)).get(Pods, 'p').status.phase).toBe('Pending');
  expect(bed.settle(seconds(1)).get(Pods, 'p').status.phase).toBe('Failed');
  expect(bed.errors).toEqual([]);
});

it('removes the oldest of more than 12,500 terminated pods, at its next check', () => {
  const bed = new ControllerBed({ controllers: [controller] });
  for (let i = 0; i < TERMINATED_POD_GC_THRESHOLD + 2; i++) {
    const name = `p${String(i).padStart(5, '0')}`;
    const metadata = { name, namespace: 'default', creationTimestamp: timestamp(bed.state.now + i * 1_000) };
    const spec = { containers: [{ name: 'c', image: 'x' }] };
    bed.state.put('pods', { apiVersion: 'v1', kind: 'Pod', metadata, spec, status: { phase: 'Failed' } } as Pod, '', 0);
  }
  expect(pods(bed.settle(seconds(0)))).not.toContain('p00000');
  expect(pods(bed)).not.toContain('p00001');
  expect(pods(bed)).toHaveLength(TERMINATED_POD_GC_THRESHOLD);
  expect(bed.errors).toEqual([]);
});
