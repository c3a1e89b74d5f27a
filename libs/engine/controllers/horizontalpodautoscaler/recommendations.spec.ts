import { describe, expect, test } from '@jest/globals';
import type { HorizontalPodAutoscaler, HorizontalPodAutoscalerBehavior } from '../../api/autoscaling_v2.js';
import { microTimestamp } from '../../machinery/time/time.js';
import { decide, NO_MEMORY, remember, type Memory } from './recommendations.js';

const NOW = Date.UTC(2026, 0, 1, 12);
const at = (secondsAgo: number, replicas: number) => ({ at: microTimestamp(NOW - secondsAgo * 1_000), replicas });
const hpa = (behavior?: HorizontalPodAutoscalerBehavior): HorizontalPodAutoscaler =>
  ({ spec: { minReplicas: 1, maxReplicas: 10, ...(behavior ? { behavior } : {}) } }) as HorizontalPodAutoscaler;
const remembering = (...recommendations: ReturnType<typeof at>[]): Memory => ({ ...NO_MEMORY, recommendations });
const reasons = (of: HorizontalPodAutoscaler, memory: Memory, current: number, desired: number): unknown[] => {
  const { replicas, able, limited } = decide(of, memory, current, desired, NOW);
  return [replicas, able[0], `${limited[0]} ${limited[1]}`];
};

describe('without a behavior', () => {
  test.each<[string, Memory, number, number, unknown[]]>([
    ['up', remembering(at(15, 1)), 1, 3, [3, 'ReadyForNewScale', 'false DesiredWithinRange']],
    ['up too fast', remembering(at(15, 1)), 1, 7, [4, 'ReadyForNewScale', 'true ScaleUpLimit']],
    ['up too far', remembering(at(15, 6)), 6, 12, [10, 'ReadyForNewScale', 'true TooManyReplicas']],
    ['down at once', remembering(at(200, 7)), 7, 1, [7, 'ScaleDownStabilized', 'false DesiredWithinRange']],
    [
      'down five minutes later',
      remembering(at(900, 7), at(301, 1)),
      7,
      1,
      [1, 'ReadyForNewScale', 'false DesiredWithinRange'],
    ],
    ['to none', remembering(at(900, 0)), 2, 0, [1, 'ReadyForNewScale', 'true TooFewReplicas']],
  ])('%s', (_, memory, current, desired, expected) =>
    expect(reasons(hpa(), memory, current, desired)).toEqual(expected),
  );
});

const DOWN: HorizontalPodAutoscalerBehavior = {
  scaleUp: {
    stabilizationWindowSeconds: 60,
    selectPolicy: 'Max',
    policies: [{ type: 'Pods', value: 2, periodSeconds: 15 }],
  },
  scaleDown: {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Min',
    policies: [
      { type: 'Percent', value: 50, periodSeconds: 60 },
      { type: 'Pods', value: 1, periodSeconds: 60 },
    ],
  },
};

describe('with a behavior', () => {
  test.each<[string, Memory, number, number, unknown[]]>([
    ['up, but lower a moment ago', remembering(at(30, 3)), 3, 6, [3, 'ScaleUpStabilized', 'false DesiredWithinRange']],
    ['up by its policy', remembering(at(90, 6)), 3, 6, [5, 'ReadyForNewScale', 'true ScaleUpLimit']],
    ['down by the least of its policies', remembering(at(5, 8)), 8, 1, [7, 'ReadyForNewScale', 'true ScaleDownLimit']],
    [
      'down, after it was just done',
      { ...NO_MEMORY, scaleDowns: [at(30, 1)] },
      7,
      1,
      [7, 'ReadyForNewScale', 'true ScaleDownLimit'],
    ],
  ])('%s', (_, memory, current, desired, expected) =>
    expect(reasons(hpa(DOWN), memory, current, desired)).toEqual(expected),
  );

  test('a direction may be disabled', () => {
    const never = hpa({ ...DOWN, scaleDown: { ...DOWN.scaleDown, selectPolicy: 'Disabled' } });
    expect(reasons(never, NO_MEMORY, 5, 1)).toEqual([5, 'ReadyForNewScale', 'true ScaleDownLimit']);
  });
});

test('a recommendation is noted when it is another one, and forgotten when no window reaches it', () => {
  const memory = remembering(at(900, 3), at(400, 5), at(100, 2));
  const next = remember(hpa(), memory, { desired: 2, from: 5, to: 5 }, NOW);
  expect(next.recommendations).toEqual([at(400, 5), at(100, 2)]);
  const later = remember(hpa(DOWN), next, { desired: 1, from: 5, to: 4 }, NOW);
  expect([later.recommendations.at(-1), later.scaleDowns]).toEqual([at(0, 1), [at(0, 1)]]);
});
