import { expect, test } from '@jest/globals';
import { pastLanes } from './past-lanes.js';

const wrote = (revision: number, actor: string) => ({
  revision,
  actor,
  at: '2026-01-01T00:00:00Z',
  text: `${revision}`,
  ...{ cause: 0, verb: 'update', object: '', fields: [] },
});

test('loops with what they wrote, the latest first; users have no lane', () => {
  const lanes = pastLanes([
    wrote(1, 'jane'),
    wrote(2, 'system:serviceaccount:kube-system:deployment-controller'),
    wrote(3, 'system:node:worker-1'),
    wrote(4, 'system:node:worker-2'),
    wrote(5, 'system:serviceaccount:shop:bot'),
    wrote(6, 'system:kube-scheduler'),
  ]);
  expect(lanes.map(({ name, writes, last }) => [name, writes, last[0]?.revision])).toEqual([
    ['kube-scheduler', 1, 6],
    ['kubelet', 2, 4],
    ['deployment-controller', 1, 2],
  ]);
});

test('records of the simulation itself are told by what they show in other objects', () => {
  const runtime = { ...wrote(1, 'system:node:worker-1'), object: 'podruntime/default/web' };
  expect(pastLanes([runtime, { ...runtime, object: 'machinechanges/default/web' }])).toEqual([]);
});

test('of each the last few', () => {
  const lanes = pastLanes(Array.from({ length: 9 }, (_, i) => wrote(i, 'system:kube-scheduler')));
  expect(lanes[0]?.last.map(({ revision }) => revision)).toEqual([8, 7, 6, 5, 4]);
});
