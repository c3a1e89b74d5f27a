import { expect, test } from '@jest/globals';
import { ControllerBed } from '../../../testkit/beds/controller-bed.js';
import { Components, ComponentStatus, NodeRuntimes } from '../../kinds/index.js';
import { controller } from './controller.js';

const HEALTHY = { type: 'Healthy', status: 'True', message: 'ok' };

function newBed(): ControllerBed {
  const bed = new ControllerBed({ controllers: [controller] });
  for (const name of ['scheduler', 'controller-manager', 'etcd-0'])
    bed.create(ComponentStatus, name, { conditions: [HEALTHY] });
  return bed;
}
const conditions = (bed: ControllerBed): unknown[] =>
  bed.client.list(ComponentStatus).map((c) => [c.metadata.name, c.conditions]);

test.each([
  ['kube-scheduler', 'scheduler', '127.0.0.1:10259'],
  ['kube-controller-manager', 'controller-manager', '127.0.0.1:10257'],
])('%s that is switched off refuses connections, until it is on again', (component, name, address) => {
  const bed = newBed();
  const off = bed.create(Components, component, { spec: { enabled: false } });
  bed.settle();
  expect(bed.get(ComponentStatus, name).conditions).toEqual([
    {
      type: 'Healthy',
      status: 'False',
      message: `Get "https://${address}/healthz": dial tcp ${address}: connect: connection refused`,
    },
  ]);
  expect(conditions(bed).filter((c) => JSON.stringify(c).includes('ok'))).toHaveLength(2);
  bed.client.update(Components, { ...off, spec: { enabled: true } });
  expect(bed.settle().get(ComponentStatus, name).conditions).toEqual([HEALTHY]);
  expect(bed.errors).toEqual([]);
});

test('a component whose entry is deleted is on', () => {
  const bed = newBed();
  bed.create(Components, 'kube-scheduler', { spec: { enabled: false } });
  bed.settle();
  bed.client.delete(Components, { namespace: '', name: 'kube-scheduler' });
  expect(bed.settle().get(ComponentStatus, 'scheduler').conditions).toEqual([HEALTHY]);
});

test('what has no status changes none', () => {
  const bed = newBed();
  bed.create(Components, 'kubelet', { spec: { enabled: false } });
  expect(conditions(bed.settle())).toEqual(['controller-manager', 'etcd-0', 'scheduler'].map((n) => [n, [HEALTHY]]));
});

test('one that does not come up refuses connections, too', () => {
  const bed = newBed();
  bed.create(NodeRuntimes, 'control-plane', {
    kubelet: { state: 'running' },
    containerd: { state: 'running' },
    broken: { 'kube-scheduler': 'E run.go:72] "command failed"' },
  } as never);
  bed.settle();
  expect(bed.get(ComponentStatus, 'scheduler').conditions).toMatchObject([{ status: 'False' }]);
  expect(bed.get(ComponentStatus, 'controller-manager').conditions).toEqual([HEALTHY]);
});
