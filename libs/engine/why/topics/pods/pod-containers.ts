import type { Container, ContainerStateTerminated, ContainerStatus, Pod, Probe } from '../../../api/core_v1.js';
import { Nodes } from '../../../kinds/index.js';
import type { WhyFinding } from '../../../machinery/questions/why.js';
import { findingOf, lastEvent, revisionOf, type World } from '../../world.js';
import { uselessPullSecrets } from './log-clues.js';
import { keysThere, missingSubPath, NOT_BEGUN, setUpFinding } from './set-up.js';
import { declaredPorts, earlyProbe } from './probe-hints.js';

/** Lines of a log that are shown. */
const LOG_LINES = 10;
const SIGNAL_BASE = 128;
const LAST_SIGNAL = 64;
const SIGNALS: Readonly<Record<number, string>> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  3: 'SIGQUIT',
  6: 'SIGABRT',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  13: 'SIGPIPE',
  15: 'SIGTERM',
};
const PULL_REASONS = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'ImageInspectError',
  'RegistryUnavailable',
  'SignatureValidationFailed',
]);

/** Why containers do not run, or are not ready: of init containers the first that is not done. */
export function containerFindings(world: World, pod: Pod): WhyFinding[] {
  const { initContainerStatuses = [], containerStatuses = [] } = pod.status;
  const setUp = setUpFinding(world, pod);
  if (setUp) return [setUp];
  for (const status of initContainerStatuses) {
    const container = pod.spec.initContainers?.find(({ name }) => name === status.name);
    const found = container && explain(world, pod, container, status, true);
    if (found) return [found];
  }
  return containerStatuses.flatMap((status) => {
    const container = pod.spec.containers.find(({ name }) => name === status.name);
    const found = container && explain(world, pod, container, status, false);
    return found ? [found] : [];
  });
}

function explain(
  world: World,
  pod: Pod,
  container: Container,
  status: ContainerStatus,
  isInit: boolean,
): WhyFinding | undefined {
  const { state = {}, lastState = {} } = status;
  const noun = `${isInit ? 'init container' : 'container'} "${status.name}"`;
  const { waiting, terminated, running } = state;
  if (waiting) {
    const reason = waiting.reason ?? '';
    if (PULL_REASONS.has(reason)) return pullFinding(world, pod, container, reason, waiting.message);
    if (lastState.terminated) return endFinding(world, pod, container, status, lastState.terminated, noun);
    if (NOT_BEGUN.has(reason)) return undefined;
    const details = keysThere(world, waiting.message ?? '');
    return findingOf(pod, reason, `${noun} cannot be started: ${waiting.message ?? reason}`, { details });
  }
  if (terminated) {
    const isMeant = terminated.exitCode === 0 && (isInit || pod.spec.restartPolicy !== 'Always');
    return isMeant ? undefined : endFinding(world, pod, container, status, terminated, noun);
  }
  if (running && !isInit && !status.ready) return probeFinding(world, pod, container, status, noun);
  // A program that hears SIGTERM in time ends with 0, by its probe or by itself.
  if (running && lastState.terminated && (lastState.terminated.exitCode !== 0 || !isInit))
    return endFinding(world, pod, container, status, lastState.terminated, noun);
  if (running && isInit && container.restartPolicy === 'Always')
    return status.ready && status.started !== false ? undefined : probeFinding(world, pod, container, status, noun);
  if (running && isInit)
    return findingOf(pod, 'PodInitializing', `${noun} runs since ${running.startedAt ?? ''} and is not done`, {
      details: tail(world, pod, status, false),
    });
  return undefined;
}

function pullFinding(
  world: World,
  pod: Pod,
  { image = '' }: Container,
  reason: string,
  waits: string | undefined,
): WhyFinding {
  const event =
    lastEvent(world, pod, ['Failed', 'InspectFailed'], `image "${image}"`) ??
    lastEvent(world, pod, ['Failed', 'InspectFailed', 'ErrImageNeverPull'], image);
  const secrets = lastEvent(world, pod, ['FailedToRetrieveImagePullSecret']);
  const message = event?.message ?? waits ?? `the image "${image}" cannot be pulled`;
  return findingOf(pod, reason, message, {
    details: [...(secrets?.message ? [secrets.message] : []), ...uselessPullSecrets(world, pod)],
    revision: event ? revisionOf(event) : revisionOf(pod),
  });
}

