import { expect, test } from '@jest/globals';
import type { Pod, PodCondition } from '../api/core_v1.js';
import { updatePodCondition } from './pod-condition.js';
import { makePod } from './testing.js';

const NOW = Date.parse('2026-01-01T12:00:00Z');
const BEFORE = '2026-01-01T11:00:00Z';
const condition = (fields: Partial<PodCondition> = {}): PodCondition => ({
  type: 'PodScheduled',
  status: 'False',
  reason: 'Unschedulable',
  message: 'm',
  ...fields,
});
const OTHER = condition({ type: 'Ready' });
const SET = condition({ lastProbeTime: null as never, lastTransitionTime: BEFORE });
const podWith = (...conditions: PodCondition[]): Pod => ({ ...makePod(), status: { conditions } });

test.each<[string, Pod, PodCondition, PodCondition[]]>([
  ['a new condition', makePod(), condition(), [{ ...SET, lastTransitionTime: '2026-01-01T12:00:00Z' }]],
  [
    'a condition beside another',
    podWith(OTHER),
    condition(),
    [OTHER, { ...SET, lastTransitionTime: '2026-01-01T12:00:00Z' }],
  ],
  ['another message', podWith(SET, OTHER), condition({ message: 'n' }), [{ ...SET, message: 'n' }, OTHER]],
  [
    'another status',
    podWith(SET),
    condition({ status: 'True' }),
    [{ ...SET, status: 'True', lastTransitionTime: '2026-01-01T12:00:00Z' }],
  ],
])('%s is set', (_, pod, next, expected) => expect(updatePodCondition(pod, NOW, next)).toEqual(expected));

test('a condition that is set already changes nothing', () => {
  const pod = podWith(SET);
  expect(updatePodCondition(pod, NOW, condition())).toBe(pod.status.conditions);
});

test('the generation of the pod is noted', () => {
  const pod = makePod();
  expect(updatePodCondition({ ...pod, metadata: { ...pod.metadata, generation: 3 } }, NOW, condition())).toMatchObject([
    { observedGeneration: 3 },
  ]);
});
