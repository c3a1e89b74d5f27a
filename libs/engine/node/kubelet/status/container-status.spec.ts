import { expect, test } from '@jest/globals';
import { container, containerStatus, NOW, pod, running, STAMP, terminated } from '../testing.js';
import { defaultWaitingStatus, runningStatus, terminatedStatus, waitingStatus } from './container-status.js';

test.each([
  [false, 'ContainerCreating'],
  [true, 'PodInitializing'],
])('a container that has never run, in a pod with init containers: %s', (initializing, reason) => {
  expect(defaultWaitingStatus(container(), initializing)).toMatchObject({
    image: 'nginx:1.27',
    imageID: '',
    ready: false,
    restartCount: 0,
    started: false,
    state: { waiting: { reason } },
  });
});

test('a container that waits after its end shows the end as its last state', () => {
  const ended = terminated('c', 1);
  expect(waitingStatus(ended, { reason: 'CrashLoopBackOff' })).toMatchObject({
    state: { waiting: { reason: 'CrashLoopBackOff' } },
    lastState: ended.state,
  });
});

const RUN = {
  containerID: 'containerd://1',
  image: 'docker.io/library/nginx:1.27',
  imageID: 'nginx@sha256:1',
  startedAt: STAMP,
  lastState: undefined,
  restartCount: 2,
};

test('a container that starts is neither ready nor started yet', () => {
  expect(runningStatus(container(), pod(), RUN)).toEqual({
    containerID: 'containerd://1',
    image: 'docker.io/library/nginx:1.27',
    imageID: 'nginx@sha256:1',
    lastState: {},
    name: 'c',
    ready: false,
    resources: {},
    restartCount: 2,
    started: false,
    state: { running: { startedAt: STAMP } },
    user: { linux: { gid: 0, supplementalGroups: [0], uid: 0 } },
  });
});

test('its resources, its user and its mounts are the spec’s, the container’s own before the pod’s', () => {
  const own = container('c', {
    resources: { requests: { cpu: '1' }, limits: { memory: '1Gi' } },
    securityContext: { runAsUser: 1000 },
    volumeMounts: [
      { name: 'a', mountPath: '/a' },
      { name: 'b', mountPath: '/b', readOnly: true },
    ],
  });
  const of = pod({ securityContext: { runAsUser: 1, runAsGroup: 2, fsGroup: 3, supplementalGroups: [2, 4] } });
  expect(runningStatus(own, of, RUN)).toMatchObject({
    allocatedResources: { cpu: '1' },
    resources: { requests: { cpu: '1' }, limits: { memory: '1Gi' } },
    user: { linux: { gid: 2, supplementalGroups: [2, 3, 4], uid: 1000 } },
    volumeMounts: [
      { mountPath: '/a', name: 'a' },
      { mountPath: '/b', name: 'b', readOnly: true, recursiveReadOnly: 'Disabled' },
    ],
  });
});

test.each([
  [0, undefined, 'Completed'],
  [3, undefined, 'Error'],
  [137, 'OOMKilled', 'OOMKilled'],
])('a container that ended with %d, reason %s: %s', (exitCode, reason, expected) => {
  const status = terminatedStatus(running('c'), { startedAt: NOW, finishedAt: NOW + 5_400, exitCode, reason });
  expect([status.ready, status.started]).toEqual([false, false]);
  expect(status.state).toEqual({
    terminated: {
      containerID: 'containerd://c',
      exitCode,
      finishedAt: '2026-01-01T12:00:05Z',
      reason: expected,
      startedAt: STAMP,
    },
  });
});

test('an init container that ended well is ready', () => {
  const ended = { startedAt: NOW, finishedAt: NOW, exitCode: 0 };
  expect(terminatedStatus(containerStatus('i'), ended, true).ready).toBe(true);
});
