import type { Container, ContainerStatus } from '../../../api/core_v1.js';
import { ApiError } from '../../../machinery/meta/status.js';
import { MINUTE, SECOND, timestamp, type Millis } from '../../../machinery/time/time.js';
import type { Process } from '../../cri/image.js';
import { parseReference } from '../../cri/reference.js';
import { lastStateOf, runningStatus, waitingStatus } from '../status/container-status.js';
import { ConfigError, environment } from '../container/environment.js';
import { ensureImage } from '../images/image-manager.js';
import { startOf } from '../container/process.js';
import { verdictAt } from '../prober/worker.js';
import { fromText, toText, type ContainerRecord } from '../pod/pod-runtime.js';
import type { PodSync } from './sync-pod.js';
import { tend } from '../container/in-cluster.js';

export type Role = 'init' | 'sidecar' | 'main' | 'ephemeral';

const MAX_BACKOFF_SECONDS = 300;
const FIRST_BACKOFF_SECONDS = 10;
/** A container that ran this long starts its back-off anew. */
const BACKOFF_RESET = 10 * MINUTE;
const CONFIG_RETRY = 12 * SECOND;
/**
 * The kubelet asks the runtime once a second: what ended by then was never seen running. Models
 * pkg/kubelet/pleg/generic.go.
 */
const RELIST = SECOND;
/** How often a container that waits for a name to resolve is looked at. */
const POLL = 2 * SECOND;

/** Brings one container as far as it gets at this moment; the rest is wake-ups. Models kuberuntime_manager SyncPod. */
export function syncContainer(sync: PodSync, container: Container, role: Role): void {
  for (;;) {
    const status = sync.status(container);
    if (status.state?.running) {
      watchOver(sync, container, role, status);
      if (sync.status(container).state?.running) return;
    } else if (status.state?.terminated && !sync.record(container.name).restarting) {
      if (!restarts(sync, container, role, status) || !backOff(sync, container, status)) return;
    } else if (!start(sync, container)) return;
  }
}

function restarts(sync: PodSync, container: Container, role: Role, status: ContainerStatus): boolean {
  if (role === 'ephemeral') return false;
  if (role === 'sidecar') return true;
  const failed = status.state!.terminated!.exitCode !== 0;
  const policy = container.restartPolicy ?? sync.pod.spec.restartPolicy ?? 'Always';
  if (role === 'init') return failed && policy !== 'Never';
  return policy === 'Always' || (policy === 'OnFailure' && failed);
}

/** Decides how long the ended container rests. False: not now. Models kuberuntime_manager doBackOff. */
function backOff(sync: PodSync, container: Container, status: ContainerStatus): boolean {
  const record = sync.record(container.name);
  const ended = status.state!.terminated!;
  const finished = fromText(ended.finishedAt);
  if (record.notBefore === undefined) {
    const ran = finished - fromText(ended.startedAt);
    const before = ran > BACKOFF_RESET ? undefined : record.backoff;
    record.backoff =
      before === undefined ? 0 : before === 0 ? FIRST_BACKOFF_SECONDS : Math.min(before * 2, MAX_BACKOFF_SECONDS);
    record.notBefore = toText(Math.max(sync.now, finished) + record.backoff * SECOND);
    // What the kubelet stopped itself it starts again in the same sync.
    record.due = toText(sync.now + (record.dying ? 0 : sync.delays.sync()));
    delete record.dying;
    sync.changed();
  }
  if (sync.now < fromText(record.due)) {
    sync.wake(fromText(record.due));
    return false;
  }
  if (record.backoff === 0 || sync.now >= fromText(record.notBefore)) {
    delete record.due;
    delete record.notBefore;
    record.restarting = true;
    sync.changed();
    return true;
  }
  const { name } = container;
  const { metadata } = sync.pod;
  const place = `pod=${metadata.name}_${metadata.namespace}(${metadata.uid})`;
  delete record.due;
  sync.event(
    'Warning',
    'BackOff',
    `Back-off restarting failed container ${name} in pod ${metadata.name}_${metadata.namespace}(${metadata.uid})`,
    container,
  );
  const message = `back-off ${duration(record.backoff!)} restarting failed container=${name} ${place}`;
  sync.set(container, {
    ...waitingStatus(status, { message, reason: 'CrashLoopBackOff' }),
    ready: false,
    started: false,
  });
  sync.wake(fromText(record.notBefore));
  return false;
}

/** Go's text of whole seconds: '10s', '2m40s', '5m0s'. */
const duration = (seconds: number): string =>
  seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;

