import { beforeAll, describe, expect, test } from '@jest/globals';
import { ClusterBed } from '../../../../testkit/beds/cluster-bed.js';
import type { Container, ContainerState, Lifecycle, Pod } from '../../../api/core_v1.js';
import { Pods } from '../../../kinds/index.js';

const BUSYBOX: Container = { name: 'first', image: 'busybox:1.36', command: ['sleep', '3600'] };
const exec = (script: string): Lifecycle => ({ postStart: { exec: { command: ['sh', '-c', script] } } });

/** A pod of two containers, the first with a hook, in a cluster whose kubelet wastes no time. */
function bedWith(lifecycle: Lifecycle, more: Partial<Container> = {}): ClusterBed {
  const bed = new ClusterBed('instant', 1);
  const containers = [
    { ...BUSYBOX, lifecycle, ...more },
    { ...BUSYBOX, name: 'second' },
  ];
  const terminationGracePeriodSeconds = lifecycle.postStart?.sleep ? 30 : 0;
  bed.create(Pods, 'web', { spec: { containers, terminationGracePeriodSeconds } });
  return bed;
}

const stateOf = (bed: ClusterBed, index: number): ContainerState =>
  bed.get(Pods, 'web').status.containerStatuses?.[index]?.state ?? {};
const summary = (bed: ClusterBed): readonly (string | undefined)[] => [
  bed.get(Pods, 'web').status.phase,
  ...[0, 1].map((index) => {
    const { waiting, running } = stateOf(bed, index);
    return running ? 'Running' : waiting?.reason;
  }),
];

describe.each<[string, Lifecycle]>([
  ['command', exec('sleep 20')],
  ['sleep', { postStart: { sleep: { seconds: 20 } } }],
])('while a %s of postStart runs', (_, lifecycle) => {
  const bed = bedWith(lifecycle, { readinessProbe: { exec: { command: ['true'] }, periodSeconds: 1 } });

  test('the API server hears of no container that runs, and the next one does not start', () => {
    expect(summary(bed.at(15))).toEqual(['Pending', 'ContainerCreating', 'ContainerCreating']);
    expect(bed.events('web').filter((event) => event.startsWith('Started'))).toHaveLength(1);
  });

  test('and then both run', () => {
    expect(summary(bed.at(30))).toEqual(['Running', 'Running', 'Running']);
    expect(bed.get(Pods, 'web').status.containerStatuses).toMatchObject([
      { ready: true, restartCount: 0 },
      { ready: true, restartCount: 0 },
    ]);
    expect(bed.errors).toEqual([]);
  });
});

test('a pod that is deleted meanwhile stops', () => {
  const bed = bedWith(exec('sleep 20'));
  bed.at(10).client.delete(Pods, { namespace: 'default', name: 'web' });
  bed.at(15);
  expect([bed.client.list(Pods, 'default'), bed.errors]).toEqual([[], []]);
});

/** Each in a pod of its own; `web` is the pod's place, IP its address. */
const FAILURES: readonly [name: string, Lifecycle, message: string][] = [
  [
    'a command',
    exec('echo so; echo not so >&2; exit 3'),
    'Exec lifecycle hook ([sh -c echo so; echo not so >&2; exit 3]) for Container "first" in Pod "web_default(UID)" failed - error: command \'sh -c echo so; echo not so >&2; exit 3\' exited with 3: not so\n, message: "so\\nnot so\\n"',
  ],
  [
    'one that is not there',
    { postStart: { exec: { command: ['nope'] } } },
    'Exec lifecycle hook ([nope]) for Container "first" in Pod "web_default(UID)" failed - error: rpc error: code = Unknown desc = failed to exec in container: failed to start exec "ID": OCI runtime exec failed: exec failed: unable to start container process: exec: "nope": executable file not found in $PATH: unknown, message: ""',
  ],
  [
    'one that fails after a while',
    exec('sleep 2; exit 1'),
    'Exec lifecycle hook ([sh -c sleep 2; exit 1]) for Container "first" in Pod "web_default(UID)" failed - error: command \'sh -c sleep 2; exit 1\' exited with 1: , message: ""',
  ],
  [
    'a request',
    { postStart: { httpGet: { path: '/x', port: 81, host: '' } } },
    'HTTP lifecycle hook (/x) for Container "first" in Pod "web_default(UID)" failed - error: Get "http://IP:81/x": dial tcp IP:81: connect: connection refused',
  ],
];

describe('a container whose hook fails is killed, says so, and backs off', () => {
  const bed = new ClusterBed('realistic', 1);
  const messages = new Map<string, Set<string | undefined>>();
  const waited = new Set<string>();

  beforeAll(() => {
    const { state } = bed.cluster;
    state.observe(state.resourceOf(Pods), (_old, next) => {
      const { metadata, status } = next as Pod;
      const { waiting } = status.containerStatuses?.[0]?.state ?? {};
      if (waiting?.reason === 'CrashLoopBackOff') waited.add(metadata.name ?? '');
      if (waiting?.reason !== 'PostStartHookError') return;
      const text = waiting.message
        ?.replace(metadata.name ?? '', 'web')
        .replaceAll(metadata.uid ?? '', 'UID')
        .replaceAll(status.podIP ?? '', 'IP')
        .replace(/[0-9a-f]{64}/, 'ID');
      messages.set(metadata.name ?? '', (messages.get(metadata.name ?? '') ?? new Set()).add(text));
    });
    FAILURES.forEach(([, lifecycle], i) => {
      const containers = [{ ...BUSYBOX, lifecycle }];
      bed.create(Pods, `pod-${i}`, { spec: { containers, terminationGracePeriodSeconds: 0 } });
    });
    bed.at(25);
  });

  test.each(FAILURES.map(([name, , message], i) => [name, i, message] as const))('%s', (_, i, message) => {
    const name = `pod-${i}`;
    expect([...(messages.get(name) ?? [])]).toEqual([message]);
    expect(waited.has(name)).toBe(true);
    expect(bed.events(name)).toEqual(
      expect.arrayContaining(['FailedPostStartHook: PostStartHook failed', 'Killing: FailedPostStartHook']),
    );
    expect(bed.errors).toEqual([]);
  });
});
