import { describe, expect, test } from '@jest/globals';
import type { ContainerStatus, PodCondition, PodSpec } from '../../../api/core_v1.js';
import { byName, container, NOW, pod, running, STAMP, terminated, waiting } from '../testing.js';
import { generatePodConditions } from './generate.js';

const EARLIER = '2026-01-01T11:00:00Z';
const conditions = (
  spec: Partial<PodSpec>,
  statuses: readonly ContainerStatus[],
  { phase = 'Running', hasSandbox = true, old = [] as PodCondition[], podIP = undefined as string | undefined } = {},
): PodCondition[] =>
  generatePodConditions(pod(spec, { conditions: old, podIP }), byName(...statuses), phase, hasSandbox, NOW);
/** 'True', or 'False: reason: message'. */
const summary = (list: readonly PodCondition[], type: string): string => {
  const { status, reason, message } = list.find((c) => c.type === type)!;
  return [status, reason, message].filter(Boolean).join(': ');
};

const two = { containers: [container('a'), container('b')] };
const sidecar = { initContainers: [container('s', { restartPolicy: 'Always' })], containers: [container('a')] };
const init = { initContainers: [container('i'), container('j')], containers: [container('a')] };

test.each<[string, Partial<PodSpec>, ContainerStatus[], string, string]>([
  ['all ready', two, [running('a'), running('b')], 'Running', 'True'],
  [
    'some unready',
    two,
    [running('a', { ready: false }), waiting('b')],
    'Running',
    'False: ContainersNotReady: containers with unready status: [a b]',
  ],
  [
    'an unready sidecar, before the others',
    sidecar,
    [running('s', { ready: false })],
    'Pending',
    'False: ContainersNotReady: containers with unready status: [s a]',
  ],
  ['a pod that has succeeded', two, [], 'Succeeded', 'False: PodCompleted'],
  ['a pod that has failed', two, [], 'Failed', 'False: PodFailed'],
])('ContainersReady and Ready of %s', (_case, spec, statuses, phase, expected) => {
  const list = conditions(spec, statuses, { phase });
  expect([summary(list, 'ContainersReady'), summary(list, 'Ready')]).toEqual([expected, expected]);
});

test.each<[string, PodCondition[], string]>([
  [
    'is missing',
    [],
    'False: ReadinessGatesNotReady: corresponding condition of pod readiness gate "ok" does not exist.',
  ],
  [
    'is false',
    [{ type: 'ok', status: 'False' }],
    'False: ReadinessGatesNotReady: the status of pod readiness gate "ok" is not "True", but False',
  ],
  ['is true', [{ type: 'ok', status: 'True' }], 'True'],
])('Ready of a pod whose readiness gate %s', (_case, old, expected) => {
  const list = conditions({ readinessGates: [{ conditionType: 'ok' }] }, [running('c')], { old });
  expect([summary(list, 'ContainersReady'), summary(list, 'Ready')]).toEqual(['True', expected]);
});

test.each<[string, Partial<PodSpec>, ContainerStatus[], string, string]>([
  ['no init containers', two, [], 'Pending', 'True'],
  [
    'none has ended',
    init,
    [running('i', { ready: false })],
    'Pending',
    'False: ContainersNotInitialized: containers with incomplete status: [i j]',
  ],
  [
    'the first has ended',
    init,
    [terminated('i', 0, { ready: true })],
    'Pending',
    'False: ContainersNotInitialized: containers with incomplete status: [j]',
  ],
  [
    'all have ended',
    init,
    [terminated('i', 0, { ready: true }), terminated('j', 0, { ready: true })],
    'Pending',
    'True',
  ],
  ['a container runs already', init, [running('a')], 'Running', 'True'],
  ['the pod has succeeded', init, [], 'Succeeded', 'True: PodCompleted'],
  ['a sidecar has started', sidecar, [running('s', { ready: false })], 'Pending', 'True'],
  [
    'a sidecar has not started',
    sidecar,
    [running('s', { started: false })],
    'Pending',
    'False: ContainersNotInitialized: containers with incomplete status: [s]',
  ],
])('Initialized: %s', (_case, spec, statuses, phase, expected) => {
  expect(summary(conditions(spec, statuses, { phase }), 'Initialized')).toBe(expected);
});

test.each<[string, boolean, string | undefined, string]>([
  ['there is one', true, '10.244.1.2', 'True'],
  ['there has been none', false, undefined, 'False: PodSandboxNotReady: no pod sandbox exists'],
  ['it has been removed', false, '10.244.1.2', 'False: PodSandboxNotReady: pod sandbox is not ready'],
])('PodReadyToStartContainers: %s', (_case, hasSandbox, podIP, expected) => {
  expect(summary(conditions(two, [], { hasSandbox, podIP }), 'PodReadyToStartContainers')).toBe(expected);
});

describe('conditions that the pod has already', () => {
  const old: PodCondition = { type: 'Ready', status: 'True', lastTransitionTime: EARLIER };
  const ready = (statuses: readonly ContainerStatus[], before: PodCondition = old): PodCondition =>
    conditions({}, statuses, { old: [before] }).find((c) => c.type === 'Ready')!;

  test('stay the same object when nothing changed', () => {
    expect(ready([running('c')])).toBe(old);
  });
  test('keep their transition time when only the message changed', () => {
    expect(ready([waiting('c')], { ...old, status: 'False', message: 'other' }).lastTransitionTime).toBe(EARLIER);
  });
  test('get a new transition time with a new status', () => {
    expect(ready([waiting('c')]).lastTransitionTime).toBe(STAMP);
  });
  test('come in the order of the kubelet, those of other components last', () => {
    const foreign: PodCondition = { type: 'example.com/own', status: 'True' };
    expect(conditions({}, [], { old: [foreign, old] }).map((c) => c.type)).toEqual([
      'PodReadyToStartContainers',
      'Initialized',
      'Ready',
      'ContainersReady',
      'PodScheduled',
      'example.com/own',
    ]);
  });
});
