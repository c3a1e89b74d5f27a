import { expect, it } from '@jest/globals';
import { ControllerBed, names, seconds } from '../../../testkit/controller-bed.js';
import { Nodes, Pods } from '../../kinds/index.js';
import { controller as nodelifecycle } from '../nodelifecycle/controller.js';
import { controller } from './controller.js';

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
