import type { Probe } from '../../../api/core_v1.js';
import { MINUTE, SECOND, type Millis } from '../../../machinery/time/time.js';
import { runProbe, type ProbeResult, type ProbeTarget } from './prober.js';

/** A probe worker begins this long after its container. */
export const FIRST_TICK = 800;
/**
 * This many failures in a row are reported one by one; then client-go's recorder lets one through each five minutes.
 */
export const REPORTED_FAILURES = 25;
const SPARSE_REPORTS = 5 * MINUTE;

/** One probe of one running container. Times count from the container's start. */
export interface ProbeWorker extends ProbeTarget {
  readonly probe: Probe;
  /** The first tick is not before this time: a startup probe's success holds the others back. */
  readonly from: Millis;
  /** The result until a threshold is passed. */
  readonly initial: boolean;
  /** It is over with its first success: a startup probe. */
  readonly isOnce?: boolean;
  /** Delays are off: the first tick comes as soon as it succeeds, and does not wait for initialDelaySeconds. */
  readonly instant: boolean;
}

/** What a probe's results mean at a time, by its thresholds. */
export interface Verdict {
  readonly ok: boolean;
  /** When the verdict became what it is. */
  readonly since: Millis;
  /** The next time at which the verdict changes, or a failure is to be reported. */
  readonly next?: Millis;
  /** The failure of the tick at this very time, where it is to be reported. */
  readonly failing?: ProbeResult;
}

/**
 * Replays a probe from its container's start to `at`. Its result is constant between a few known times, so that only
 * the first ticks after each of them have to be run. Models pkg/kubelet/prober/worker.go doProbe.
 */
export function replayProbe(worker: ProbeWorker, at: Millis): Verdict {
  const ticks = new Ticks(worker);
  const { ok, since, next } = replayThresholds(worker, ticks, at);
  const wakeAt = earliest(next, nextReport(ticks, at));
  const result = ticks.isTick(at) && reportFrom(ticks, at) === at ? ticks.run(at) : undefined;
  return {
    ok,
    since,
    ...(wakeAt === undefined ? {} : { next: wakeAt }),
    ...(result && !result.ok ? { failing: result } : {}),
  };
}

/** When a probe is run first, since its container's start, and how often from then on. */
export const ticksOf = (worker: ProbeWorker): Pick<Ticks, 'first' | 'period'> => new Ticks(worker);

/** The times at which one probe is run, and its results. */
class Ticks {
  readonly period: Millis;
  readonly first: Millis;
  /** Times from which the result may be another, in order; the first tick is one of them. */
  readonly borders: readonly Millis[];

  constructor(private readonly worker: ProbeWorker) {
    const { probe, process, from, instant } = worker;
    const turns = [process.readyAfterMs, ...(process.changes ?? [])];
    this.period = Math.max(1, probe.periodSeconds ?? 10) * SECOND;
    const delayed = Math.max((probe.initialDelaySeconds ?? 0) * SECOND + FIRST_TICK, from);
    this.first = instant ? this.firstSuccess([from, ...turns], delayed) : delayed;
    this.borders = [this.first, ...turns].filter((time) => time >= this.first).sort((a, b) => a - b);
  }

  /** The earliest of these times at which the probe succeeds, but none later than the usual one. */
  private firstSuccess(times: readonly Millis[], usual: Millis): Millis {
    const early = times.filter((time) => time >= this.worker.from && time < usual).sort((a, b) => a - b);
    return early.find((time) => this.run(time).ok) ?? usual;
  }

  run(time: Millis): ProbeResult {
    return runProbe(this.worker.probe, this.worker, time);
  }

  /** The first tick at `time` or later. */
  from(time: Millis): Millis {
    return time <= this.first ? this.first : this.first + Math.ceil((time - this.first) / this.period) * this.period;
  }

  /** The first tick later than `time`. */
  after(time: Millis): Millis {
    return time < this.first
      ? this.first
      : this.first + (Math.floor((time - this.first) / this.period) + 1) * this.period;
  }

  isTick(time: Millis): boolean {
    return time >= this.first && Math.round((time - this.first) % this.period) === 0;
  }
}

/** Goes from border to border: a new result becomes the verdict after as many ticks as its threshold says. */
function replayThresholds({ probe, initial, isOnce }: ProbeWorker, ticks: Ticks, at: Millis): Verdict {
  const { borders, period } = ticks;
  let [ok, since] = [initial, 0];
  for (let i = 0; i < borders.length; i++) {
    const start = ticks.from(borders[i]!);
    const end = i + 1 < borders.length ? ticks.from(borders[i + 1]!) : Infinity;
    if (start >= end) continue;
    const result = ticks.run(start);
    if (start > at) {
      if (result.ok !== ok || !result.ok) return { ok, since, next: start };
      continue;
    }
    if (result.ok === ok || result.errored) continue;
    const threshold = result.ok ? (probe.successThreshold ?? 1) : (probe.failureThreshold ?? 3);
    const flipsAt = start + (threshold - 1) * period;
    if (flipsAt >= end) continue;
    if (flipsAt > at) return { ok, since, next: flipsAt };
    [ok, since] = [result.ok, flipsAt];
    if (ok && isOnce) return { ok, since };
  }
  return { ok, since };
}

/** The next tick whose failure is to be reported; undefined when the next tick succeeds. */
function nextReport(ticks: Ticks, at: Millis): Millis | undefined {
  const upcoming = ticks.after(at);
  return ticks.run(upcoming).ok ? undefined : reportFrom(ticks, upcoming);
}

/** The first tick from this one on whose failure is reported, if all of them fail: whoever looks meanwhile. */
function reportFrom({ borders, first, period }: Ticks, tick: Millis): Millis {
  const failingSince = Math.max(...borders.filter((border) => border <= tick), first);
  const late = Math.floor((tick - failingSince) / period) - (REPORTED_FAILURES - 1);
  if (late <= 0) return tick;
  const sparse = Math.ceil(SPARSE_REPORTS / period);
  return tick + (Math.ceil(late / sparse) * sparse - late) * period;
}

const earliest = (a: Millis | undefined, b: Millis | undefined): Millis | undefined =>
  a === undefined ? b : b === undefined ? a : Math.min(a, b);
