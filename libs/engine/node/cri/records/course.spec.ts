import { expect, test } from '@jest/globals';
import { byName, container, NOW, pod, running, terminated, waiting } from '../../kubelet/testing.js';
import { timestamp } from '../../../machinery/time/time.js';
import { runsOf, soleRunOf, statusesOf } from './course.js';

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

const alone = pod({ containers: [container('c')] });
const dying = { since: '2026-01-01T12:00:10.000000Z', at: '2026-01-01T12:00:40.000000Z', code: 137 };

test.each<[string, Parameters<typeof runsOf>, boolean]>([
  ['one that runs', [alone, byName(running('c'))], true],
  [
    'one whose record knows its start',
    [alone, byName(running('c')), { c: { startedAt: '2026-01-01T12:00:00.250000Z' } }],
    true,
  ],
  ['one that waits', [alone, byName(waiting('c'))], false],
  ['one without a status', [alone, byName()], false],
  ['one that has ended', [alone, byName(terminated('c', 1, { state: { terminated: ended } }))], false],
  ['one that runs again', [alone, byName(running('c', { lastState: { terminated: ended } }))], false],
  ['one that is told to stop', [alone, byName(running('c')), { c: { dying } }], false],
  ['one beside another', [of, byName(running('c'))], false],
  [
    'one after another',
    [pod({ containers: [container('c')], initContainers: [container('i')] }), byName(running('c'))],
    false,
  ],
])('the only run of a pod: %s', (_case, [of, statuses, records], isSole) => {
  const [run] = runsOf(of, statuses, records);
  expect(soleRunOf(of, statuses, records)).toEqual(isSole ? run : undefined);
});
