import { expect, test } from '@jest/globals';
import { ClusterBed } from '../../../testkit/beds/cluster-bed.js';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';
import type { Pod } from '../../api/core_v1.js';
import { Faults } from '../../kinds/index.js';

test('new pods wait, and the static pod crashes', () => {
  const bed = new FaultBed();
  bed.at(5).fault('SchedulerDown', { duration: '2m' });
  bed.at(6).pod('web', { image: 'nginx:1.27' });
  expect(bed.at(60).state('web')).toBe('none 0');
  expect(bed.events('web')).toEqual([]);
  expect(bed.systemState('kube-scheduler-control-plane')).toMatch(/^(CrashLoopBackOff|Error) [1-9]/);
  expect(bed.at(400).state('web')).toBe('Running 0');
  expect(bed.systemState('kube-scheduler-control-plane')).toMatch(/^Running/);
});

test('the run that was under way ended when the fault began', () => {
  const bed = new ClusterBed('realistic', 1);
  bed.at(100);
  const mark = bed.cluster.mark();
  bed.create(Faults, 'f', { spec: { type: 'SchedulerDown' } });
  bed.at(110);
  const lasted = bed.cluster.since(mark).flatMap(({ object, resource, name }) => {
    if (resource !== 'pods' || name !== 'kube-scheduler-control-plane') return [];
    const { state, lastState } = (object as Pod).status.containerStatuses![0]!;
    const { startedAt = '', finishedAt } = state?.terminated ?? lastState?.terminated ?? {};
    return finishedAt === undefined ? [] : [(Date.parse(finishedAt) - Date.parse(startedAt)) / 1_000];
  });
  expect(Math.max(...lasted)).toBeGreaterThan(90);
});
