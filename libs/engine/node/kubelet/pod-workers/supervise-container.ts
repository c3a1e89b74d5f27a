import type { Container, ContainerStatus, Pod, Probe } from '../../../api/core_v1.js';
import { isMirrorPod } from '../../../kinds/core/pod/mirror.js';
import { NodeRuntimes } from '../../../kinds/index.js';
import { SECOND, type Millis } from '../../../machinery/time/time.js';
import type { LoopTools, Process } from '../../cri/image.js';
import { parseReference } from '../../cri/images/reference.js';
import { runControlLoop, runToCompletion, serviceAccountOf } from '../container/in-cluster.js';
import type { Role } from '../container/role.js';
import { findExit, isExitNoticed, noticedAt, RELIST_PERIOD, type Exit } from '../pleg/pleg.js';
import { formatTime, omit, parseTime, stoppedRun, type ContainerRecord } from '../pod/pod-runtime.js';
import {
  checkReadinessAndLiveness,
  checkStartup,
  type ProbeOutcome,
  type ProbeRequest,
  type ProbeStates,
} from '../prober/prober-manager.js';
import { hasPlainProbe, withPlainCommands } from '../prober/plain-commands.js';
import { terminatedStatus } from '../status/container-status.js';
import {
  applyDecision,
  processOfContainer,
  startTimeOf,
  trackContainer,
  viewOfSync,
  wakeNoLaterThan,
  type PodSync,
} from './pod-sync.js';
import { followPostStart } from './post-start.js';
import { watchResources } from './watch-resources.js';
import { keepEnd, killRunningContainer } from './stop-container.js';

/** How often a container that waits for a host outside itself is looked at. */
const POLL_PERIOD = 2 * SECOND;
/** How soon a control loop that was refused runs again. */
const CONTROL_LOOP_RETRY = 5 * SECOND;

/** Follows a running container: its definition, its end, its program's writes, its probes. */
export function superviseContainer(sync: PodSync, container: Container, role: Role): void {
  let process = processOfContainer(sync, container);
  if (process?.isMachine && goesOn(sync)) process = processOfContainer(sync, container);
  if (!process) return;
  const { status, record } = trackContainer(sync, container);
  if (hasImageChanged(container, status) && !record.dying) replaceContainer(sync, container);
  const isStarting = followPostStart(sync, container);
  const startedAt = startTimeOf(sync, container);
  const exit = sinceBroken(sync, container, findExit(process, trackContainer(sync, container).record, startedAt));
  const { instant } = sync.delays;
  if (exit && isExitNoticed(exit, startedAt, sync.context.now, instant))
    return endContainer(sync, container, process, exit);
  if (exit) wakeNoLaterThan(sync, noticedAt(exit, instant));
  if (process.knownUntilMs !== undefined) wakeNoLaterThan(sync, startedAt + process.knownUntilMs);
  waitForRelist(
    sync,
    container,
    startedAt,
    Math.min(exit?.at ?? Infinity, startedAt + (process.knownUntilMs ?? Infinity)),
  );
  watchResources(sync, container, process);
  if (isStarting) return;
  runProgram(sync, process, startedAt);
  // Nothing asks whether an ephemeral container is ready.
  if (role === 'ephemeral') return;
  // An init container is ready only when it has ended well.
  if (role === 'init') setReadiness(sync, container, { started: true, ready: status.ready });
  else superviseProbes(sync, container, process, startedAt);
}

/**
 * A component of the control plane that comes up no more ends when that begins: what its run would have come to at its
 * own beginning was not so.
 */
function sinceBroken({ context, pod }: PodSync, { name }: Container, exit: Exit | undefined): Exit | undefined {
  const { client, now } = context;
  if (!exit || !isMirrorPod(pod) || exit.at >= now - 2 * RELIST_PERIOD) return exit;
  const { broken } = client.get(NodeRuntimes, { namespace: '', name: pod.spec.nodeName ?? '' }) ?? {};
  return broken?.[name] === undefined ? exit : { ...exit, at: now };
}

/**
 * What a program will come to in its first second is not known beforehand when it asks others. Somebody who has run a
 * command and waits for its output is told first what the first relist sees: whether it runs or has ended.
 * `runsUntil`: as far as is known.
 */