/** Why a container has ended. */
function endFinding(
  world: World,
  pod: Pod,
  container: Container,
  status: ContainerStatus,
  ended: ContainerStateTerminated,
  noun: string,
): WhyFinding {
  const isPrevious = status.state?.terminated === undefined;
  const details = tail(world, pod, status, isPrevious);
  const restarts = status.restartCount > 0 ? `; it was started again ${times(status.restartCount)}` : '';
  if (ended.reason === 'OOMKilled') {
    const limit = container.resources?.limits?.['memory'];
    const bound = limit ? `than its limit of ${limit}` : 'than its node had left';
    const message = `${noun} wanted more memory ${bound}, and the kernel killed it (${exitText(ended)})${restarts}`;
    return findingOf(pod, 'OOMKilled', message, { details });
  }
  if (ended.reason === LOST) {
    const message = `${noun} went with its node: ${rebootText(world, pod)} (${exitText(ended)})${restarts}`;
    return findingOf(pod, 'NodeRebooted', message, { details });
  }
  const hook = hookFinding(world, pod, container, noun, restarts);
  if (hook) return hook;
  const killing = lastEvent(world, pod, ['Killing'], `Container ${status.name} failed`);
  // A program that hears SIGTERM may end with 0 all the same; of many events the last ones are dropped.
  if (killing) {
    const probe = lastEvent(world, pod, ['Unhealthy'], killing.message?.includes('startup') ? 'Startup' : 'Liveness');
    const message = `${noun} was ended because of its probe: ${probe?.message ?? killing.message} (${exitText(ended)})${restarts}`;
    const hints = [...declaredPorts(container, message), ...earlyProbe(container, ended, message)];
    return findingOf(pod, 'Unhealthy', message, {
      details: [...hints, ...details],
      revision: revisionOf(probe ?? killing),
    });
  }
  const reason = isPrevious && status.state?.waiting?.reason ? status.state.waiting.reason : (ended.reason ?? 'Error');
  const said = ended.message ? `: ${ended.message.trim()}` : '';
  const what = ended.exitCode === 0 ? 'ended by itself, and its pod restarts it' : 'failed';
  const hints = missingSubPath(world, pod, container, said);
  const message = `${noun} ${what} (${exitText(ended)})${said}${restarts}`;
  return findingOf(pod, reason, message, { details: [...hints, ...details] });
}

/** What containerd says of what it finds dead when it comes up. Models internal/cri/server/restart.go. */
const LOST = 'Unknown';

function rebootText(world: World, { spec }: Pod): string {
  const node = world.read.get(Nodes, { namespace: '', name: spec.nodeName ?? '' });
  const event = node && lastEvent(world, node, ['Rebooted']);
  return event?.message ?? `${spec.nodeName} was without power, or its runtime was`;
}

/** The kubelet ends a container whose postStart hook fails. */
function hookFinding(
  world: World,
  pod: Pod,
  { lifecycle }: Container,
  noun: string,
  restarts: string,
): WhyFinding | undefined {
  const { postStart } = lifecycle ?? {};
  const event = postStart && lastEvent(world, pod, ['FailedPostStartHook']);
  if (!event) return undefined;
  const message = `${noun} was ended because its postStart hook failed (${probeText(postStart)})${restarts}`;
  const details = [`event FailedPostStartHook: ${event.message ?? ''}`];
  return findingOf(pod, 'FailedPostStartHook', message, { details, revision: revisionOf(event) });
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

/** 'exit code 137, SIGKILL'. */
export function exitText({ exitCode, signal, reason }: ContainerStateTerminated): string {
  const isSignal = exitCode > SIGNAL_BASE && exitCode <= SIGNAL_BASE + LAST_SIGNAL;
  const number = signal ?? (isSignal ? exitCode - SIGNAL_BASE : 0);
  const by = number > 0 ? `, ${SIGNALS[number] ?? `signal ${number}`}` : '';
  const named = reason && !['Error', 'Completed'].includes(reason) ? `${reason}, ` : '';
  return `${named}exit code ${exitCode}${by}`;
}

function tail(world: World, pod: Pod, { name }: ContainerStatus, isPrevious: boolean): string[] {
  const lines = world.logTail(pod, name, isPrevious, world.now).slice(-LOG_LINES);
  return lines.length > 0 ? ['its last lines:', ...lines.map((line) => `| ${line}`)] : [];
}

function probeFinding(world: World, pod: Pod, container: Container, status: ContainerStatus, noun: string): WhyFinding {
  const isStartup = status.started === false && container.startupProbe !== undefined;
  const [kind, probe] = isStartup
    ? (['Startup', container.startupProbe] as const)
    : (['Readiness', container.readinessProbe] as const);
  const event = lastEvent(world, pod, ['Unhealthy'], `${kind} probe`);
  const asked = probe ? ` (${probeText(probe)})` : '';
  const before = previousRun(world, pod, status);
  if (event)
    return findingOf(pod, 'Unhealthy', `${noun} is not ready: ${event.message?.trim()}${asked}`, {
      revision: revisionOf(event),
      details: [...declaredPorts(container, event.message ?? ''), ...before],
    });
  const wait = probe?.initialDelaySeconds ? `, which begins after ${probe.initialDelaySeconds} s` : '';
  const message = probe
    ? `${noun} is not ready: its ${kind.toLowerCase()} probe${asked} has not succeeded yet${wait}`
    : `${noun} has just begun`;
  return findingOf(pod, 'ContainersNotReady', message, { details: before });
}

/** How the run before has failed. */
function previousRun(world: World, pod: Pod, status: ContainerStatus): string[] {
  const ended = status.lastState?.terminated;
  if (!ended || ended.exitCode === 0) return [];
  const [title, ...lines] = tail(world, pod, status, true);
  return [`its run before has failed (${exitText(ended)})${title === undefined ? '' : `, ${title}`}`, ...lines];
}

function probeText({ httpGet, tcpSocket, exec, grpc }: Pick<Probe, 'exec' | 'grpc' | 'httpGet' | 'tcpSocket'>): string {
  if (httpGet) {
    const scheme = httpGet.scheme === 'HTTPS' ? ' by HTTPS' : '';
    return `GET ${httpGet.path ?? '/'} at port ${httpGet.port}${scheme}`;
  }
  if (tcpSocket) return `TCP at port ${tcpSocket.port}`;
  if (grpc) return `gRPC at port ${grpc.port}`;
  return `command ${(exec?.command ?? []).join(' ')}`;
}
