import { describe, expect, test } from '@jest/globals';
import { timestamp } from '../../../machinery/time/time.js';
import { formatTime, type ContainerRecord } from '../pod/pod-runtime.js';
import { container, containerStatus, delays, NOW, pod } from '../testing.js';
import { doBackOff, type BackOffDecision } from './backoff.js';

const after = (seconds: number): string => formatTime(NOW + seconds * 1_000);
/** The container ran for some seconds and ended now. */
const backOff = (record: ContainerRecord, ran = 3, now = NOW): BackOffDecision =>
  doBackOff({
    pod: pod(),
    container: container(),
    status: containerStatus('c', {
      state: {
        terminated: { exitCode: 1, startedAt: timestamp(NOW - ran * 1_000), finishedAt: timestamp(NOW) },
      },
    }),
    record,
    delays,
    now,
  });

test('a container that could not be started says so until its end is seen', () => {
  const message = 'exec: "nosuch": executable file not found in $PATH';
  const terminated = { exitCode: 128, reason: 'StartError', message, finishedAt: timestamp(NOW) };
  const status = containerStatus('c', { state: { terminated } });
  const request = { pod: pod(), container: container(), status, record: {}, delays, now: NOW };
  expect(doBackOff(request).status).toMatchObject({
    state: { waiting: { reason: 'RunContainerError', message } },
    lastState: { terminated },
  });
});

describe('a container that has just ended', () => {
  test.each([
    ['for the first time', undefined, 3, 0],
    ['for the second time', 0, 3, 10],
    ['for the third time', 10, 3, 20],
    ['again', 20, 3, 40],
    ['again', 40, 3, 80],
    ['again', 80, 3, 160],
    ['again: never more than 5 min', 160, 3, 300],
    ['again', 300, 3, 300],
    ['after exactly 10 min', 160, 600, 300],
    ['after more than 10 min: the back-off begins anew', 160, 601, 0],
  ])('%s (last back-off %s s, ran %d s) rests %d s', (_case, last, ran, expected) => {
    const { record, restart, wakeAt } = backOff({ backoff: last }, ran);
    expect(record).toEqual({ backoff: expected, notBefore: after(expected), due: after(1) });
    expect([restart, wakeAt]).toEqual([false, NOW + 1_000]);
  });

  test('starts again at once when the kubelet stopped it and it rests not at all', () => {
    const { restart, record } = backOff({ dying: { at: after(0), code: 0 } });
    expect([restart, record]).toEqual([true, { backoff: 0, restarting: true }]);
  });
});

describe('once the kubelet has noticed the end', () => {
  test('the first restart comes at once', () => {
    const { restart, record } = backOff({ backoff: 0, notBefore: after(0), due: after(1) }, 3, NOW + 1_000);
    expect([restart, record]).toEqual([true, { backoff: 0, restarting: true }]);
  });

  test.each([
    [10, '10s', 10],
    [40, '40s', 16],
    [80, '1m20s', 16],
    [160, '2m40s', 16],
    [300, '5m0s', 16],
  ])('a rest of %d s is CrashLoopBackOff (%s), looked at again after %d s', (backoff, text, wake) => {
    const decision = backOff({ backoff, notBefore: after(backoff), due: after(1) }, 3, NOW + 1_000);
    expect(decision.restart).toBe(false);
    expect(decision.wakeAt).toBe(NOW + wake * 1_000);
    expect(decision.record).toEqual({ backoff, notBefore: after(backoff), told: 1, tellAt: after(16) });
    expect(decision.status).toMatchObject({
      ready: false,
      started: false,
      state: {
        waiting: {
          reason: 'CrashLoopBackOff',
          message: `back-off ${text} restarting failed container=c pod=web_shop(u1)`,
        },
      },
      lastState: { terminated: { exitCode: 1 } },
    });
    expect(decision.events).toEqual([
      {
        type: 'Warning',
        reason: 'BackOff',
        message: 'Back-off restarting failed container c in pod web_shop(u1)',
      },
    ]);
  });

  test('each sync says so again, and counts', () => {
    const again = backOff({ backoff: 40, notBefore: after(40), told: 1, tellAt: after(16) }, 3, NOW + 16_000);
    expect(again.events).toHaveLength(1);
    expect(again.record).toMatchObject({ told: 2, tellAt: after(31) });
    const between = backOff({ backoff: 40, notBefore: after(40), told: 1, tellAt: after(16) }, 3, NOW + 15_000);
    expect([between.events, between.wakeAt]).toEqual([undefined, NOW + 16_000]);
  });

  test('what the recorder would hold back costs no sync', () => {
    const many = backOff({ backoff: 300, notBefore: after(300), told: 24 }, 3, NOW + 1_000);
    expect(many.wakeAt).toBe(NOW + 300_000);
    expect(many.record?.tellAt).toBe(after(301));
  });

  test('the restart comes when the rest is over', () => {
    const { restart } = backOff({ backoff: 10, notBefore: after(10) }, 3, NOW + 10_000);
    expect(restart).toBe(true);
  });
});
