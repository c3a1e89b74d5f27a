import { expect, test } from '@jest/globals';
import type { Pod } from '../../../../api/core_v1.js';
import { isPodPhaseTerminal, isPodReady, isPodTerminal, podReadyCondition } from './phase.js';

const podWith = (status: Pod['status']): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: { containers: [] },
  status,
});

test.each([
  ['Succeeded', true],
  ['Failed', true],
  ['Running', false],
  ['Pending', false],
  ['Unknown', false],
  [undefined, false],
])('phase %s is terminal: %s', (phase, terminal) => {
  expect(isPodPhaseTerminal(phase)).toBe(terminal);
  expect(isPodTerminal(podWith({ phase }))).toBe(terminal);
});

test.each([
  [[{ type: 'Ready', status: 'True' }], true],
  [[{ type: 'Ready', status: 'False' }], false],
  [[{ type: 'Ready', status: 'Unknown' }], false],
  [[{ type: 'ContainersReady', status: 'True' }], false],
  [undefined, false],
])('a pod with conditions %j is ready: %s', (conditions, ready) => {
  const pod = podWith({ conditions });
  expect(isPodReady(pod)).toBe(ready);
  expect(podReadyCondition(pod)).toBe(conditions?.find(({ type }) => type === 'Ready'));
});
