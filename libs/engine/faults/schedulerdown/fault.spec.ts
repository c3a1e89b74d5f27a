import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

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
