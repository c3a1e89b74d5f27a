import { expect, test } from '@jest/globals';
import { byName, container, node, NOW, pod, running, STAMP } from '../testing.js';
import { generateAPIPodStatus, generateRejectedStatus, type PodStatusInput } from './pod-status.js';

const generate = (more: Partial<PodStatusInput> = {}): ReturnType<typeof generateAPIPodStatus> =>
  generateAPIPodStatus({
    pod: pod(),
    node: node(),
    statuses: new Map(),
    phase: 'Pending',
    podIP: undefined,
    hasSandbox: false,
    now: NOW,
    ...more,
  });

test('a pod that has just come to its node', () => {
  const status = generate();
  expect(status).toMatchObject({
    phase: 'Pending',
    hostIP: '172.18.0.2',
    hostIPs: [{ ip: '172.18.0.2' }],
    startTime: STAMP,
    containerStatuses: [{ name: 'c', state: { waiting: { reason: 'ContainerCreating' } } }],
  });
  expect(Object.keys(status)).not.toContain('podIP');
  expect(Object.keys(status)).not.toContain('initContainerStatuses');
});

test('a pod that runs has its address and keeps its start time', () => {
  const old = { startTime: '2026-01-01T11:00:00Z', message: 'of another component' };
  const status = generate({
    pod: pod({ initContainers: [container('i')] }, old, { generation: 3 }),
    statuses: byName(running('c')),
    phase: 'Running',
    podIP: '10.244.1.2',
    hasSandbox: true,
  });
  expect(status).toMatchObject({
    ...old,
    observedGeneration: 3,
    podIP: '10.244.1.2',
    podIPs: [{ ip: '10.244.1.2' }],
    initContainerStatuses: [{ name: 'i', state: { waiting: { reason: 'PodInitializing' } } }],
  });
});

test.each([
  ['Running', 'True'],
  ['Succeeded', 'False'],
  ['Failed', 'False'],
])('the sandbox of a pod in phase %s is ready: %s', (phase, expected) => {
  const { conditions } = generate({ phase, podIP: '10.244.1.2', hasSandbox: true });
  expect(conditions!.find((c) => c.type === 'PodReadyToStartContainers')!.status).toBe(expected);
});

test('why a pod was stopped comes with its status', () => {
  const cause = { reason: 'DeadlineExceeded', message: 'too long' };
  expect(generate({ phase: 'Failed', cause })).toMatchObject({ phase: 'Failed', ...cause });
});

test('a pod that is not admitted fails', () => {
  expect(generateRejectedStatus(pod(), { reason: 'OutOfcpu', message: 'no CPU' }, NOW)).toEqual({
    phase: 'Failed',
    reason: 'OutOfcpu',
    message: 'Pod was rejected: no CPU',
    startTime: STAMP,
  });
});
