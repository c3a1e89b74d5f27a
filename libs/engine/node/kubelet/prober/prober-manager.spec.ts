import { describe, expect, test } from '@jest/globals';
import type { Container, Probe } from '../../../api/core_v1.js';
import { container, NOW, process } from '../testing.js';
import { checkReadinessAndLiveness, checkStartup, type ProbeRequest } from './prober-manager.js';

const OPEN: Probe = { tcpSocket: { port: 80 }, periodSeconds: 10 };
const CLOSED: Probe = { tcpSocket: { port: 81 }, periodSeconds: 10 };
const REFUSED = 'dial tcp 10.0.0.1:81: connect: connection refused';

/** A container `sinceStart` ms after its start; ticks are at 800, 10 800, 20 800 … */
const request = (own: Partial<Container>, sinceStart: number, more: Partial<ProbeRequest> = {}): ProbeRequest => ({
  container: container('c', own),
  process: process(),
  podIP: '10.0.0.1',
  startedAt: NOW - sinceStart,
  now: NOW,
  instant: false,
  isDying: false,
  isReported: false,
  states: {},
  ...more,
});

describe('startup', () => {
  test('has passed at once without a probe', () => {
    expect(checkStartup(request({}, 0))).toEqual({ passedAt: 0, failed: false, events: [], wakeAt: Infinity });
  });
  test('passes with its first success', () => {
    expect(checkStartup(request({ startupProbe: OPEN }, 800))).toMatchObject({ passedAt: 800, failed: false });
  });
  test('has neither passed nor failed before its first tick', () => {
    const outcome = checkStartup(request({ startupProbe: OPEN }, 500));
    expect(outcome).toEqual({ passedAt: undefined, failed: false, events: [], wakeAt: NOW + 300 });
  });
  test.each([
    [800, false],
    [10_800, false],
    [20_800, true],
  ])('that never succeeds, after %d ms: failed %s', (sinceStart, failed) => {
    const outcome = checkStartup(request({ startupProbe: CLOSED }, sinceStart));
    expect(outcome).toMatchObject({ passedAt: undefined, failed, wakeAt: NOW + 10_000 });
    expect(outcome.events).toEqual([
      { type: 'Warning', reason: 'Unhealthy', message: `Startup probe failed: ${REFUSED}` },
    ]);
  });
});

test('a startup probe that has succeeded is over, whatever its path answers later', () => {
  const startupProbe: Probe = { httpGet: { port: 80 }, failureThreshold: 1 };
  const failing = { ...process(), serve: (_: object, at: number) => ({ status: at < 60_000 ? 200 : 500, body: '' }) };
  const outcome = checkStartup(request({ startupProbe }, 100_000, { process: { ...failing, changes: [60_000] } }));
  expect(outcome).toMatchObject({ passedAt: 800, failed: false });
});

describe('readiness and liveness', () => {
  test.each<[string, Partial<Container>, number, { ready: boolean; failed: boolean; events: string[] }]>([
    ['no probes', {}, 0, { ready: true, failed: false, events: [] }],
    [
      'a readiness probe before its first tick',
      { readinessProbe: OPEN },
      0,
      { ready: false, failed: false, events: [] },
    ],
    ['a readiness probe that succeeds', { readinessProbe: OPEN }, 800, { ready: true, failed: false, events: [] }],
    ['a liveness probe alone', { livenessProbe: CLOSED }, 0, { ready: true, failed: false, events: [] }],
    [
      'a liveness probe that has failed three times',
      { livenessProbe: CLOSED },
      20_800,
      { ready: true, failed: true, events: [`Liveness probe failed: ${REFUSED}`] },
    ],
    [
      'both fail',
      { readinessProbe: CLOSED, livenessProbe: CLOSED },
      800,
      {
        ready: false,
        failed: false,
        events: [`Readiness probe failed: ${REFUSED}`, `Liveness probe failed: ${REFUSED}`],
      },
    ],
  ])('%s', (_case, own, sinceStart, expected) => {
    const { ready, failed, events } = checkReadinessAndLiveness(request(own, sinceStart), 0);
    expect({ ready, failed, events: events.map((e) => e.message) }).toEqual(expected);
  });

  test('begin when the startup probe has passed', () => {
    expect(checkReadinessAndLiveness(request({ readinessProbe: OPEN }, 5_000), 20_800)).toMatchObject({
      ready: false,
      wakeAt: NOW + 15_800,
    });
  });
  test('liveness is of no interest while the container stops', () => {
    const outcome = checkReadinessAndLiveness(request({ livenessProbe: CLOSED }, 20_800, { isDying: true }), 0);
    expect(outcome).toMatchObject({ failed: false, events: [], wakeAt: Infinity });
  });
  test('failures that were reported already are not repeated', () => {
    const outcome = checkReadinessAndLiveness(request({ readinessProbe: CLOSED }, 800, { isReported: true }), 0);
    expect(outcome.events).toEqual([]);
  });
});

describe('a TCP probe of a machine', () => {
  /** It is looked at anew at each step: what was before is not known. */
  const machine = (listens: boolean, changes: readonly number[] = []) =>
    process({ isMachine: true, changes, isListening: () => listens, quietUntil: () => 0 });
  const states: ProbeRequest['states'] = {};
  const check = (sinceStart: number, listens: boolean, changes?: readonly number[]) =>
    checkReadinessAndLiveness(
      request({ readinessProbe: { ...OPEN, periodSeconds: 2 } }, sinceStart, {
        process: machine(listens, changes),
        states,
      }),
      0,
    );

  test('is not asked about the past again', () => {
    expect(check(800, false, [2_000])).toMatchObject({ ready: false, wakeAt: NOW + 2_000 });
    expect(check(2_800, true)).toMatchObject({ ready: true, wakeAt: Infinity });
    expect(check(3_100, true, [3_100])).toMatchObject({ ready: true });
  });
});
