import type { Probe } from '../../../api/core_v1.js';
import type { Millis } from '../../../machinery/time/time.js';
import { warningEvent, type PodEvent } from '../events/event.js';
import type { ProbeTarget } from './prober.js';
import { replayProbe, type Verdict } from './worker.js';

/** A running container whose probes are to be looked at. */
export interface ProbeRequest extends ProbeTarget {
  readonly startedAt: Millis;
  readonly now: Millis;
  /** Delays are off. */
  readonly instant: boolean;
  /** The container stops already: its liveness is of no interest. */
  readonly isDying: boolean;
  /** The failures of this moment were reported before. */
  readonly isReported: boolean;
}

/** What the probes of a container say at a moment. */
export interface ProbeOutcome {
  /** An 'Unhealthy' event for each probe that fails at this very moment. */
  readonly events: readonly PodEvent[];
  /** The earliest time at which the outcome may change. */
  readonly wakeAt: Millis;
  /** The container is to be killed and started again. */
  readonly failed: boolean;
}

export interface StartupOutcome extends ProbeOutcome {
  /** When the startup probe succeeded, since the container's start; undefined: not yet. */
  readonly passedAt: Millis | undefined;
}

export interface ReadinessOutcome extends ProbeOutcome {
  readonly ready: boolean;
}

/** The startup probe of a container: without one, it has passed at once. Models prober_manager.go UpdatePodStatus. */
export function checkStartup(request: ProbeRequest): StartupOutcome {
  const probe = request.container.startupProbe;
  if (!probe) return { passedAt: 0, failed: false, events: [], wakeAt: Infinity };
  const verdict = replay(request, probe, 0, false);
  if (verdict.ok) return { passedAt: verdict.since, failed: false, events: [], wakeAt: Infinity };
  const alive = replay(request, probe, 0, true);
  return {
    passedAt: undefined,
    failed: !alive.ok,
    events: report(request, 'Startup', verdict),
    wakeAt: Math.min(wakeTime(request, verdict), wakeTime(request, alive)),
  };
}

/** The other probes, which begin when the startup probe has passed (`from`, since the container's start). */
export function checkReadinessAndLiveness(request: ProbeRequest, from: Millis): ReadinessOutcome {
  const { readinessProbe, livenessProbe } = request.container;
  const ready = readinessProbe && replay(request, readinessProbe, from, false);
  const alive = livenessProbe && !request.isDying ? replay(request, livenessProbe, from, true) : undefined;
  return {
    ready: ready?.ok ?? true,
    failed: alive !== undefined && !alive.ok,
    events: [...report(request, 'Readiness', ready), ...report(request, 'Liveness', alive)],
    wakeAt: Math.min(wakeTime(request, ready), wakeTime(request, alive)),
  };
}

const replay = (request: ProbeRequest, probe: Probe, from: Millis, initial: boolean): Verdict =>
  replayProbe(
    {
      probe,
      container: request.container,
      process: request.process,
      podIP: request.podIP,
      from,
      initial,
      instant: request.instant,
    },
    request.now - request.startedAt,
  );

const report = ({ isReported }: ProbeRequest, name: string, verdict: Verdict | undefined): PodEvent[] =>
  verdict?.failing && !isReported ? [warningEvent('Unhealthy', `${name} probe failed: ${verdict.failing.output}`)] : [];

const wakeTime = ({ startedAt }: ProbeRequest, verdict: Verdict | undefined): Millis =>
  verdict?.next === undefined ? Infinity : startedAt + verdict.next;
