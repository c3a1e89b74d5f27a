import { expect, test } from '@jest/globals';
import { Cluster, defaultWorkers, kinds, makeTemplate, podLogs, type StreamResponse } from '@terrarium/engine';
import { catalog } from './index.js';

const SECOND = 1000;
const template = makeTemplate({ workers: defaultWorkers(1), speed: 'realistic' }, catalog);
const Pods = kinds.find((k) => k.kind === 'Pod')!;
const key = { namespace: 'default', name: 'p' };
const OPTIONS = { container: 'c', follow: false, previous: false, timestamps: false };

function running(script: string, seconds: number) {
  const cluster = new Cluster({ seed: 'logs', images: catalog });
  cluster.load(template);
  const client = cluster.client({ name: 'kubernetes-admin', groups: ['system:masters'] });
  client.create(Pods, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: key,
    spec: { containers: [{ name: 'c', image: 'busybox:1.36', command: ['sh', '-c', script] }] },
  } as never);
  const now = cluster.state.now + seconds * SECOND;
  cluster.advance(now);
  return {
    cluster,
    now,
    pod: () => client.get(Pods, key) as unknown as Parameters<typeof podLogs>[0],
    read: cluster.state,
    remove: () => client.delete(Pods, key, { gracePeriodSeconds: 0 }),
  };
}
const body = (response: ReturnType<typeof podLogs>): string => (response.type === 'body' ? String(response.body) : '');

test('the text grows with time, and is cut as asked', () => {
  const { pod, now } = running('i=0; while true; do echo line $i; i=$((i+1)); sleep 1; done', 15);
  const all = body(podLogs(pod(), OPTIONS, now, catalog))
    .trimEnd()
    .split('\n');
  expect(all.slice(0, 3)).toEqual(['line 0', 'line 1', 'line 2']);
  expect(
    body(podLogs(pod(), OPTIONS, now + 5 * SECOND, catalog))
      .trimEnd()
      .split('\n'),
  ).toHaveLength(all.length + 5);
  expect(body(podLogs(pod(), { ...OPTIONS, tailLines: 2 }, now, catalog))).toBe(`${all.slice(-2).join('\n')}\n`);
  expect(
    body(podLogs(pod(), { ...OPTIONS, sinceSeconds: 3 }, now, catalog))
      .trimEnd()
      .split('\n'),
  ).toEqual(all.slice(-4));
  expect(body(podLogs(pod(), { ...OPTIONS, timestamps: true, tailLines: 1 }, now, catalog))).toMatch(
    /^2026-01-01T\d\d:\d\d:\d\d\.\d{9}Z line \d+\n$/,
  );
});

test('a followed log gives what is new, and ends with its container', () => {
  const { pod, now, read, remove } = running('while true; do echo tick; sleep 1; done', 10);
  const stream = podLogs(pod(), { ...OPTIONS, follow: true, tailLines: 1 }, now, catalog, read) as StreamResponse;
  expect(stream.next(now).chunk).toBe('tick\n');
  expect(stream.next(now).chunk).toBe('');
  expect(stream.next(now + 2 * SECOND)).toMatchObject({ chunk: 'tick\ntick\n', done: false });
  remove();
  expect(stream.next(now + 2 * SECOND).done).toBe(true);
});

test('the log before the restart is kept', () => {
  const { pod, now } = running('echo one life; sleep 1; exit 1', 15);
  expect(body(podLogs(pod(), { ...OPTIONS, previous: true }, now, catalog))).toBe('one life\n');
});

test('a container that waits has none', () => {
  const { pod, now } = running('echo', 0);
  expect(() => podLogs(pod(), OPTIONS, now, catalog)).toThrow(
    'container "c" in pod "p" is waiting to start: ContainerCreating',
  );
});
