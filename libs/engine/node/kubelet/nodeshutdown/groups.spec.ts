import { expect, test } from '@jest/globals';
import type { KubeletConfiguration } from '../../../kinds/terrarium/noderuntime/kind.js';
import { pod } from '../testing.js';
import { graceOf, groupOf, shutdownGroups } from './groups.js';

test.each<[string, KubeletConfiguration, [number, number][]]>([
  ['nothing is told', {}, []],
  [
    'one period is told',
    { shutdownGracePeriod: '30s' },
    [
      [0, 30],
      [2_000_000_000, 0],
    ],
  ],
  [
    'critical pods have a part of it',
    { shutdownGracePeriod: '1m', shutdownGracePeriodCriticalPods: '10s' },
    [
      [0, 50],
      [2_000_000_000, 10],
    ],
  ],
  ['their part is more than all', { shutdownGracePeriod: '5s', shutdownGracePeriodCriticalPods: '10s' }, []],
  [
    'priorities have their own',
    {
      shutdownGracePeriod: '30s',
      shutdownGracePeriodByPodPriority: [
        { priority: 1000, shutdownGracePeriodSeconds: 120 },
        { priority: 0, shutdownGracePeriodSeconds: 60 },
      ],
    },
    [
      [0, 60],
      [1000, 120],
    ],
  ],
])('when %s', (_, config, expected) =>
  expect(shutdownGroups(config).map(({ priority, seconds }) => [priority, seconds])).toEqual(expected),
);

const GROUPS = [
  { priority: 0, seconds: 60 },
  { priority: 1000, seconds: 120 },
];

test.each([
  [-10, 0],
  [0, 0],
  [999, 0],
  [1000, 1],
  [2_000_000_000, 1],
])('a pod of priority %d is in group %d', (priority, expected) =>
  expect(groupOf(pod({ priority }), GROUPS)).toBe(expected),
);

test('a pod has no more time than it asks for', () => {
  expect(graceOf(pod({ terminationGracePeriodSeconds: 30 }), GROUPS[0]!)).toBe(30);
  expect(graceOf(pod({ terminationGracePeriodSeconds: 300 }), GROUPS[0]!)).toBe(60);
  expect(graceOf(pod(), GROUPS[0]!)).toBe(60);
});
