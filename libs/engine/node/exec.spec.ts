import { describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../machinery/meta/object.js';
import { makeCatalog } from './cri/catalog.js';
import type { CommandWorld, Image } from './cri/image.js';
import { execIn } from './exec.js';
import { container, NOW, pod, process, readerOf, running } from './kubelet/testing.js';

/** Runs `fetch HOST PORT`, and serves its pod's name on port 80. */
const fetcher: Image = {
  repositories: ['docker.io/library/fetcher'],
  tags: /./,
  layers: [],
  config: {},
  start: (start) =>
    process({
      serve: () => ({ status: 200, body: start.pod.name }),
      run: ([, host = '', port], { fetch }: CommandWorld) => {
        const request = {
          scheme: 'http',
          port: Number(port),
          method: 'GET',
          path: '/',
          headers: {},
          body: '',
        } as const;
        return { output: String(fetch(host, request)?.body ?? 'nothing'), code: 0, ended: true };
      },
    }),
};
const images = makeCatalog([fetcher], fetcher, () => true);
const named = (name: string, podIP: string): ReturnType<typeof pod> =>
  pod(
    { containers: [container('c', { image: 'fetcher:1' })] },
    { podIP, containerStatuses: [running('c', { image: 'fetcher:1' })] },
    { name },
  );
const service = (name: string, spec: object): KubeObject =>
  ({ kind: 'Service', metadata: { name, namespace: 'shop' }, spec }) as unknown as KubeObject;
const endpoints = (name: string, podName: string): KubeObject =>
  ({
    kind: 'Endpoints',
    metadata: { name, namespace: 'shop' },
    subsets: [{ addresses: [{ ip: '10.244.1.3', targetRef: { kind: 'Pod', name: podName } }], ports: [{ port: 80 }] }],
  }) as unknown as KubeObject;

const [here, there] = [named('here', '10.244.1.2'), named('there', '10.244.1.3')];
const read = readerOf(
  here,
  there,
  service('web', { clusterIP: '10.96.0.1', ports: [{ port: 8080, targetPort: 80 }] }),
  endpoints('web', 'there'),
  service('headless', { clusterIP: 'None' }),
  endpoints('headless', 'there'),
  service('empty', { clusterIP: '10.96.0.2', ports: [{ port: 80 }] }),
);

describe('a command reaches', () => {
  test.each([
    ['its own pod', 'localhost', 80, 'here'],
    ['another pod by its address', '10.244.1.3', 80, 'there'],
    ['a Service by its name', 'web', 8080, 'there'],
    ['a Service in full', 'web.shop.svc.cluster.local', 8080, 'there'],
    ['a Service by its address', '10.96.0.1', 8080, 'there'],
    ['a headless Service by the pod’s port', 'headless', 80, 'there'],
  ])('%s', (_case, host, port, expected) => {
    const run = execIn(here, 'c', ['fetch', host, String(port)], NOW, images, read)!;
    expect(run('')).toEqual({ output: expected, code: 0, ended: true });
  });

  test.each([
    ['no port that a Service does not have', 'web', 80],
    ['no Service without endpoints', 'empty', 80],
    ['no port that nothing listens on', '10.244.1.3', 81],
    ['no host outside', 'www.example.com', 80],
  ])('%s', (_case, host, port) => {
    expect(execIn(here, 'c', ['fetch', host, String(port)], NOW, images, read)!('').output).toBe('nothing');
  });
});

test('a container that does not run takes no command', () => {
  expect(execIn(pod(), 'c', ['true'], NOW, images, read)).toBeUndefined();
});

test('a container without files has no commands', () => {
  const bare: Image = { ...fetcher, start: () => process({}) };
  const run = execIn(
    here,
    'c',
    ['ls', '/'],
    NOW,
    makeCatalog([bare], bare, () => true),
    read,
  )!;
  expect(run('')).toEqual({ output: 'exec: "ls": executable file not found in $PATH\n', code: 127, ended: true });
});
