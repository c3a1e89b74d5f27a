import { describe, expect, it } from '@jest/globals';
import { ControllerBed, seconds } from '../../../testkit/beds/controller-bed.js';
import { Events, Nodes } from '../../kinds/index.js';
import { timestamp } from '../../machinery/time/time.js';
import { controller } from './controller.js';

function setReady(bed: ControllerBed, status: string): void {
  const node = bed.get(Nodes, 'a');
  const at = timestamp(bed.state.now);
  bed.client.updateStatus(Nodes, {
    ...node,
    status: {
      ...node.status,
      conditions: [
        { type: 'Ready', status, lastHeartbeatTime: at, lastTransitionTime: at, reason: 'Test', message: '' },
      ],
    },
  });
}
const taints = (bed: ControllerBed): string[] =>
  (bed.get(Nodes, 'a').spec.taints ?? []).map((t) => `${t.key}:${t.effect}`);
const make = (): ControllerBed => {
  const bed = new ControllerBed({ controllers: [controller] });
  bed.client.create(Nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' }, spec: {}, status: {} });
  return bed;
};

describe('a node', () => {
  it.each([
    ['True', []],
    ['False', ['node.kubernetes.io/not-ready:NoSchedule', 'node.kubernetes.io/not-ready:NoExecute']],
    ['Unknown', ['node.kubernetes.io/unreachable:NoSchedule', 'node.kubernetes.io/unreachable:NoExecute']],
  ])('whose Ready is %s has the taints %j', (status, expected) => {
    const bed = make();
    setReady(bed, status);
    bed.settle();
    expect(taints(bed)).toEqual(expected);
    expect(bed.restart()).toBe(0);
  });

  it('that is cordoned is tainted, and freed again', () => {
    const bed = make();
    setReady(bed, 'True');
    const set = (unschedulable: boolean): void => {
      const node = bed.get(Nodes, 'a');
      bed.client.update(Nodes, { ...node, spec: { ...node.spec, unschedulable } });
      bed.settle();
    };
    set(true);
    expect(taints(bed)).toEqual(['node.kubernetes.io/unschedulable:NoSchedule']);
    set(false);
    expect(taints(bed)).toEqual([]);
  });

  it('that is deleted is told of once', () => {
    const bed = make();
    setReady(bed, 'True');
    bed.settle();
    bed.client.delete(Nodes, { namespace: '', name: 'a' });
    bed.settle();
    const told = bed.client.list(Events).filter(({ reason }) => reason === 'RemovingNode');
    expect(told.map(({ message, count }) => [message, count])).toEqual([
      ['Node a event: Removing Node a from Controller', 1],
    ]);
    expect(bed.restart()).toBe(0);
  });

  it('that never reports is given up after a minute', () => {
    const bed = make();
    bed.settle(seconds(59));
    expect(taints(bed)).toEqual(['node.kubernetes.io/not-ready:NoSchedule']);
    expect(bed.get(Nodes, 'a').status.conditions).toBeUndefined();
    bed.settle(seconds(2));
    expect(taints(bed)).toEqual([
      'node.kubernetes.io/unreachable:NoSchedule',
      'node.kubernetes.io/unreachable:NoExecute',
    ]);
    expect(bed.get(Nodes, 'a').status.conditions!.map((c) => `${c.type} ${c.status} ${c.reason}`)).toEqual(
      ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'].map(
        (type) => `${type} Unknown NodeStatusNeverUpdated`,
      ),
    );
    expect(bed.restart()).toBe(0);
  });
});
