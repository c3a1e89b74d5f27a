import { expect, test } from '@jest/globals';
import type { Pod } from '../../../api/core_v1.js';
import { readerOf } from '../../kubelet/testing.js';
import { CP } from '../testing.js';
import { viewProcesses } from './process-view.js';

const podWith = (container: object, more: object = {}): Pod =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'shop', uid: 'u' },
    spec: { nodeName: 'cp', containers: [{ name: 'c', image: 'nginx', ...container }], ...more },
    status: {
      startTime: '2026-01-01T00:00:00Z',
      phase: 'Running',
      containerStatuses: [
        { name: 'c', containerID: 'containerd://abc', state: { running: { startedAt: '2026-01-01T00:00:01Z' } } },
      ],
    },
  }) as unknown as Pod;
const view = (...pods: Pod[]) =>
  viewProcesses(
    { ...readerOf(CP, ...pods), byIndex: (_: unknown, index: string) => (index === 'nodeName' ? pods : []) } as never,
    'cp',
    () => ['/docker-entrypoint.sh', 'nginx'],
  );
const commands = (...pods: Pod[]): string[] => view(...pods).processes.map(({ argv }) => argv.join(' '));

test('a node without pods runs its services', () =>
  expect(commands().map((line) => line.split(' ', 1)[0])).toEqual([
    '/sbin/init',
    '/usr/lib/systemd/systemd-journald',
    '/usr/bin/containerd',
    '/usr/bin/kubelet',
  ]));

test.each([
  [{}, 'nginx: master process nginx'],
  [{ command: ['sleep', '5'] }, 'sleep 5'],
  [{ command: ['echo'], args: ['$(A)'], env: [{ name: 'A', value: 'b' }] }, 'echo b'],
  [{ command: ['p', '$(N)'], env: [{ name: 'N', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }] }, 'p cp'],
])('a container with %j is %s', (container, expected) => expect(commands(podWith(container))).toContain(expected));

test('a pod is a shim, its pause, and its containers', () => {
  const { processes } = view(podWith({}));
  const shim = processes.find(({ argv }) => argv[0]!.includes('shim'))!;
  expect(processes.filter(({ parent }) => parent === shim.pid).map(({ argv }) => argv[0])).toEqual(
    expect.arrayContaining(['/pause', 'nginx: master process nginx']),
  );
});

test('ports of the node’s network are those that containers declare there', () =>
  expect(view(podWith({ ports: [{ containerPort: 80 }] }, { hostNetwork: true })).sockets.at(-1)).toMatchObject({
    port: 80,
    address: '*',
  }));
