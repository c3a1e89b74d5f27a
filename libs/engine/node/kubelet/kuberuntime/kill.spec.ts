import { expect, test } from '@jest/globals';
import type { Container } from '../../../api/core_v1.js';
import type { Process } from '../../cri/image.js';
import { formatTime } from '../pod/pod-runtime.js';
import { container, NOW, pod, process } from '../testing.js';
import { killContainer, shortenGracePeriods } from './kill.js';

const prompt = process({ stop: { afterMs: 100, code: 0 } });
const deaf = process();
const sleeps = (seconds: number): Partial<Container> => ({ lifecycle: { preStop: { sleep: { seconds } } } });
const command = (...words: string[]): Partial<Container> => ({ lifecycle: { preStop: { exec: { command: words } } } });

test.each<[string, Process | undefined, Partial<Container>, number | undefined, number, number]>([
  ['that answers SIGTERM', prompt, {}, undefined, 100, 0],
  ['that does not: SIGKILL after the pod’s grace period', deaf, {}, undefined, 30_000, 137],
  ['whose image is not known any more', undefined, {}, undefined, 30_000, 137],
  ['with its own grace period', deaf, {}, 5, 5_000, 137],
  ['with a grace period of 0: 2 s at least', deaf, {}, 0, 2_000, 137],
  ['that is slower than its grace period', process({ stop: { afterMs: 6_000, code: 0 } }), {}, 5, 5_000, 137],
  ['with a preStop hook that sleeps', prompt, sleeps(3), undefined, 3_100, 0],
  ['with a preStop hook that runs a sleep', prompt, command('sh', '-c', 'sleep 7.5; true'), undefined, 7_600, 0],
  ['with a preStop hook longer than the grace period', prompt, sleeps(60), 10, 10_000, 137],
])('a container %s', (_case, own, more, graceSeconds, afterMs, code) => {
  const record = killContainer({
    pod: pod(),
    container: container('c', more),
    record: { startedAt: 'x' },
    process: own,
    now: NOW,
    instant: false,
    graceSeconds,
  });
  expect(record).toEqual({ startedAt: 'x', dying: { at: formatTime(NOW + afterMs), code } });
});

test('a preStop command that does more than sleep begins at once', () => {
  const hooked = container('c', command('nginx', '-s', 'quit'));
  const record = killContainer({
    pod: pod(),
    container: hooked,
    record: {},
    process: prompt,
    now: NOW,
    instant: false,
  });
  expect(record.dying).toEqual({ at: formatTime(NOW + 100), code: 0, hook: formatTime(NOW) });
});

test('without delays it stops at once', () => {
  const request = { pod: pod(), container: container('c', sleeps(3)), record: {}, process: deaf, now: NOW };
  expect(killContainer({ ...request, instant: true }).dying).toEqual({ at: formatTime(NOW), code: 137 });
});

test.each([
  ['later than the deadline', 30_000, 10_000, 10_000],
  ['earlier than the deadline', 5_000, 10_000, 5_000],
  ['later than a deadline that is past: now', 30_000, -10_000, 0],
])('a container that would end %s', (_case, at, deadline, expected) => {
  const dying = { at: formatTime(NOW + at), code: 137 };
  const records = { a: { dying }, b: { backoff: 10 } };
  expect(shortenGracePeriods(records, NOW + deadline, NOW)).toEqual({
    a: { dying: { at: formatTime(NOW + expected), code: 137 } },
    b: { backoff: 10 },
  });
  expect(dying.at).toBe(formatTime(NOW + at));
});
