import { expect, test } from '@jest/globals';
import { Cluster, defaultWorkers, kinds, makeTemplate, type StreamResponse } from '@terrarium/engine';
import { catalog } from './index.js';

const SECOND = 1000;
const template = makeTemplate({ workers: defaultWorkers(1), speed: 'realistic' }, catalog);
const Pods = kinds.find((k) => k.kind === 'Pod')!;
const key = { namespace: 'default', name: 'p' };
const ADMIN = { name: 'kubernetes-admin', groups: ['system:masters'] };

function running(script: string, seconds: number) {
  const cluster = new Cluster({ seed: 'logs', images: catalog });
  cluster.load(template);
  const client = cluster.client(ADMIN);
  client.create(Pods, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: key,
    spec: { containers: [{ name: 'c', image: 'busybox:1.36', command: ['sh', '-c', script] }] },
  } as never);
  const now = cluster.state.now + seconds * SECOND;
  cluster.advance(now);
  const ask = (query: string, at: number) =>
    cluster.handle(
      { method: 'GET', path: '/api/v1/namespaces/default/pods/p/log', query, headers: {}, user: ADMIN },
      at,
    );
  return {
    now,
    log: (query = '', at = now): string => String((ask(query, at) as { body?: unknown }).body),
    follow: (query: string) => ask(query, now) as StreamResponse,
    remove: () => client.delete(Pods, key, { gracePeriodSeconds: 0 }),
  };
}

test('the text grows with time, and is cut as asked', () => {
  const { log, now } = running('i=0; while true; do echo line $i; i=$((i+1)); sleep 1; done', 15);
  const all = log().trimEnd().split('\n');
  expect(all.slice(0, 3)).toEqual(['line 0', 'line 1', 'line 2']);
  expect(log('tailLines=2')).toBe(`${all.slice(-2).join('\n')}\n`);
  const times = log('timestamps=true')
    .trimEnd()
    .split('\n')
    .map((line) => Date.parse(line.split(' ', 1)[0]!));
  const count = times.filter((time) => time >= now - 3 * SECOND).length;
  expect(count).toBeGreaterThan(1);
  expect(log('sinceSeconds=3').trimEnd().split('\n')).toEqual(all.slice(-count));
  expect(log('timestamps=true&tailLines=1')).toMatch(/^2026-01-01T\d\d:\d\d:\d\d\.\d{9}Z line \d+\n$/);
  expect(
    log('', now + 5 * SECOND)
      .trimEnd()
      .split('\n'),
  ).toHaveLength(all.length + 5);
});

test('the time of a line is that of its container, to the millisecond', () => {
  const { log } = running('while true; do date +%s; sleep 1; done', 10);
  const lines = log('timestamps=true').trimEnd().split('\n');
  const late = lines.map((line) => Date.parse(line.split(' ', 1)[0]!) / SECOND - Number(line.split(' ')[1]));
  expect(lines.length).toBeGreaterThan(5);
  expect(late.filter((seconds) => seconds < 0 || seconds >= 1)).toEqual([]);
});

test('a followed log gives what is new, and ends with its container', () => {
  const { follow, now, remove } = running('while true; do echo tick; sleep 1; done', 10);
  const stream = follow('follow=true&tailLines=1');
  expect(stream.next(now).chunk).toBe('tick\n');
  expect(stream.next(now).chunk).toBe('');
  expect(stream.next(now + 2 * SECOND)).toMatchObject({ chunk: 'tick\ntick\n', done: false });
  remove();
  expect(stream.next(now + 2 * SECOND).done).toBe(true);
});

test('the log before the restart is kept', () => {
  const { log } = running('echo one life; sleep 1; exit 1', 15);
  expect(log('previous=true')).toBe('one life\n');
});

test('a container that waits has none', () => {
  const { log } = running('echo', 0.01);
  expect(log()).toContain('container \\"c\\" in pod \\"p\\" is waiting to start: ContainerCreating');
});

test('a run that had much to do before its end is read once, not again and again', () => {
  const { log } = running('dd if=/dev/zero of=/tmp/x bs=1M count=20; sleep 1; exit 1', 20);
  expect(log()).toMatch(/^20\+0 records in\n20\+0 records out\n/);
});
