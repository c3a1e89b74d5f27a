import { describe, expect, test } from '@jest/globals';
import type { Probe } from '../../../api/core_v1.js';
import type { Process } from '../../cri/image.js';
import { container, process } from '../testing.js';
import { replayProbe, type ProbeWorker, type Verdict } from './worker.js';

const TCP: Probe = { tcpSocket: { port: 80 }, periodSeconds: 10 };
const replay = (at: number, more: Partial<ProbeWorker> = {}): Verdict =>
  replayProbe(
    {
      probe: TCP,
      container: container(),
      process: process(),
      podIP: '10.0.0.1',
      from: 0,
      initial: false,
      instant: false,
      ...more,
    },
    at,
  );
/** Listens from the start on, is deaf between 25 s and 65 s. */
const flapping: Process = process({
  changes: [25_000, 65_000],
  exec: (_command, since) => ({ code: since >= 25_000 && since < 65_000 ? 1 : 0, output: 'no' }),
});
const EXEC: Probe = { exec: { command: ['check'] }, periodSeconds: 10 };
/** Succeeds from 20 s on. */
const recovering: Process = process({
  changes: [20_000],
  exec: (_command, since) => ({ code: since >= 20_000 ? 0 : 1, output: 'no' }),
});

describe('readiness', () => {
  test.each<[string, number, Partial<ProbeWorker>, Partial<Verdict>]>([
    ['is unknown before the first tick', 0, {}, { ok: false, since: 0, next: 800 }],
    ['comes with the first tick, 0.8 s after the start', 800, {}, { ok: true, since: 800 }],
    ['waits for initialDelaySeconds', 5_000, { probe: { ...TCP, initialDelaySeconds: 5 } }, { ok: false, next: 5_800 }],
    ['waits for the startup probe', 5_000, { from: 20_800 }, { ok: false, next: 20_800 }],
    [
      'comes at once without delays',
      0,
      { instant: true, probe: { ...TCP, initialDelaySeconds: 5 } },
      { ok: true, since: 0 },
    ],
    [
      'comes as soon as the process is ready without delays',
      300,
      { instant: true, process: process({ readyAfterMs: 300 }) },
      { ok: true, since: 300 },
    ],
    [
      'comes as soon as a command succeeds without delays',
      0,
      { instant: true, process: recovering, probe: { ...EXEC, initialDelaySeconds: 30 } },
      { ok: false, next: 20_000 },
    ],
    [
      'is looked for at the usual time without delays when it comes no sooner',
      800,
      { instant: true, process: recovering, probe: EXEC },
      { ok: false, failing: { ok: false, output: 'no' } },
    ],
    [
      'comes with the first tick after the process is ready',
      10_800,
      { process: process({ readyAfterMs: 900 }) },
      { ok: true, since: 10_800 },
    ],
    [
      'needs as many ticks as successThreshold',
      20_799,
      { probe: { ...TCP, successThreshold: 3 } },
      { ok: false, next: 20_800 },
    ],
    ['needs no more', 20_800, { probe: { ...TCP, successThreshold: 3 } }, { ok: true, since: 20_800 }],
  ])('%s', (_case, at, more, expected) => {
    expect(replay(at, more)).toMatchObject(expected);
  });

  test('is what it is until something changes: no wake-up', () => {
    expect(replay(800).next).toBeUndefined();
  });
});

// Fails at 30.8 s, 40.8 s, 50.8 s and 60.8 s; succeeds again at 70.8 s.
describe('a container that fails for a while', () => {
  const at = (time: number, probe: Partial<Probe> = {}): Verdict =>
    replay(time, { process: flapping, probe: { ...EXEC, ...probe }, initial: true });

  test.each([
    ['before it fails', 20_800, { ok: true, next: 30_800 }],
    ['at the first failure', 30_800, { ok: true, next: 40_800, failing: { ok: false, output: 'no' } }],
    ['at the second failure', 40_800, { ok: true, next: 50_800, failing: { ok: false, output: 'no' } }],
    ['at the third failure: the default threshold', 50_800, { ok: false, since: 50_800 }],
    ['at the first success', 70_800, { ok: true, since: 70_800 }],
  ])('%s', (_case, time, expected) => {
    expect(at(time)).toMatchObject(expected);
  });

  test.each([
    [1, 30_800],
    [2, 40_800],
    [4, 60_800],
  ])('failureThreshold %d turns at %d ms', (failureThreshold, turn) => {
    expect([at(turn - 1, { failureThreshold }).ok, at(turn, { failureThreshold }).ok]).toEqual([true, false]);
  });

  test('failureThreshold 5 is never passed', () => {
    expect(at(100_000, { failureThreshold: 5 })).toMatchObject({ ok: true });
  });

  test('between ticks there is nothing to report', () => {
    expect(at(35_000).failing).toBeUndefined();
  });
});

test.each([
  ['each of the first 25 failures is reported', 230_800, 240_800],
  ['then one each five minutes', 240_800, 540_800],
  ['whoever looks meanwhile', 300_500, 540_800],
  ['and again', 540_800, 840_800],
])('%s', (_case, at, next) => {
  expect(replay(at, { probe: { ...TCP, tcpSocket: { port: 81 } } }).next).toBe(next);
});

test.each([
  [240_800, true],
  [250_800, false],
  [530_800, false],
  [540_800, true],
])('of a tick at %i ms a failure is reported: %s', (at, expected) => {
  expect(replay(at, { probe: { ...TCP, tcpSocket: { port: 81 } } }).failing !== undefined).toBe(expected);
});
