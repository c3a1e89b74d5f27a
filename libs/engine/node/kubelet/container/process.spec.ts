import { describe, expect, test } from '@jest/globals';
import type { Container, PodSpec } from '../../../api/core_v1.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import { makeCatalog } from '../../cri/images/catalog.js';
import type { Image, Start } from '../../cri/image.js';
import { container, node, NOW, pod, process, readerOf, STAMP } from '../testing.js';
import { connectsAt, networkOf, processOf, resolvesAt, serviceKey } from './process.js';

const DIGITS = 'a'.repeat(64);

/** What an image is started with. */
function startOf(
  own: Partial<Container>,
  spec: Partial<PodSpec> = {},
  init = false,
  more: readonly KubeObject[] = [],
): Start {
  let start: Start | undefined;
  const image: Image = {
    repositories: ['docker.io/library/nginx'],
    tags: /./,
    layers: [],
    config: { entrypoint: ['/entry'], cmd: ['serve'], env: { FROM: 'image', BOTH: 'image' } },
    start: (given) => ((start = given), process()),
  };
  const run = { container: container('c', own), image: 'nginx:1.27', containerID: DIGITS, startedAt: NOW };
  const containers = init ? { initContainers: [run.container] } : { containers: [run.container] };
  const of = pod({ ...spec, ...containers }, { podIP: '10.244.1.2' });
  const read = readerOf(node({ allocatable: { cpu: '4' } }), ...more);
  processOf(makeCatalog([image], image, { isPublished: () => false }), run, { pod: of, read }, networkOf(read, 'shop'));
  return start!;
}

test.each<[string, Partial<Container>, string[]]>([
  ['the image’s own', {}, ['/entry', 'serve']],
  ['args replace cmd', { args: ['x'] }, ['/entry', 'x']],
  ['command replaces both', { command: ['/own'] }, ['/own']],
  ['command and args', { command: ['/own'], args: ['x'] }, ['/own', 'x']],
  ['variables are expanded', { args: ['$(A)', '$$(A)'], env: [{ name: 'A', value: '1' }] }, ['/entry', '1', '$(A)']],
])('command line: %s', (_case, own, expected) => {
  expect(startOf(own).argv).toEqual(expected);
});

test('a container is started with its image’s variables under its own, its pod and its ID', () => {
  const start = startOf({ env: [{ name: 'BOTH', value: 'pod' }] });
  expect(start.env).toEqual({ FROM: 'image', BOTH: 'pod' });
  expect(start.pod).toEqual({
    ...{ name: 'web', namespace: 'shop', ip: '10.244.1.2', node: 'worker-1' },
    podCIDR: '10.244.1.0/24',
  });
  expect([start.seed, start.at]).toEqual([DIGITS, NOW]);
});

test('variables are the image’s, the container’s, then those of Services', () => {
  const metadata = { name: 'kubernetes', namespace: 'default', creationTimestamp: STAMP };
  const spec = { clusterIP: '10.96.0.1', ports: [{ port: 443 }] };
  const kubernetes = { apiVersion: 'v1', kind: 'Service', metadata, spec };
  const env = ['Z', 'KUBERNETES_PORT'].map((name) => ({ name, value: 'own' }));
  const names = Object.keys(startOf({ env }, {}, false, [kubernetes]).env);
  expect(names.slice(0, 5)).toEqual(['FROM', 'BOTH', 'Z', 'KUBERNETES_PORT', 'KUBERNETES_SERVICE_HOST']);
});

test('a limit that is not set is what the node can give, whoever asks for the process', () => {
  const valueFrom = { resourceFieldRef: { resource: 'limits.cpu' } };
  expect(startOf({ env: [{ name: 'CPU_LIMIT', valueFrom }] }).env).toMatchObject({ CPU_LIMIT: '4' });
});

test('references to objects that were deleted since are left out', () => {
  expect(startOf({ env: [{ name: 'A', value: '1' }], envFrom: [{ secretRef: { name: 'gone' } }] }).env).toMatchObject({
    A: '1',
  });
});

test.each<[string, Partial<Container>, Partial<PodSpec>, boolean, boolean]>([
  ['Always', {}, {}, false, false],
  ['Never', {}, { restartPolicy: 'Never' }, false, true],
  ['OnFailure', {}, { restartPolicy: 'OnFailure' }, false, true],
  ['an init container', {}, {}, true, true],
  ['a sidecar', { restartPolicy: 'Always' }, {}, true, false],
])('is the program expected to end? %s', (_case, own, spec, init, expected) => {
  expect(startOf(own, spec, init).ends).toBe(expected);
});

test('an image that is not known any more has no process', () => {
  const run = { container: container(), image: 'nginx::', containerID: DIGITS, startedAt: NOW };
  const none = makeCatalog([], {} as Image, { isPublished: () => false });
  expect(processOf(none, run, { pod: pod() }, networkOf(readerOf(), 'shop'))).toBeUndefined();
});

test.each([
  ['localhost', undefined],
  ['web', { namespace: 'shop', name: 'web' }],
  ['web.other', { namespace: 'other', name: 'web' }],
  ['web.other.svc.cluster.local', { namespace: 'other', name: 'web' }],
  ['www.example.com', undefined],
])('the Service that %s stands for', (host, expected) => {
  expect(serviceKey(host, 'shop')).toEqual(expected);
});

const service = (name: string, spec: object): KubeObject =>
  ({ kind: 'Service', metadata: { name, namespace: 'shop', creationTimestamp: STAMP }, spec }) as unknown as KubeObject;
const slice = (name: string, ...endpoints: object[]): KubeObject =>
  ({
    kind: 'EndpointSlice',
    metadata: { name, namespace: 'shop', labels: { 'kubernetes.io/service-name': name } },
    endpoints,
  }) as unknown as KubeObject;
const read = readerOf(
  service('web', { clusterIP: '10.96.0.1', ports: [{ port: 80 }] }),
  service('empty', { clusterIP: '10.96.0.2', ports: [{ port: 80 }] }),
  service('db', { clusterIP: 'None' }),
  service('away', { type: 'ExternalName' }),
  slice('web', { conditions: { ready: true }, targetRef: { kind: 'Pod', name: 'web' } }),
  slice('db', { conditions: {} }),
  slice('empty', { conditions: { ready: false } }),
  pod({}, { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: STAMP }] }),
);

describe('cluster DNS', () => {
  test.each([
    ['a Service before it is made', 'web', NOW - 1, false],
    ['a Service', 'web', NOW, true],
    ['no Service', 'nothing', NOW, false],
    ['localhost', 'localhost', NOW, true],
    ['a host outside', 'www.example.com', NOW, true],
    ['a short name outside', 'example.com', NOW, true],
  ])('%s', (_case, host, at, expected) => {
    expect(resolvesAt(read, 'shop', host, at)).toBe(expected);
  });
});

describe('connections', () => {
  test.each([
    ['a Service whose pod was ready', 'web', 80, NOW, true],
    ['a Service whose pod was not ready yet', 'web', 80, NOW - 1, false],
    ['a port that the Service does not have', 'web', 81, NOW, false],
    ['a Service without ready endpoints', 'empty', 80, NOW, false],
    ['a headless Service, any port', 'db', 5432, NOW, true],
    ['an ExternalName', 'away', 443, NOW, true],
    ['a host outside', 'www.example.com', 443, NOW, true],
  ])('%s', (_case, host, port, at, expected) => {
    expect(connectsAt(read, 'shop', host, port, at)).toBe(expected);
  });
});
