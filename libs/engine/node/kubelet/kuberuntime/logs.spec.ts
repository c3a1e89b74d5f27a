import { describe, expect, test } from '@jest/globals';
import type { Pod } from '../../../api/core_v1.js';
import type { PodLogOptions, StreamResponse } from '../../../machinery/requests/http.js';
import { timestamp } from '../../../machinery/time/time.js';
import { makeCatalog } from '../../cri/images/catalog.js';
import type { Machines } from '../../cri/machines.js';
import type { Image, LogLine, Process } from '../../cri/image.js';
import { NOW, pod, process, readerOf, running, terminated } from '../testing.js';
import { podLogs } from './logs.js';

/** Writes a line each second: 'line 0' at its start. */
const ticking = (more: Partial<Process> = {}): Image => ({
  repositories: ['docker.io/library/nginx'],
  tags: /./,
  layers: [],
  config: {},
  start: () =>
    process({
      lines: (until) =>
        Array.from({ length: Math.floor(until / 1_000) + 1 }, (_, i): LogLine => ({
          at: i * 1_000,
          text: `line ${i}`,
        })),
      ...more,
    }),
});
const catalogOf = (image: Image): ReturnType<typeof makeCatalog> =>
  makeCatalog([image], image, { isPublished: () => true });
const images = catalogOf(ticking());
const OPTIONS: PodLogOptions = { container: 'c', follow: false, previous: false, timestamps: false };
const alive: Pod = pod({}, { containerStatuses: [running('c')] });
const body = (options: Partial<PodLogOptions> = {}, of = alive, now = NOW + 3_500): string => {
  const log = podLogs(of, { ...OPTIONS, ...options }, now, images);
  return log.type === 'body' ? String(log.body) : 'a stream';
};

test.each<[string, Partial<PodLogOptions>, string]>([
  ['all', {}, 'line 0\nline 1\nline 2\nline 3\n'],
  ['tailLines', { tailLines: 2 }, 'line 2\nline 3\n'],
  ['tailLines 0', { tailLines: 0 }, ''],
  ['sinceSeconds', { sinceSeconds: 2 }, 'line 2\nline 3\n'],
  ['sinceTime', { sinceTime: timestamp(NOW + 3_000) }, 'line 3\n'],
  ['sinceSeconds, then tailLines', { sinceSeconds: 3, tailLines: 1 }, 'line 3\n'],
  ['limitBytes', { limitBytes: 10 }, 'line 0\nlin'],
  ['timestamps', { timestamps: true, tailLines: 1 }, '2026-01-01T12:00:03.000000000Z line 3\n'],
])('%s', (_case, options, expected) => {
  expect(body(options)).toBe(expected);
});

test('limitBytes counts bytes, in a followed log too', () => {
  const image = ticking({
    lines: (until) =>
      [
        { at: 0, text: 'ééé' },
        { at: 2_000, text: 'ééé' },
      ].filter((line) => line.at <= until),
  });
  const logs = (options: Partial<PodLogOptions>) =>
    podLogs(alive, { ...OPTIONS, limitBytes: 10, ...options }, NOW + 1_000, catalogOf(image), readerOf(alive));
  expect(podLogs(alive, { ...OPTIONS, limitBytes: 4 }, NOW + 1_000, catalogOf(image))).toMatchObject({ body: 'éé' });
  const stream = logs({ follow: true }) as StreamResponse;
  expect(stream.next(NOW + 1_000).chunk).toBe('ééé\n');
  expect(stream.next(NOW + 2_000)).toMatchObject({ chunk: 'é' });
});

test.each<[string, Partial<PodLogOptions>, string]>([
  ['all', {}, 'the text\n'],
  ['limitBytes', { limitBytes: 5 }, 'the t'],
  ['a stream', { stream: 'stdout', tailLines: 1 }, 'line 1\n'],
  ['tailLines', { tailLines: 1 }, 'line 1\n'],
  ['sinceSeconds', { sinceSeconds: 1 }, 'line 1\n'],
  ['sinceTime', { sinceTime: timestamp(NOW + 1_000) }, 'line 1\n'],
  ['timestamps', { timestamps: true, tailLines: 1 }, '2026-01-01T12:00:01.000000000Z line 1\n'],
])('the text of a whole log is read when it is known, and serves for: %s', (_case, options, expected) => {
  const image = ticking({ logText: (until) => (until === 1_999 ? 'the text\n' : undefined) });
  const log = podLogs(alive, { ...OPTIONS, ...options }, NOW + 1_999, catalogOf(image));
  expect(log).toMatchObject({ body: expected });
});