/** Takes a waiting container toward running. False: something is still to wait for. */
function start(sync: PodSync, container: Container): boolean {
  const record = sync.record(container.name);
  if (record.notBefore !== undefined && sync.now < fromText(record.notBefore) && record.step !== 'pullFailed') {
    sync.wake(fromText(record.notBefore));
    return false;
  }
  if (record.step !== 'creating') {
    const image = ensureImage(sync, container, record);
    if (!image) return false;
    record.step = 'creating';
    record.due = toText(sync.now + sync.delays.create());
    delete record.notBefore;
    sync.changed();
  }
  if (sync.now < fromText(record.due)) {
    sync.wake(fromText(record.due));
    return false;
  }
  return create(sync, container, record);
}

/** CreateContainer and StartContainer. */
function create(sync: PodSync, container: Container, record: ContainerRecord): boolean {
  const status = sync.status(container);
  try {
    environment(container, sync.around);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return configError(sync, container, record, error.message);
  }
  const image = sync.images.resolve(parseReference(container.image ?? '')!);
  if ('error' in image) return false;
  if (container.securityContext?.runAsNonRoot ?? sync.pod.spec.securityContext?.runAsNonRoot) {
    const uid = container.securityContext?.runAsUser ?? sync.pod.spec.securityContext?.runAsUser;
    const runsAsRoot = uid === 0 || (uid === undefined && (image.image.config.user ?? '0') === '0');
    if (runsAsRoot)
      return configError(
        sync,
        container,
        record,
        'container has runAsNonRoot and image will run as root' +
          ` (pod: "${sync.pod.metadata.name}_${sync.pod.metadata.namespace}(${sync.pod.metadata.uid})", container: ${container.name})`,
      );
  }
  const id = `containerd://${sync.hex(64)}`;
  delete record.step;
  delete record.due;
  delete record.failures;
  delete record.dying;
  delete record.probedAt;
  delete record.restarting;
  record.startedAt = toText(sync.now);
  const next = runningStatus(container, sync.pod, {
    containerID: id,
    image: parseReference(container.image ?? '')!.full,
    imageID: image.id,
    startedAt: timestamp(sync.now),
    lastState: lastStateOf(status),
    // A container that was there before is seen as it ended until the next one runs.
    restartCount: status.containerID ? status.restartCount + 1 : status.restartCount,
  });
  sync.set(container, next);
  sync.event('Normal', 'Created', 'Container created', container);
  sync.event('Normal', 'Started', 'Container started', container);
  return true;
}

function configError(sync: PodSync, container: Container, record: ContainerRecord, message: string): false {
  record.failures = (record.failures ?? 0) + 1;
  record.notBefore = toText(sync.now + (record.failures < 25 ? CONFIG_RETRY : 5 * MINUTE));
  delete record.step;
  sync.event('Warning', 'Failed', `Error: ${message}`, container);
  sync.set(container, waitingStatus(sync.status(container), { message, reason: 'CreateContainerConfigError' }));
  sync.wake(fromText(record.notBefore));
  return false;
}

/** Follows a running container: its exit, its probes, its stopping. */
function watchOver(sync: PodSync, container: Container, role: Role, status: ContainerStatus): void {
  const record = sync.record(container.name);
  const startedAt = record.startedAt ? fromText(record.startedAt) : fromText(status.state!.running!.startedAt);
  const process = startOf(sync, container, status, startedAt);
  if (!process) return;
  if (replaced(container, status) && !record.dying) {
    sync.event('Normal', 'Killing', `Container ${container.name} definition changed, will be restarted`, container);
    stop(sync, container, record, process, sync.now);
  }
  const exit = process.exit && {
    at: startedAt + process.exit.afterMs,
    code: process.exit.code,
    reason: process.exit.reason,
  };
  const dying = record.dying && { at: fromText(record.dying.at), code: record.dying.code, reason: undefined };
  const end = exit && (!dying || exit.at <= dying.at) ? exit : dying;
  const seen = startedAt === sync.now ? startedAt + RELIST : sync.now + 1;
  if (end && end.at < seen)
    return ended(
      sync,
      container,
      status,
      startedAt,
      Math.max(end.at, startedAt),
      end === exit ? outcome(sync, process, end.code) : end.code,
      end.reason,
    );
  if (end) sync.wake(end.at);
  if (process.polls) sync.wake(sync.now + POLL);
  if (process.tends && sync.now >= startedAt + process.readyAfterMs) tend(sync, process);
  else if (process.tends) sync.wake(startedAt + process.readyAfterMs);
  // An init container is ready only when it has ended well.
  if (role !== 'init') probe(sync, container, record, process, startedAt);
  else if (!status.started) sync.set(container, { ...status, started: true });
}

/** Lets a program that ends do to the API what it was started for; its exit code. */
function outcome({ context, pod }: PodSync, process: Process, code: number): number {
  if (!process.acts) return code;
  try {
    process.acts(context.as(`system:serviceaccount:${pod.metadata.namespace}:${pod.spec.serviceAccountName}`));
    return code;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return 1;
  }
}

