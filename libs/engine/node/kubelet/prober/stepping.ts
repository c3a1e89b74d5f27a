import type { Probe } from '../../../api/core_v1.js';
import { MINUTE, SECOND, type Millis } from '../../../machinery/time/time.js';
import type { ProbeResult } from './prober.js';
import { FIRST_TICK, REPORTED_FAILURES, type Verdict } from './worker.js';

/** How often a failure that stays is told, once it was told often. */
const SPARSE_REPORTS = 5 * MINUTE;

/** What is known of a probe that is run tick by tick. Times count from the container's start. */
export interface ProbeState {
  readonly ok: boolean;
  /** When the verdict became what it is. */
  readonly since: Millis;
  /** The result of the last tick, and how many ticks in a row had it: no more are counted than matter. */
  readonly result: boolean;
  readonly count: number;
  readonly first: Millis;
  /** The tick that was counted last. */
  readonly last: Millis;
  /** Its command asks other machines: each tick may find something else. */
  readonly asksOthers?: true;
  /** The last tick could not be run: it counts for what the verdict is. */
  readonly errored?: true;
}

export interface SteppedProbe {
  readonly probe: Probe;
  /** The first tick is not before this time. */
  readonly from: Millis;
  /** The verdict until a threshold is passed. */
  readonly initial: boolean;
  /** Delays are off: a first success counts at once. */
  readonly instant: boolean;
  readonly state: ProbeState | undefined;
  /** Nothing happens in the container by itself before this time: its results stay. */
  readonly quietUntil: Millis;
  run(): ProbeResult;
}

/**
 * A probe whose results have to be found out tick by tick, since a machine's files and processes decide them. Models
 * pkg/kubelet/prober/worker.go doProbe.
 */
export function stepProbe(probe: SteppedProbe, at: Millis): { readonly verdict: Verdict; readonly state?: ProbeState } {
  const { state, from, initial, instant } = probe;
  const period = Math.max(1, probe.probe.periodSeconds ?? 10) * SECOND;
  const usual = Math.max((probe.probe.initialDelaySeconds ?? 0) * SECOND + FIRST_TICK, from);
  if (state) {
    const passed = at - state.first;
    if (at === state.last) return { verdict: verdictOf(state, initial, nextTick(state, at, period, probe.quietUntil)) };
    // Since the last tick something may have happened: the next one finds it, whoever looks in between.
    if (passed % period !== 0) return { verdict: verdictOf(state, initial, tickAfter(state, at, period)) };
  } else if (at < usual && !instant) return { verdict: verdictOf(state, initial, usual) };
  const result = probe.run();
  if (!state && at < usual && !result.ok) return { verdict: verdictOf(state, initial, usual) };
  const next = advance(probe.probe, state, initial, result, at);
  const verdict = verdictOf(next, initial, nextTick(next, at, period, probe.quietUntil));
  const isTold = next !== state || at === toldTick(next, at - 1, period);
  return { state: next, verdict: result.ok || !isTold ? verdict : { ...verdict, failing: result } };
}

function advance(
  { successThreshold = 1, failureThreshold = 3 }: Probe,
  state: ProbeState | undefined,
  initial: boolean,
  found: ProbeResult,
  at: Millis,
): ProbeState {
  const before = state?.ok ?? initial;
  const { asksOthers = false, errored = false } = found;
  const result = errored ? before : found.ok;
  const threshold = result ? successThreshold : failureThreshold;
  const most = result && !errored ? threshold : Math.max(threshold, REPORTED_FAILURES);
  const others = asksOthers || state?.asksOthers ? ({ asksOthers: true } as const) : {};
  const errors = errored ? ({ errored: true } as const) : {};
  const isSame = state?.result === result && (state.errored ?? false) === errored;
  // What stays as it is is not written down again and again.
  if (isSame && state.count >= most && state.asksOthers === others.asksOthers) return state;
  const count = isSame ? state.count + 1 : 1;
  const ok = !errored && count >= threshold ? result : before;
  const since = ok === before ? (state?.since ?? 0) : at;
  return { ok, since, result, count, first: state?.first ?? at, last: at, ...others, ...errors };
}

/** Results that stay are looked at again when something happens, and failures when they are to be reported. */
function nextTick(state: ProbeState, at: Millis, period: Millis, quietUntil: Millis): Millis {
  const { ok, result, count, asksOthers, errored } = state;
  const next = tickAfter(state, at, period);
  if (ok !== result || asksOthers || quietUntil <= next) return next;
  const changed = quietUntil === Infinity ? Infinity : tickAfter(state, quietUntil - 1, period);
  if (result && !errored) return changed;
  return count < REPORTED_FAILURES ? next : Math.min(toldTick(state, at, period), changed);
}

/** The first tick after a time. */
const tickAfter = ({ first }: ProbeState, time: Millis, period: Millis): Millis =>
  first + (Math.floor((time - first) / period) + 1) * period;

/** The first tick after a time at which a failure that stays is told again, however often it is looked at. */
const toldTick = (state: ProbeState, time: Millis, period: Millis): Millis =>
  tickAfter(state, time, Math.ceil(SPARSE_REPORTS / period) * period);

const verdictOf = (state: ProbeState | undefined, initial: boolean, next: Millis): Verdict => ({
  ok: state?.ok ?? initial,
  since: state?.since ?? 0,
  ...(next < Infinity ? { next } : {}),
});