test('an ended run wrote nothing after its last second', () => {
  const state = {
    terminated: { exitCode: 0, containerID: 'x', startedAt: timestamp(NOW), finishedAt: timestamp(NOW + 1_000) },
  };
  const of = pod({}, { containerStatuses: [terminated('c', 0, { state })] });
  expect(body({}, of)).toBe('line 0\nline 1\n');
  expect(body({ follow: true }, of)).toBe('line 0\nline 1\n');
});

test('who has asked a run of the past is read of machines as they are now', () => {
  const state = {
    terminated: { exitCode: 0, containerID: 'x', startedAt: timestamp(NOW), finishedAt: timestamp(NOW + 1_000) },
  };
  const of = pod({}, { containerStatuses: [terminated('c', 0, { state })] });
  const looks: number[] = [];
  const machines = {
    viewOf: (one: Pod) => ({ pod: one, statuses: new Map(), records: {} }),
    processOf: () => process({ lines: () => [{ at: 0, text: 'begun' }] }),
    logsRequests: () => true,
    questionsTo: (_uid: string, now: number) => {
      looks.push(now);
      return [500, 90_000].map((at) => ({ at: NOW + at, text: `asked after ${at} ms` }));
    },
  } as unknown as Machines;
  const log = podLogs(of, OPTIONS, NOW + 100_000, images, readerOf(of), machines);
  expect(log).toMatchObject({ body: 'begun\nasked after 500 ms\n' });
  expect(new Set(looks)).toEqual(new Set([NOW + 100_000]));
});

test('a container that waits has no log', () => {
  expect(() => body({}, pod({}, { containerStatuses: [] }))).toThrow('container "c" in pod "web" is not available');
});

describe('a followed log', () => {
  const follow = (options: Partial<PodLogOptions> = {}, read = readerOf(alive), image = ticking()): StreamResponse =>
    podLogs(alive, { ...OPTIONS, follow: true, ...options }, NOW + 1_500, catalogOf(image), read) as StreamResponse;

  test.each([
    ['at the next line that is known', 1_800, NOW + 2_000],
    ['not more than fifty times a second', 1_990, NOW + 2_010],
    ['four times a second at least', 1_100, NOW + 1_350],
  ])('is read again %s', (_case, ms, expected) => expect(follow().next(NOW + ms)).toMatchObject({ wakeAt: expected }));

  test('a part of a line has no newline, and its rest no time', () => {
    const image = ticking({
      lines: () => [
        { at: 0, text: 'a', isPartial: true },
        { at: 1_000, text: 'b' },
        { at: 1_000, text: 'c', isPartial: true },
      ],
    });
    const log = (options: Partial<PodLogOptions>) =>
      podLogs(alive, { ...OPTIONS, ...options }, NOW + 1_500, catalogOf(image));
    expect(log({})).toMatchObject({ body: 'ab\nc' });
    expect(log({ timestamps: true })).toMatchObject({
      body: '2026-01-01T12:00:00.000000000Z ab\n2026-01-01T12:00:01.000000000Z c',
    });
  });

  test('goes on with what is written later, four times a second', () => {
    const stream = follow({ tailLines: 1 });
    expect(stream.next(NOW + 1_500)).toEqual({ chunk: 'line 1\n', done: false, wakeAt: NOW + 1_750 });
    expect(stream.next(NOW + 1_750)).toEqual({ chunk: '', done: false, wakeAt: NOW + 2_000 });
    expect(stream.next(NOW + 2_000)).toMatchObject({ chunk: 'line 2\n', done: false });
  });

  test('ends when the pod no longer shows its run', () => {
    expect(follow({}, readerOf()).next(NOW + 2_000)).toEqual({ chunk: 'line 0\nline 1\nline 2\n', done: true });
  });

  test('has what its run wrote at its end, also when that is seen a moment before', () => {
    const finishedAt = timestamp(NOW + 2_000);
    const end = { exitCode: 0, containerID: alive.status.containerStatuses![0]!.containerID!, finishedAt };
    const ended = pod({}, { containerStatuses: [terminated('c', 0, { state: { terminated: end } })] });
    const image = ticking({ lines: (until) => [{ at: 2_005, text: 'goodbye' }].filter((line) => line.at <= until) });
    const stream = follow({}, readerOf(ended), image);
    expect(stream.next(NOW + 2_003)).toEqual({ chunk: 'goodbye\n', done: true });
  });

  test('ends a second after its process', () => {
    const stream = follow({}, readerOf(alive), ticking({ exit: { afterMs: 1_000, code: 0 } }));
    expect([stream.next(NOW + 1_999).done, stream.next(NOW + 2_000).done]).toEqual([false, true]);
  });

  test('ends when limitBytes are written', () => {
    const stream = follow({ limitBytes: 16 });
    expect(stream.next(NOW + 1_500)).toMatchObject({ chunk: 'line 0\nline 1\n', done: false });
    expect(stream.next(NOW + 2_000)).toEqual({ chunk: 'li', done: true });
  });
});
