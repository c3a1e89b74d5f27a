import type { Probe } from '../../../api/core_v1.js';
import type { Millis } from '../../../machinery/time/time.js';
import type { Process } from '../../cri/image.js';
import { warningEvent, type PodEvent } from '../events/event.js';
import { runProbe, type ProbeResult, type ProbeTarget } from './prober.js';
import { stepProbe, type ProbeState } from './stepping.js';
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
  /** What is known of the probes that are run tick by tick; they are put down here. */
  readonly states: ProbeStates;
}

/** By the probe's name. */
export type ProbeStates = { startup?: ProbeState; readiness?: ProbeState; liveness?: ProbeState };
type ProbeName = keyof ProbeStates;

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
  if (isStepped(request, probe)) return stepStartup(request, probe);
  const verdict = replayFromStart(request, probe, 0, false, true);
  if (verdict.ok) return { passedAt: verdict.since, failed: false, events: [], wakeAt: Infinity };
  const alive = replay(request, 'startup', probe, 0, true);
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
  const ready = readinessProbe && replay(request, 'readiness', readinessProbe, from, false);
  const alive = livenessProbe && !request.isDying ? replay(request, 'liveness', livenessProbe, from, true) : undefined;
  return {
    ready: ready?.ok ?? true,
    failed: alive !== undefined && !alive.ok,
    events: [...report(request, 'Readiness', ready), ...report(request, 'Liveness', alive)],
    wakeAt: Math.min(wakeTime(request, ready), wakeTime(request, alive)),
  };
}

/** A machine runs the command or gives the answer; other probes follow from when it listens. */
const isStepped = ({ process }: ProbeRequest, probe: Probe): boolean =>
  process.isMachine === true &&
  ((probe.exec !== undefined && process.exec !== undefined) || isAnsweredByProgram(process, probe));

/** A machine is known from now on only: since when it listens is not asked again. */
const isAnsweredByProgram = (process: Process, { httpGet, tcpSocket, grpc }: Probe): boolean =>
  (httpGet ?? tcpSocket ?? grpc) !== undefined && process.isListening !== undefined;

/** Until when a probe's results stay. A server may answer by the clock alone: it is looked at again and again. */
function quietTime({ httpGet, grpc, tcpSocket }: Probe, process: Process, sinceStart: Millis): Millis {
  if (tcpSocket) {
    const next = (process.changes ?? []).filter((change) => change > sinceStart);
    return Math.min(...next, process.knownUntilMs ?? Infinity);
  }
  const quiet = process.quietUntil?.(sinceStart) ?? 0;
  // The longer it has done so, the less often.
  return (httpGet ?? grpc) ? Math.min(quiet, 2 * sinceStart) : quiet;
}

/** A startup probe that has failed as often as its threshold says has failed for good. */
function stepStartup(request: ProbeRequest, probe: Probe): StartupOutcome {
  const { failureThreshold = 3 } = probe;
  const verdict = step(request, 'startup', probe, 0, false);
  const state = request.states.startup;
  return {
    passedAt: verdict.ok ? verdict.since : undefined,
    failed: !verdict.ok && state !== undefined && isFailing(state) && state.count >= failureThreshold,
    events: report(request, 'Startup', verdict),
    wakeAt: verdict.ok ? Infinity : wakeTime(request, verdict),
  };
}

/** A probe that could not be run has not failed. */
const isFailing = ({ result, errored }: ProbeState): boolean => !result && !errored;

function step(request: ProbeRequest, name: ProbeName, probe: Probe, from: Millis, initial: boolean): Verdict {
  const { process, states, instant, startedAt, now } = request;
  const sinceStart = now - startedAt;
  const quietUntil = quietTime(probe, process, sinceStart);
  const run = (): ProbeResult => runProbe(probe, request, sinceStart);
  // A startup probe that has passed is over.
  if (name === 'startup' && states.startup?.ok) return { ok: true, since: states.startup.since };
  const { state, verdict } = stepProbe(
    { probe, from, initial, instant, state: states[name], quietUntil, run },
    sinceStart,
  );
  if (state) states[name] = state;
  return verdict;
}

const replay = (request: ProbeRequest, name: ProbeName, probe: Probe, from: Millis, initial: boolean): Verdict =>
  isStepped(request, probe)
    ? step(request, name, probe, from, initial)
    : replayFromStart(request, probe, from, initial);

const replayFromStart = (
  request: ProbeRequest,
  probe: Probe,
  from: Millis,
  initial: boolean,
  isOnce = false,
): Verdict =>
  replayProbe(
    {
      probe,
      container: request.container,
      process: request.process,
      podIP: request.podIP,
      from,
      initial,
      isOnce,
      instant: request.instant,
    },
    request.now - request.startedAt,
  );

function report({ isReported }: ProbeRequest, name: string, verdict: Verdict | undefined): PodEvent[] {
  if (!verdict?.failing || isReported) return [];
  const { errored, output } = verdict.failing;
  const what = errored ? 'errored and resulted in unknown state' : 'failed';
  return [warningEvent('Unhealthy', `${name} probe ${what}: ${output}`)];
}

const wakeTime = ({ startedAt }: ProbeRequest, verdict: Verdict | undefined): Millis =>
  verdict?.next === undefined ? Infinity : startedAt + verdict.next;
