import { expect, test } from '@jest/globals';
import type { Probe } from '../../../api/core_v1.js';
import { stepProbe, type ProbeState, type SteppedProbe } from './stepping.js';

const PROBE: Probe = { periodSeconds: 5 };

/** Steps a probe at the times that it asks for; `isOk` is its result at a time. */
function course(
  isOk: (at: number) => boolean,
  until: number,
  more: Partial<SteppedProbe> = {},
): [at: number, ok: boolean, failing: boolean][] {
  const seen: [number, boolean, boolean][] = [];
  let state: ProbeState | undefined;
  for (let at = 0; at <= until;) {
    const probe = { probe: PROBE, from: 0, initial: false, instant: false, quietUntil: 0, state, ...more };
    const step = stepProbe({ ...probe, state, run: () => ({ ok: isOk(at), output: 'no' }) }, at);
    state = step.state ?? state;
    seen.push([at, step.verdict.ok, step.verdict.failing !== undefined]);
    at = step.verdict.next ?? Infinity;
  }
  return seen;
}

test('ticks come 800 ms after the start, then each period; a success counts at once', () => {
  expect(course((at) => at > 6_000, 16_000)).toEqual([
    [0, false, false],
    [800, false, true],
    [5_800, false, true],
    [10_800, true, false],
    [15_800, true, false],
  ]);
});

test('three failures in a row turn the verdict', () => {
  expect(course((at) => at < 6_000, 25_000, { initial: true }).slice(2)).toEqual([
    [5_800, true, false],
    [10_800, true, true],
    [15_800, true, true],
    [20_800, false, true],
  ]);
});

test('nothing is run while nothing happens in the container', () => {
  expect(course(() => true, 100_000, { quietUntil: Infinity })).toEqual([
    [0, false, false],
    [800, true, false],
  ]);
  expect(course(() => true, 40_000, { quietUntil: 31_000 }).map(([at]) => at)).toEqual([0, 800, 35_800]);
});

test('a command that asks other machines is run at each tick, however quiet its container is', () => {
  const ticks: number[] = [];
  let state: ProbeState | undefined;
  for (let at = 0; at <= 25_000;) {
    const run = () => ({ ok: at < 12_000, output: 'refused', asksOthers: true });
    const probe = { probe: PROBE, from: 0, initial: false, instant: false, quietUntil: Infinity, state, run };
    const step = stepProbe(probe, at);
    state = step.state ?? state;
    ticks.push(at);
    at = step.verdict.next ?? Infinity;
  }
  expect(ticks).toEqual([0, 800, 5_800, 10_800, 15_800, 20_800]);
  expect(state).toMatchObject({ result: false, count: 2, ok: true });
});

test.each<[string, Partial<SteppedProbe>, number[]]>([
  ['a startup probe holds the others back', { from: 3_000 }, [0, 3_000]],
  ['an initial delay', { probe: { initialDelaySeconds: 4, periodSeconds: 5 } }, [0, 4_800]],
  ['without delays a success counts at once', { instant: true }, [0, 5_000]],
])('%s', (_case, more, expected) => {
  expect(
    course(() => true, 8_000, more)
      .map(([at]) => at)
      .slice(0, 2),
  ).toEqual(expected);
});

test.each([true, false])('ticks that cannot be run leave the verdict as it was: %s', (initial) => {
  let state: ProbeState | undefined;
  const told: boolean[] = [];
  for (let at = 800; at <= 40_800; at += 5_000) {
    const run = () => ({ ok: false, output: 'why', errored: true });
    const probe = { probe: PROBE, from: 0, initial, instant: false, quietUntil: Infinity, state, run };
    const step = stepProbe(probe, at);
    state = step.state ?? state;
    told.push(step.verdict.failing?.errored === true);
    expect(step.verdict.ok).toBe(initial);
  }
  expect(told).not.toContain(false);
});
