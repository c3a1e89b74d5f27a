import { expect, test } from '@jest/globals';
import { byName, container, NOW, pod, running, terminated, waiting } from '../../kubelet/testing.js';
import { timestamp } from '../../../machinery/time/time.js';
import { runsOf, statusesOf } from './course.js';

const LATER = NOW + 30_000;
const ended = { containerID: 'old', exitCode: 1, startedAt: timestamp(NOW), finishedAt: timestamp(NOW + 5_000) };
const of = pod({ initContainers: [container('init')], containers: [container('c'), container('d')] });

test('runs come in the order in which they began; one that never did has none', () => {
  const statuses = byName(
    terminated('init', 0, { state: { terminated: { ...ended, containerID: 'init' } } }),
    running('c', { lastState: { terminated: ended }, state: { running: { startedAt: timestamp(LATER) } } }),
    waiting('d'),
  );
  const records = { c: { startedAt: '2026-01-01T12:00:30.250000Z' } };
  expect(
    runsOf(of, statuses, records).map((r) => [r.containerID, r.startedAt - NOW, r.endsAt && r.endsAt - NOW]),
  ).toEqual([
    ['init', 0, 5_999],
    ['old', 0, 5_999],
    ['containerd://c', 30_250, undefined],
  ]);
});

test('an ended run began when the record says, if that is the second of its status', () => {
  const statuses = byName(terminated('c', 1, { state: { terminated: ended } }));
  const startOf = (startedAt: string): number => runsOf(of, statuses, { c: { startedAt } })[0]!.startedAt - NOW;
  expect(startOf('2026-01-01T12:00:00.750000Z')).toBe(750);
  expect(startOf('2026-01-01T12:00:07.750000Z')).toBe(0);
});

test('a container that was told to stop ends at a time', () => {
  const dying = { since: '2026-01-01T12:00:10.000000Z', at: '2026-01-01T12:00:40.000000Z', code: 137 };
  expect(runsOf(of, byName(running('c')), { c: { dying } })).toMatchObject([
    { stoppedAt: NOW + 10_000, endsAt: NOW + 40_000 },
  ]);
});

test('statuses of all kinds of containers are found by name', () =>
  expect([
    ...statusesOf(
      pod(
        {},
        {
          containerStatuses: [running('c')],
          initContainerStatuses: [waiting('i')],
          ephemeralContainerStatuses: [waiting('e')],
        },
      ),
    ).keys(),
  ]).toEqual(['i', 'c', 'e']));
