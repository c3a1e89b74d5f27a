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

test.each<[string, Partial<PodStatusInput>, readonly string[]]>([
  ['of its node', {}, ['10.244.1.2', 'fd00:10:244:1::2']],
  ['of the range that its network has', { range6: 'fd00:7::/64' }, ['10.244.1.2', 'fd00:7::2']],
  ['of none', { range6: '' }, ['10.244.1.2']],
])('in a cluster of both families a pod has a second address %s', (_case, more, expected) => {
  const podCIDRs = ['10.244.1.0/24', 'fd00:10:244:1::/64'];
  const addresses = ['172.18.0.2', 'fc00:f853:ccd:e793::2'].map((address) => ({ type: 'InternalIP', address }));
  const host = node({ addresses }, { spec: { podCIDR: podCIDRs[0]!, podCIDRs } });
  const status = generate({ node: host, podIP: '10.244.1.2', hasSandbox: true, ...more });
  expect(status.podIPs?.map(({ ip }) => ip)).toEqual(expected);
  expect(status.hostIPs?.map(({ ip }) => ip)).toEqual(['172.18.0.2', 'fc00:f853:ccd:e793::2']);
});

test.each<[string, string | undefined, string]>([
  ['its own', undefined, '300m'],
  ['those of before while a resize is pending', 'PodResizePending', '200m'],
])('a pod with resources as a whole tells %s', (_, type, cpu) => {
  const old = { resources: { requests: { cpu: '200m' } } };
  const resize = type === undefined ? [] : [{ type, status: 'True' }];
  const status = generate({
    pod: pod({ resources: { requests: { cpu: '300m' } } }, old),
    ...{ statuses: byName(running('c')), phase: 'Running', hasSandbox: true, resize },
  });
  expect(status).toMatchObject({ allocatedResources: { cpu }, resources: { requests: { cpu } } });
});
