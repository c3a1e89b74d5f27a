import { expect, test } from '@jest/globals';
import { container, pod, readerOf, running, STAMP, terminated } from '../../kubelet/testing.js';
import { idOf, viewRuntime } from './runtime-view.js';

const web = pod(
  { containers: [container('a', { image: 'nginx:1' }), container('b', { image: 'busybox' })] },
  {
    phase: 'Running',
    startTime: STAMP,
    podIP: '10.244.1.2',
    containerStatuses: [
      running('a', {
        containerID: 'containerd://aaa',
        restartCount: 1,
        lastState: { terminated: { containerID: 'containerd://old', exitCode: 2, finishedAt: STAMP } },
      }),
      {
        ...terminated('b', 3),
        state: { terminated: { exitCode: 3, finishedAt: STAMP, containerID: 'containerd://bbb' } },
      },
    ],
  },
);

test('a node’s containers are those that its pods’ statuses tell of', () => {
  const read = {
    ...readerOf(web),
    byIndex: (_: unknown, index: string) => (index === 'nodeName' ? [web] : []),
  } as unknown as ReturnType<typeof readerOf>;
  const { pods, containers } = viewRuntime(read, 'worker-1');
  expect(pods.map(({ name, isReady, ip }) => [name, isReady, ip])).toEqual([['web', true, '10.244.1.2']]);
  expect(containers.map(({ id, state, exitCode, attempt }) => [id, state, exitCode, attempt])).toEqual([
    ['aaa', 'Running', 0, 1],
    ['old', 'Exited', 2, 0],
    ['bbb', 'Exited', 3, 0],
  ]);
  expect(new Set(containers.map(({ podId }) => podId))).toEqual(new Set([pods[0]!.id]));
});

test.each([
  ['containerd://abc', 'abc'],
  ['cri-o://abc', 'abc'],
])('the id of %s', (text, expected) => expect(idOf(text)).toBe(expected));
