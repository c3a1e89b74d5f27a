import { expect, test } from '@jest/globals';
import { conditionsOf, containersOf, factsOf, timeText, toneOfCondition } from './facts.js';

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: {
    nodeName: 'n1',
    initContainers: [{ name: 'init', image: 'busybox' }],
    containers: [{ name: 'web', image: 'nginx' }],
  },
  status: {
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'False' }],
    initContainerStatuses: [{ name: 'init', state: { terminated: { reason: 'Completed' } }, restartCount: 0 }],
    containerStatuses: [
      {
        name: 'web',
        ready: false,
        restartCount: 4,
        state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 40s' } },
        lastState: { terminated: { reason: 'Error' } },
      },
    ],
  },
};

test('a pod tells its phase, node and containers', () => {
  expect(factsOf(pod)).toEqual([
    { label: 'phase', value: 'Running' },
    { label: 'node', value: 'n1' },
  ]);
  expect(containersOf(pod)).toMatchObject([
    { name: 'init', isInit: true, state: 'Completed', restarts: 0 },
    { name: 'web', isInit: false, state: 'CrashLoopBackOff', detail: 'back-off 40s', restarts: 4, isReady: false },
  ]);
  expect(conditionsOf(pod)).toHaveLength(1);
});

test('of other kinds there is what they have', () => {
  const other = { apiVersion: 'x/v1', kind: 'Thing', metadata: { name: 'a' } };
  expect([factsOf(other), containersOf(other), conditionsOf(other)]).toEqual([[], [], []]);
});

test.each([
  ['Ready', 'True', 'good'],
  ['Ready', 'False', 'bad'],
  ['Ready', 'Unknown', 'wait'],
  ['MemoryPressure', 'False', 'good'],
  ['NetworkUnavailable', 'True', 'bad'],
  ['ReplicaFailure', 'True', 'bad'],
])('%s %s is %s', (type, status, tone) => expect(toneOfCondition({ type, status })).toBe(tone));

test('a time as people read it', () => expect(timeText('2026-01-02T03:04:05.678Z')).toBe('2026-01-02 03:04:05'));