const replaced = (container: Container, status: ContainerStatus): boolean => {
  if (status.image === container.image) return false;
  return parseReference(container.image ?? '')?.full !== parseReference(status.image)?.full;
};

function ended(
  sync: PodSync,
  container: Container,
  status: ContainerStatus,
  startedAt: Millis,
  at: Millis,
  code: number,
  reason: string | undefined,
): void {
  const record = sync.record(container.name);
  delete record.startedAt;
  delete record.probedAt;
  delete record.notBefore;
  const terminated = {
    containerID: status.containerID,
    exitCode: code,
    finishedAt: timestamp(at),
    reason: reason ?? (code === 0 ? 'Completed' : 'Error'),
    startedAt: timestamp(startedAt),
  };
  // A completed init container counts as ready.
  const ready =
    code === 0 && Boolean(sync.pod.spec.initContainers?.includes(container)) && container.restartPolicy !== 'Always';
  sync.set(container, { ...status, ready, started: false, state: { terminated } });
}

/** Sends SIGTERM: after the preStop hook the process ends by itself, or is killed when the grace period is over. */
export function stop(
  sync: PodSync,
  container: Container,
  record: ContainerRecord,
  process: Process,
  at: Millis,
  graceSeconds = sync.pod.spec.terminationGracePeriodSeconds ?? 30,
): void {
  const grace = graceSeconds * SECOND;
  const hook = sync.delays.instant ? 0 : Math.min(preStop(container), grace);
  const own = process.stop;
  const after = sync.delays.instant ? 0 : own ? hook + own.afterMs : Infinity;
  record.dying =
    after <= grace
      ? { at: toText(at + after), code: own?.code ?? 137 }
      : { at: toText(at + Math.max(grace, 2 * SECOND)), code: 137 };
  sync.changed();
}

function preStop({ lifecycle }: Container): Millis {
  const hook = lifecycle?.preStop;
  if (hook?.sleep) return hook.sleep.seconds * SECOND;
  const sleep = /\bsleep\s+(\d+(?:\.\d+)?)/.exec(hook?.exec?.command?.join(' ') ?? '');
  return sleep ? Number(sleep[1]) * SECOND : 0;
}

function probe(
  sync: PodSync,
  container: Container,
  record: ContainerRecord,
  process: Process,
  startedAt: Millis,
): void {
  const status = sync.status(container);
  const { startupProbe, livenessProbe, readinessProbe } = container;
  if (!startupProbe && !livenessProbe && !readinessProbe) {
    if (!status.ready || !status.started) sync.set(container, { ...status, ready: true, started: true });
    return;
  }
  const since = sync.now - startedAt;
  const line = { container, process, podIP: sync.podIP ?? '', instant: sync.delays.instant };
  const report = (name: string, verdict: { failing?: { output: string }; next?: Millis }): void => {
    if (verdict.next !== undefined) sync.wake(startedAt + verdict.next);
    if (!verdict.failing || record.probedAt === toText(sync.now)) return;
    sync.event('Warning', 'Unhealthy', `${name} probe failed: ${verdict.failing.output}`, container);
    failed = true;
  };
  let failed = false;
  let from = 0;
  if (startupProbe) {
    const passed = verdictAt({ ...line, probe: startupProbe, from: 0, initial: false }, since);
    if (!passed.ok) {
      const alive = verdictAt({ ...line, probe: startupProbe, from: 0, initial: true }, since);
      report('Startup', passed);
      if (alive.next !== undefined) sync.wake(startedAt + alive.next);
      if (failed) record.probedAt = toText(sync.now);
      if (!alive.ok) kill(sync, container, record, process, 'startup');
      if (status.started || status.ready) sync.set(container, { ...status, started: false, ready: false });
      return;
    }
    from = passed.since;
  }
  let ready = true;
  if (readinessProbe) {
    const verdict = verdictAt({ ...line, probe: readinessProbe, from, initial: false }, since);
    report('Readiness', verdict);
    ready = verdict.ok;
  }
  if (livenessProbe && !record.dying) {
    const verdict = verdictAt({ ...line, probe: livenessProbe, from, initial: true }, since);
    report('Liveness', verdict);
    if (!verdict.ok) kill(sync, container, record, process, 'liveness');
  }
  if (failed) {
    record.probedAt = toText(sync.now);
    sync.changed();
  }
  if (status.ready !== ready || !status.started) sync.set(container, { ...status, ready, started: true });
}

function kill(sync: PodSync, container: Container, record: ContainerRecord, process: Process, probeName: string): void {
  if (record.dying) return;
  sync.event(
    'Normal',
    'Killing',
    `Container ${container.name} failed ${probeName} probe, will be restarted`,
    container,
  );
  const own = container[probeName === 'liveness' ? 'livenessProbe' : 'startupProbe']?.terminationGracePeriodSeconds;
  stop(sync, container, record, process, sync.now, own);
  sync.wake(fromText(record.dying!.at));
}
