import { expect, test } from '@jest/globals';
import type { NodeCondition } from '../../../api/core_v1.js';
import { microTimestamp } from '../../../machinery/time/time.js';
import { NOW } from '../../kubelet/testing.js';
import { readyOf, reportedConditions } from './conditions.js';

const EARLIER = '2020-01-01T00:00:00Z';
const before: NodeCondition[] = [
  { type: 'NetworkUnavailable', status: 'False', lastTransitionTime: EARLIER },
  { type: 'Ready', status: 'Unknown', lastTransitionTime: EARLIER },
  { type: 'DiskPressure', status: 'False', lastTransitionTime: EARLIER },
];
const report = (state: 'running' | 'stopped', silent = 60_000): NodeCondition[] =>
  reportedConditions(before, { containerd: { state, since: microTimestamp(NOW - silent), run: 'a' } }, NOW);

test.each([
  ['running', 'True', 'KubeletReady'],
  ['stopped', 'False', 'KubeletNotReady'],
] as const)('with a containerd that is %s Ready is %s', (state, status, reason) => {
  expect(readyOf(report(state))).toBe(status);
  expect(report(state).find(({ type }) => type === 'Ready')).toMatchObject({ reason });
});

test.each([
  [29_000, 'kubelet is posting ready status'],
  [30_000, 'container runtime is down'],
  [185_000, '[container runtime is down, PLEG is not healthy: pleg was last seen active 3m5s ago; threshold is 3m0s]'],
])('a containerd that is silent for %d ms is told of: %s', (silent, message) =>
  expect(report('stopped', silent).find(({ type }) => type === 'Ready')).toMatchObject({ message }),
);

test('only what has changed has a new time of transition; other components’ conditions stay', () => {
  const times = new Map(report('running').map(({ type, lastTransitionTime }) => [type, lastTransitionTime]));
  expect(times.get('DiskPressure')).toBe(EARLIER);
  expect(times.get('Ready')).not.toBe(EARLIER);
  expect(report('running')[0]).toBe(before[0]);
});

test('a node without a network is not ready', () => {
  const view = {
    containerd: { state: 'running', since: '', run: 'a' },
    network: { error: 'cni plugin not initialized' },
  };
  const ready = reportedConditions(before, view as Parameters<typeof reportedConditions>[1], NOW);
  expect(ready.find(({ type }) => type === 'Ready')).toMatchObject({
    status: 'False',
    reason: 'KubeletNotReady',
    message:
      'container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady ' +
      'message:Network plugin returns error: cni plugin not initialized',
  });
});
