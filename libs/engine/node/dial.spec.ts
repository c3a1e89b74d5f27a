import { expect, test } from '@jest/globals';
import type { Pod } from '../api/core_v1.js';
import type { PodHttpRequest } from '../machinery/requests/http.js';
import { makeCatalog } from './cri/images/catalog.js';
import type { Image, Process } from './cri/image.js';
import { dialPod, runningContainers } from './dial.js';
import { container, NOW, pod, process, readerOf, running, terminated, waiting } from './kubelet/testing.js';

const PROCESSES: Record<string, Process> = {
  web: process({ readyAfterMs: 1_000, serve: ({ path }) => ({ status: 200, body: path }) }),
  plain: process({ listens: [8080] }),
};
const image = (name: string): Image => ({
  repositories: [`docker.io/library/${name}`],
  tags: /./,
  layers: [],
  config: {},
  start: () => PROCESSES[name]!,
});
const images = makeCatalog([image('web'), image('plain')], image('web'), { isPublished: () => true });
const two = { containers: [container('a', { image: 'web:1' }), container('b', { image: 'plain:1' })] };
const both: Pod = pod(two, {
  podIP: '10.244.1.2',
  containerStatuses: [running('a', { image: 'web:1' }), running('b', { image: 'plain:1' })],
});
const dial = (of: Pod, port: number, now = NOW + 1_000): ReturnType<typeof dialPod> => {
  const request: PodHttpRequest = { scheme: 'http', port, method: 'GET', path: '/x', headers: {}, body: '' };
  return dialPod(of, request, now, images, readerOf());
};
const refused = (port: number): object => ({ error: `dial tcp 10.244.1.2:${port}: connect: connection refused` });

test.each([
  ['the container that listens', both, 80, NOW + 1_000, { status: 200, body: '/x' }],
  ['another container, which says nothing special', both, 8080, NOW + 1_000, { status: 200 }],
  ['a container that is not ready yet', both, 80, NOW + 999, refused(80)],
  ['a port that nothing listens on', both, 81, NOW + 1_000, refused(81)],
  ['a pod without an address', pod(two), 80, NOW, { error: 'dial tcp: address <nil>: no suitable address found' }],
])('%s', (_case, of, port, now, expected) => {
  expect(dial(of, port, now)).toEqual(expected);
});

test('only containers that run are reached', () => {
  const spec = {
    ...two,
    initContainers: [container('i', { image: 'web:1' })],
    ephemeralContainers: [{ name: 'e', image: 'plain:1' }],
  };
  const of = pod(spec, {
    containerStatuses: [terminated('a', 0), waiting('b')],
    initContainerStatuses: [running('i', { image: 'web:1' })],
    ephemeralContainerStatuses: [running('e', { image: 'plain:1' })],
  });
  const found = [...runningContainers(of, NOW + 5_000, images, readerOf())];
  expect(found.map((r) => [r.container.name, r.sinceStart])).toEqual([
    ['i', 5_000],
    ['e', 5_000],
  ]);
});

test('a server is reached while its postStart hook runs', () => {
  const of = pod(
    { containers: [container('a', { image: 'web:1' })] },
    { podIP: '10.244.1.2', containerStatuses: [waiting('a')] },
  );
  const runtime = {
    apiVersion: 'terrarium.dev/v1alpha1',
    kind: 'PodRuntime',
    metadata: { name: 'web', namespace: 'shop' },
    uid: 'u1',
    containers: { a: { postStart: { status: running('a', { image: 'web:1' }) } } },
  };
  const request: PodHttpRequest = { scheme: 'http', port: 80, method: 'GET', path: '/x', headers: {}, body: '' };
  expect(dialPod(of, request, NOW + 1_000, images, readerOf(of, runtime))).toEqual({ status: 200, body: '/x' });
});
