import { describe, expect, test } from '@jest/globals';
import type { Pod } from '../../api/core_v1.js';
import type { PodUsage } from '../../machinery/questions/usage.js';
import { timestamp } from '../../machinery/time/time.js';
import { NoProposal, proposeByUtilization, proposeByValue, type Question } from './replica-calculator.js';

const NOW = Date.UTC(2026, 0, 1, 12);
const MINUTE = 60_000;

interface Given {
  readonly name: string;
  /** Thousandths of a CPU; undefined: not measured. */
  readonly cpu?: number;
  readonly request?: string;
  readonly phase?: string;
  readonly readySince?: number;
  readonly isReady?: boolean;
}

const podOf = ({ name, request = '200m', phase = 'Running', readySince = 20 * MINUTE, isReady = true }: Given): Pod =>
  ({
    metadata: { name, namespace: 'default' },
    spec: { containers: [{ name: 'c', resources: request === '' ? {} : { requests: { cpu: request } } }] },
    status: {
      phase,
      startTime: timestamp(NOW - readySince),
      conditions: [
        { type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime: timestamp(NOW - readySince) },
      ],
    },
  }) as unknown as Pod;

const question = (given: readonly Given[], currentReplicas: number): Question => {
  const pods = given.map(podOf);
  const usages = pods.flatMap((pod, i): PodUsage[] => {
    const { cpu } = given[i]!;
    return cpu === undefined ? [] : [{ pod, containers: new Map([['c', { cpu, memory: cpu * 1_000 }]]) }];
  });
  const tolerance = { up: 0.1, down: 0.1 };
  return { resource: 'cpu', pods, usages, currentReplicas, now: NOW, tolerance };
};

describe('by utilization of 50% of 200m', () => {
  test.each<[string, Given[], replicas: number, utilization: number]>([
    ['a pod under load', [{ name: 'a', cpu: 458 }], 5, 229],
    [
      'pods that use what they should',
      [
        { name: 'a', cpu: 104 },
        { name: 'b', cpu: 92 },
      ],
      2,
      49,
    ],
    [
      'idle pods',
      [
        { name: 'a', cpu: 1 },
        { name: 'b', cpu: 1 },
      ],
      0,
      0,
    ],
    [
      'a pod that is new: it counts as idle',
      [
        { name: 'a', cpu: 300 },
        { name: 'b', cpu: 1, readySince: 10_000 },
      ],
      3,
      150,
    ],
    ['a pod of which nothing is known, under load', [{ name: 'a', cpu: 300 }, { name: 'b' }], 3, 150],
    ['a pod of which nothing is known, when idle', [{ name: 'a', cpu: 1 }, { name: 'b' }], 2, 0],
    [
      'a pod that waits for a node',
      [
        { name: 'a', cpu: 300 },
        { name: 'b', phase: 'Pending' },
      ],
      3,
      150,
    ],
  ])('%s', (_, given, replicas, utilization) => {
    expect(proposeByUtilization(question(given, given.length), 50)).toMatchObject({ replicas, utilization });
  });

  test.each<[string, Given[], string]>([
    ['no pods', [], 'unable to get metrics for resource cpu: no metrics returned from resource metrics API'],
    [
      'a pod without a request',
      [{ name: 'a', cpu: 1, request: '' }],
      'missing request for cpu in container c of Pod a',
    ],
    [
      'a pod that is not ready',
      [{ name: 'a', cpu: 1, isReady: false, readySince: 10_000 }],
      'did not receive metrics for targeted pods (pods might be unready)',
    ],
  ])('there is none for %s', (_, given, message) => {
    expect(() => proposeByUtilization(question(given, 1), 50)).toThrow(new NoProposal(message));
  });
});

test('by value, the average of the pods counts', () => {
  const pods = [
    { name: 'a', cpu: 500 },
    { name: 'b', cpu: 100 },
  ];
  expect(proposeByValue(question(pods, 2), 100)).toEqual({ replicas: 6, average: 300 });
});

test('of one container, only that one is asked', () => {
  const asked = question([{ name: 'a', cpu: 300 }], 1);
  expect(proposeByUtilization({ ...asked, container: 'c' }, 50)).toMatchObject({ replicas: 3 });
  expect(() => proposeByUtilization({ ...asked, container: 'x' }, 50)).toThrow(
    new NoProposal('container x not present in metrics for pod default/a'),
  );
});
