import { describe, expect, test } from '@jest/globals';
import type { Container, PodSpec } from '../../api/core_v1.js';
import { allocatable, podRequests } from './resources.js';
import { makePod } from '../testing.js';

const MB = 1024 * 1024;
const container = (requests: Record<string, string>, restartPolicy?: string): Container => ({
  name: 'c',
  resources: { requests },
  ...(restartPolicy ? { restartPolicy } : {}),
});
const sum = (spec: Partial<PodSpec>): { cpu: number; memory: number; nonZeroCpu: number; nonZeroMemory: number } => {
  const { cpu, memory, nonZeroCpu, nonZeroMemory } = podRequests(makePod(spec));
  return { cpu, memory: memory / MB, nonZeroCpu, nonZeroMemory: nonZeroMemory / MB };
};

describe('the requests of a pod', () => {
  test.each<[string, Partial<PodSpec>, object]>([
    ['without any', { containers: [container({})] }, { cpu: 0, memory: 0, nonZeroCpu: 100, nonZeroMemory: 200 }],
    [
      'of two containers',
      { containers: [container({ cpu: '1', memory: '1Mi' }), container({ cpu: '500m' })] },
      { cpu: 1500, memory: 1, nonZeroCpu: 1500, nonZeroMemory: 201 },
    ],
    [
      'with a larger init container',
      { containers: [container({ cpu: '1' })], initContainers: [container({ cpu: '3' }), container({ cpu: '2' })] },
      { cpu: 3000, memory: 0, nonZeroCpu: 3000, nonZeroMemory: 200 },
    ],
    [
      'with a sidecar',
      { containers: [container({ cpu: '1' })], initContainers: [container({ cpu: '1' }, 'Always')] },
      { cpu: 2000, memory: 0, nonZeroCpu: 2000, nonZeroMemory: 400 },
    ],
    [
      'with an init container beside an earlier sidecar',
      {
        containers: [container({ cpu: '1' })],
        initContainers: [container({ cpu: '1' }, 'Always'), container({ cpu: '3' })],
      },
      { cpu: 4000, memory: 0, nonZeroCpu: 4000, nonZeroMemory: 400 },
    ],
    [
      'with an init container before the sidecar',
      {
        containers: [container({ cpu: '1' })],
        initContainers: [container({ cpu: '3' }), container({ cpu: '1' }, 'Always')],
      },
      { cpu: 3000, memory: 0, nonZeroCpu: 3000, nonZeroMemory: 400 },
    ],
    [
      'of the pod as a whole',
      { containers: [container({ cpu: '1', memory: '1Mi' })], resources: { requests: { cpu: '4' } } },
      { cpu: 4000, memory: 1, nonZeroCpu: 4000, nonZeroMemory: 1 },
    ],
    [
      'with an overhead',
      { containers: [container({ cpu: '1' })], overhead: { cpu: '250m', memory: '10Mi' } },
      { cpu: 1250, memory: 10, nonZeroCpu: 1250, nonZeroMemory: 210 },
    ],
  ])('%s', (_, spec, expected) => expect(sum(spec)).toEqual(expected));

  test('of other resources', () => {
    const { ephemeral, other } = podRequests(
      makePod({
        containers: [
          container({ 'ephemeral-storage': '1Ki', 'nvidia.com/gpu': '1' }),
          container({ 'nvidia.com/gpu': '2' }),
        ],
        initContainers: [container({ 'nvidia.com/gpu': '2', 'hugepages-2Mi': '4Mi' })],
      }),
    );
    expect([ephemeral, [...other!]]).toEqual([
      1024,
      [
        ['nvidia.com/gpu', 3],
        ['hugepages-2Mi', 4 * MB],
      ],
    ]);
  });

  test('are computed once', () => {
    const pod = makePod();
    expect(podRequests({ ...pod, status: { phase: 'Running' } })).toBe(podRequests(pod));
  });
});

test.each<[Record<string, string> | undefined, object]>([
  [undefined, { cpu: 0, memory: 0, ephemeral: 0, pods: 0 }],
  [
    { cpu: '2', memory: '1Ki', pods: '110' },
    { cpu: 2000, memory: 1024, ephemeral: 0, pods: 110 },
  ],
  [
    { 'ephemeral-storage': '10', 'nvidia.com/gpu': '1' },
    { ephemeral: 10, other: new Map([['nvidia.com/gpu', 1]]) },
  ],
])('the allocatable of %j', (list, expected) => expect(allocatable(list)).toMatchObject(expected));
