import { expect, test } from '@jest/globals';
import type { ContainerStatus, PodSpec } from '../../../api/core_v1.js';
import { byName, container, pod, running, terminated, waiting } from '../testing.js';
import { getPhase } from './phase.js';

const one: Partial<PodSpec> = { containers: [container('a')] };
const two: Partial<PodSpec> = { containers: [container('a'), container('b')] };
const never: Partial<PodSpec> = { ...two, restartPolicy: 'Never' };
const onFailure: Partial<PodSpec> = { ...two, restartPolicy: 'OnFailure' };
const init: Partial<PodSpec> = { ...one, initContainers: [container('i')] };
const sidecar: Partial<PodSpec> = { ...one, initContainers: [container('s', { restartPolicy: 'Always' })] };

// The cases of kubelet_pods_test.go TestPodPhaseWith….
test.each<[string, Partial<PodSpec>, ContainerStatus[], string]>([
  ['no statuses yet', two, [], 'Pending'],
  ['one waits', two, [running('a'), waiting('b')], 'Pending'],
  ['all run', two, [running('a'), running('b')], 'Running'],
  ['Always: all ended well', two, [terminated('a', 0), terminated('b', 0)], 'Running'],
  ['Always: all failed', two, [terminated('a', 1), terminated('b', 1)], 'Running'],
  [
    'Always: in crash back-off',
    one,
    [waiting('a', 'CrashLoopBackOff', { lastState: terminated('a', 1).state })],
    'Running',
  ],
  ['Never: one runs, one failed', never, [running('a'), terminated('b', 1)], 'Running'],
  ['Never: one runs, one ended well', never, [running('a'), terminated('b', 0)], 'Running'],
  ['Never: all ended well', never, [terminated('a', 0), terminated('b', 0)], 'Succeeded'],
  ['Never: one of two failed', never, [terminated('a', 0), terminated('b', 1)], 'Failed'],
  ['Never: one is missing', never, [terminated('a', 0)], 'Pending'],
  ['OnFailure: all ended well', onFailure, [terminated('a', 0), terminated('b', 0)], 'Succeeded'],
  ['OnFailure: one of two failed', onFailure, [terminated('a', 0), terminated('b', 1)], 'Running'],
  ['an init container runs', init, [running('i')], 'Pending'],
  ['an init container waits', init, [waiting('i')], 'Pending'],
  ['an init container ended well, the others wait', init, [terminated('i', 0)], 'Pending'],
  ['an init container ended well, the others run', init, [terminated('i', 0), running('a')], 'Running'],
  ['Always: an init container failed', init, [terminated('i', 1)], 'Pending'],
  ['Never: an init container failed', { ...init, restartPolicy: 'Never' }, [terminated('i', 1)], 'Failed'],
  ['OnFailure: an init container failed', { ...init, restartPolicy: 'OnFailure' }, [terminated('i', 1)], 'Pending'],
  ['a sidecar has not started', sidecar, [running('s', { started: false })], 'Pending'],
  ['a sidecar has started, the others wait', sidecar, [running('s')], 'Pending'],
  ['a sidecar and the others run', sidecar, [running('s'), running('a')], 'Running'],
  ['a sidecar restarts beside a container that runs', sidecar, [terminated('s', 1), running('a')], 'Running'],
  [
    'Never: a sidecar outlives the others',
    { ...sidecar, restartPolicy: 'Never' },
    [running('s'), terminated('a', 0)],
    'Succeeded',
  ],
])('%s', (_case, spec, statuses, phase) => {
  expect(getPhase(pod(spec), byName(...statuses))).toBe(phase);
});