function waitForRelist(sync: PodSync, container: Container, startedAt: Millis, runsUntil: Millis): void {
  const { pod, context, delays } = sync;
  const { status, record } = trackContainer(sync, container);
  const listedAt = startedAt + RELIST_PERIOD;
  const isNew = record.unlisted !== undefined || context.now === startedAt;
  const isAwaited = container.stdin === true && pod.spec.restartPolicy === 'Never';
  if (!delays.instant && isNew && isAwaited && runsUntil < listedAt && context.now < listedAt) {
    applyDecision(sync, container, { record: { ...record, unlisted: status } });
    wakeNoLaterThan(sync, listedAt);
  } else if (record.unlisted) applyDecision(sync, container, { record: omit(record, 'unlisted') });
}

/** Its machine has done something by itself that was written down: it is looked at again. */
function goesOn(sync: PodSync): boolean {
  const { machines, context } = sync;
  const view = viewOfSync(sync);
  const isAnswered = machines?.answerWaiting(context.client, view, context.now);
  return isAnswered || machines?.keepWrites(context.client, view, context.now) || false;
}

/** Its successor is another container to the back-off, which counts by a container's definition (doBackOff). */
function replaceContainer(sync: PodSync, container: Container): void {
  applyDecision(sync, container, { record: omit(trackContainer(sync, container).record, 'backoff') });
  killRunningContainer(sync, container, `Container ${container.name} definition changed, will be restarted`);
}

/** The pod names another image than the container's status. */
export function hasImageChanged(container: Container, status: ContainerStatus): boolean {
  if (status.image === container.image) return false;
  return parseReference(container.image ?? '')?.full !== parseReference(status.image)?.full;
}

/** The end of a container that its kubelet has noticed: its status, and what is left of its run. */
export function endContainer(sync: PodSync, container: Container, process: Process, exit: Exit): void {
  const { context, pod } = sync;
  const startedAt = startTimeOf(sync, container);
  const isRefused =
    exit.byItself && process.acts !== undefined && !runToCompletion(process, context.as(serviceAccountOf(pod)));
  const exitCode = isRefused ? 1 : exit.code;
  const { status, record } = trackContainer(sync, container);
  // What went with the power is found when the container runtime is there again, and that is its end.
  const isFound = exit.byItself && exit.reason === UNKNOWN;
  const finishedAt = isFound ? context.now : Math.max(exit.at, startedAt);
  const message = keepEnd(sync, container, process, exitCode, finishedAt);
  const ended = { startedAt, finishedAt, exitCode, reason: exit.reason, message };
  applyDecision(sync, container, {
    // A machine that is made again later has to begin the run at the same moment.
    record: process.isMachine
      ? {
          ...omit(record, 'probedAt', 'notBefore', 'probes', 'postStart', 'unlisted'),
          ...stoppedRun(isFound ? withEnd(record, exit.at) : record),
        }
      : omit(record, 'startedAt', 'probedAt', 'notBefore', 'postStart', 'unlisted'),
    status: terminatedStatus(status, ended, exitCode === 0 && isInitContainer(pod, container)),
  });
}

/** Models containerd's internal/cri/server/restart.go unknownExitReason. */
export const UNKNOWN = 'Unknown';

/** Of a run whose status shows another end than its processes had. */
const withEnd = (record: ContainerRecord, at: Millis): ContainerRecord => ({
  ...record,
  dying: { at: formatTime(at), code: EXIT_OF_UNKNOWN, since: formatTime(at), isDeaf: true },
});
const EXIT_OF_UNKNOWN = 255;

const isInitContainer = ({ spec }: Pod, container: Container): boolean =>
  Boolean(spec.initContainers?.includes(container)) && container.restartPolicy !== 'Always';

/**
 * Lets a running program do what it does beside serving: wait for a host, keep objects of the API as they should be.
 */
function runProgram(sync: PodSync, process: Process, startedAt: Millis): void {
  const { context, pod } = sync;
  const readyAt = startedAt + process.readyAfterMs;
  if (process.polls) wakeNoLaterThan(sync, context.now + POLL_PERIOD);
  if (!process.tends) return;
  if (context.now < readyAt) wakeNoLaterThan(sync, readyAt);
  else if (!runControlLoop(process, context.as(serviceAccountOf(pod)), toolsOf(sync)))
    wakeNoLaterThan(sync, context.now + CONTROL_LOOP_RETRY);
}

