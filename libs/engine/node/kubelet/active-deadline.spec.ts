import { expect, test } from '@jest/globals';
import { ClusterBed } from '../../../testkit/beds/cluster-bed.js';
import { Pods } from '../../kinds/index.js';
import { activeDeadline } from './active-deadline.js';
import { NOW, pod, STAMP } from './testing.js';

test.each([
  ['no deadline', undefined, STAMP, undefined],
  ['begins now', 30, undefined, NOW + 30_000],
  ['counts from the start', 30, STAMP, NOW + 30_000],
])('%s', (_case, activeDeadlineSeconds, startTime, expected) => {
  expect(activeDeadline(pod({ activeDeadlineSeconds }, { startTime }), NOW)).toBe(expected);
});

test('the reason comes with the phase, when the last container has ended', () => {
  const bed = new ClusterBed('realistic', 1);
  const containers = [{ name: 'c', image: 'busybox:1.36', command: ['sleep', '1000'] }];
  bed.create(Pods, 'late', { spec: { containers, activeDeadlineSeconds: 20, terminationGracePeriodSeconds: 10 } });
  const seen = (): unknown[] => {
    const { phase, reason, conditions = [] } = bed.get(Pods, 'late').status;
    return [phase, reason, conditions.find(({ type }) => type === 'PodReadyToStartContainers')?.status];
  };
  bed.at(25);
  expect(seen()).toEqual(['Running', undefined, 'True']);
  const told = bed.events('late').filter((event) => event.startsWith('DeadlineExceeded'));
  expect(told).toEqual(['DeadlineExceeded: Pod was active on the node longer than the specified deadline']);
  bed.at(40);
  expect(seen()).toEqual(['Failed', 'DeadlineExceeded', 'False']);
  expect(bed.events('late').filter((event) => event.startsWith('DeadlineExceeded'))).toEqual(told);
});
