import { describe, expect, test } from '@jest/globals';
import type { ContainerStatus } from '../../../api/core_v1.js';
import { NOW, pod, running, terminated, waiting } from '../testing.js';
import { findLogRun, type LogRun } from './log-run.js';

const find = (status: ContainerStatus | undefined, previous = false): LogRun =>
  findLogRun(pod({}, { containerStatuses: status ? [status] : [] }), 'c', previous);
const ended = terminated('c', 1).state!;
ended.terminated!.containerID = 'containerd://old';

describe('the run whose log is read', () => {
  test.each([
    ['runs', running('c'), false, 'containerd://c', undefined],
    ['has ended', { ...terminated('c', 1), state: ended }, false, 'containerd://old', NOW],
    ['ended before a back-off', waiting('c', 'CrashLoopBackOff', { lastState: ended }), false, 'containerd://old', NOW],
    ['came before the one that runs', running('c', { lastState: ended }), true, 'containerd://old', NOW],
  ])('%s', (_case, status, previous, containerID, finishedAt) => {
    expect(find(status, previous)).toMatchObject({ containerID, startedAt: NOW, finishedAt });
  });
});

// Models kubelet_pods.go validateContainerLogStatus.
test.each<[ContainerStatus | undefined, boolean, string]>([
  [undefined, false, 'container "c" in pod "web" is not available'],
  [running('c'), true, 'previous terminated container "c" in pod "web" not found'],
  [waiting('c'), false, 'container "c" in pod "web" is waiting to start: ContainerCreating'],
  [waiting('c', 'PodInitializing'), false, 'container "c" in pod "web" is waiting to start: PodInitializing'],
  [waiting('c', 'ErrImagePull'), false, 'container "c" in pod "web" is waiting to start: image can\'t be pulled'],
  [
    waiting('c', 'ImagePullBackOff'),
    false,
    'container "c" in pod "web" is waiting to start: trying and failing to pull image',
  ],
])('%j, previous %s', (status, previous, message) => {
  expect(() => find(status, previous)).toThrow(message);
});