const toolsOf = (sync: PodSync, { context } = sync): LoopTools => ({
  now: context.now,
  wakeAt: (at) => wakeNoLaterThan(sync, Math.max(at, context.now + 1)),
  logged: sync.stored?.heard ?? [],
  log: (lines) => sync.heard.push(...lines.map((text) => ({ at: context.now, text }))),
  event: (object, type, reason, message, source) => context.event(object, type, reason, message, { source }),
});

function superviseProbes(sync: PodSync, container: Container, process: Process, startedAt: Millis): void {
  const { startupProbe, livenessProbe, readinessProbe } = container;
  if (!startupProbe && !livenessProbe && !readinessProbe)
    return setReadiness(sync, container, { started: true, ready: true });
  const { context, delays, podIP = '' } = sync;
  const { now } = context;
  const { dying, probedAt, probes } = trackContainer(sync, container).record;
  const states: ProbeStates = { ...probes };
  const request: ProbeRequest = {
    container,
    process: withMachine(sync, container, process, startedAt),
    podIP,
    startedAt,
    now,
    instant: delays.instant,
    isDying: dying !== undefined,
    isReported: probedAt === formatTime(now),
    states,
  };
  const startup = checkStartup(request);
  rememberStates(sync, container, states);
  if (startup.passedAt === undefined) {
    applyDecision(sync, container, startup);
    rememberReport(sync, container, startup);
    if (startup.failed && !dying) restartAfterProbe(sync, container, 'startup', startupProbe);
    return setReadiness(sync, container, { started: false, ready: false });
  }
  const outcome = checkReadinessAndLiveness(request, startup.passedAt);
  rememberStates(sync, container, states);
  applyDecision(sync, container, outcome);
  if (outcome.failed) restartAfterProbe(sync, container, 'liveness', livenessProbe);
  rememberReport(sync, container, outcome);
  setReadiness(sync, container, { started: true, ready: outcome.ready });
}

/** What runs the commands of its probes. */
function withMachine(sync: PodSync, container: Container, process: Process, startedAt: Millis): Process {
  const { machines } = sync;
  const { containerID = '' } = trackContainer(sync, container).status;
  if (process.isMachine || !machines || !hasPlainProbe(container)) return process;
  const view = viewOfSync(sync);
  if (!machines.hasFiles(view, container.name)) return process;
  return withPlainCommands(process, {
    run: (argv, sinceStart, timeoutMs) =>
      machines.tryCommand(view, containerID, argv, startedAt + sinceStart, timeoutMs),
    quietUntil: (sinceStart) => machines.quietUntil(view, startedAt + sinceStart) - startedAt,
  });
}

function rememberStates(sync: PodSync, container: Container, states: ProbeStates): void {
  const { record } = trackContainer(sync, container);
  const isKnown = Object.entries(states).every(([name, state]) => record.probes?.[name as keyof ProbeStates] === state);
  if (!isKnown) applyDecision(sync, container, { record: { ...record, probes: { ...states } } });
}

/** Remembers that the failures of this moment were reported: another sync at the same time does not repeat them. */
function rememberReport(sync: PodSync, container: Container, { events }: ProbeOutcome): void {
  if (events.length === 0) return;
  const { record } = trackContainer(sync, container);
  applyDecision(sync, container, { record: { ...record, probedAt: formatTime(sync.context.now) } });
}

/** Kills a container whose probe has failed for good: the next sync starts it again. */
function restartAfterProbe(
  sync: PodSync,
  container: Container,
  probeName: 'startup' | 'liveness',
  probe: Probe | undefined,
): void {
  const message = `Container ${container.name} failed ${probeName} probe, will be restarted`;
  killRunningContainer(sync, container, message, probe?.terminationGracePeriodSeconds);
  wakeNoLaterThan(sync, parseTime(trackContainer(sync, container).record.dying?.at));
}

function setReadiness(sync: PodSync, container: Container, next: { started: boolean; ready: boolean }): void {
  const { status } = trackContainer(sync, container);
  const isSame = Boolean(status.started) === next.started && status.ready === next.ready;
  if (!isSame) applyDecision(sync, container, { status: { ...status, ...next } });
}
