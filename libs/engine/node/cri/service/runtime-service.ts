import type { ContainerStatus, Pod } from '../../../api/core_v1.js';
import { Nodes, PodRuntimes, PodSandboxes } from '../../../kinds/index.js';
import { isOff } from '../../../kinds/terrarium/noderuntime/kind.js';
import type { PodHttpAnswer, PodHttpRequest } from '../../../machinery/requests/http.js';
import type { Kind } from '../../../machinery/kind.js';
import { ApiError } from '../../../machinery/meta/status.js';
import type {
  ExecOptions,
  OpenedPort,
  OpenedSession,
  SessionInput,
  Sessions,
} from '../../../machinery/requests/sessions.js';
import { parseTimestamp, SECOND } from '../../../machinery/time/time.js';
import { readJson } from '../../host/json.js';
import { openSsh } from '../../host/shell/ssh.js';
import { idOf, sandboxId } from '../../host/views/runtime-view.js';
import { addImage } from '../../kubelet/nodestatus/images.js';
import {
  formatTime,
  makePodRuntime,
  readPodRuntime,
  storePodRuntime,
  type ContainerRecord,
  type PodRuntime,
} from '../../kubelet/pod/pod-runtime.js';
import { killContainer } from '../../kubelet/kuberuntime/kill.js';
import { podLogs } from '../../kubelet/kuberuntime/logs.js';
import { networkOf } from '../../kubelet/container/process.js';
import { findRefusal } from '../images/registry-access.js';
import { parseReference } from '../images/reference.js';
import { SANDBOX_OPERATIONS } from '../sandboxes/sandbox-service.js';
import { sandboxesOf } from '../sandboxes/sandbox-pod.js';
import {
  type Body,
  notFound,
  numberIn,
  type Operation,
  RuntimeFailure,
  type RuntimeServiceOptions,
  textIn,
} from './call.js';
import { containersOf, podsOf, runningIn, type Found } from './pods.js';
import { readStats } from './stats.js';

/** Seconds in which a program that hears a signal ends. */
const HEARD_WITHIN = 60;
/** SIGKILL's exit code. */
const KILLED = 137;
const BYTES_PER_SECOND = 50_000_000;
/** Ids of a pod's containers that were removed. */
const MAX_REMOVED = 20;

const STREAMS: Readonly<Record<string, 'stdout' | 'stderr'>> = { stdout: 'stdout', stderr: 'stderr' };

/** The calls of the CRI that act on something, by the names of the protocol's. */
const OPERATIONS: Readonly<Record<string, Operation>> = {
  ...SANDBOX_OPERATIONS,
  StopContainer: stopContainer,
  RemoveContainer: removeContainer,
  StopPodSandbox: stopPodSandbox,
  RemovePodSandbox: removePodSandbox,
  PullImage: pullImage,
  RemoveImage: removeImage,
  Exec: openExec,
  Stats: readStats,
  Attach: openAttach,
  PortForward: openPort,
  Logs: readLogs,
  Stream: stream,
  // No calls of the CRI: a program on a node reaches the other nodes, and processes of containers, by the same socket.
  Ssh: openSsh,
  Signal: signalMain,
};

/**
 * What a node's containerd does when a program asks at its socket. Models the CRI's RuntimeService and ImageService as
 * internal/cri/server of containerd has them. A sandbox is not made anew when it was stopped: its containers are.
 */
export function serveRuntime(options: RuntimeServiceOptions, { path, body }: PodHttpRequest): PodHttpAnswer {
  const name = path.slice(1);
  const operation = Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined;
  if (!operation || isOff(options.read, options.from.spec.nodeName ?? '')) return { status: 404 };
  try {
    return { status: 200, body: JSON.stringify(operation(options, (readJson(body) ?? {}) as Body)) };
  } catch (error) {
    if (error instanceof RuntimeFailure || error instanceof ApiError)
      return { status: 400, body: JSON.stringify({ error: error.message }) };
    throw error;
  }
}

/** The running container with this id. */
const findRunning = (options: RuntimeServiceOptions, id: string): Found | undefined =>
  podsOf(options)
    .flatMap(runningIn)
    .find(({ status }) => idOf(status.containerID) === id);

/** The pod that a container which has ended is of. */
const findEnded = (options: RuntimeServiceOptions, id: string): Pod | undefined =>
  podsOf(options).find((pod) =>
    containersOf(pod).some(({ state, lastState }) =>
      [state?.terminated, lastState?.terminated].some((ended) => ended && idOf(ended.containerID) === id),
    ),
  );

function stopContainer(options: RuntimeServiceOptions, body: Body): object {
  const id = textIn(body, 'id');
  const found = findRunning(options, id);
  if (found) stop(options, [found], numberIn(body, 'timeout'));
  else if (!findEnded(options, id)) throw notFound('container', id);
  return {};
}

/** The first process of a container, or of a sandbox, gets a signal that may end it. */
function signalMain(options: RuntimeServiceOptions, body: Body): object {
  const id = textIn(body, 'id');
  const found = findRunning(options, id);
  if (!found) return findSandbox(options, id) ? stopPodSandbox(options, body) : {};
  if (textIn(body, 'signal') === 'KILL') stop(options, [found], 0);
  else if (endsBySignal(options, found)) stop(options, [found], HEARD_WITHIN);
  return {};
}

/** Whether a program ends by itself when it is told to. */
function endsBySignal(options: RuntimeServiceOptions, found: Found): boolean {
  const dying = endOf(options, found, HEARD_WITHIN);
  return dying !== undefined && parseTimestamp(dying.at) < options.now + HEARD_WITHIN * SECOND;
}

/** Containers of one pod are told to end; their kubelet sees that they have. */
function stop(options: RuntimeServiceOptions, found: readonly Found[], timeoutSeconds: number): void {
  const [first] = found;
  if (!first) return;
  const stored = readPodRuntime(options.read, first.pod);
  const containers: Record<string, ContainerRecord> = { ...stored?.containers };
  for (const one of found) {
    const { container } = one;
    const record = containers[container.name] ?? {};
    containers[container.name] = record.dying ? record : { ...record, dying: endOf(options, one, timeoutSeconds) };
  }
  change(options, first.pod, stored, { containers });
}

/** Without a grace period it is killed at once; within one a program ends by itself when it gets its signal. */
function endOf(options: RuntimeServiceOptions, found: Found, seconds: number): ContainerRecord['dying'] {
  const { now, from, machines, read } = options;
  const { pod, status } = found;
  const since = formatTime(now);
  if (seconds === 0 || pod.metadata.uid === from.metadata.uid)
    return { at: formatTime(now + seconds * SECOND), code: KILLED, since };
  const startedAt = parseTimestamp(status.state?.running?.startedAt ?? '');
  const run = { container: found.container, image: status.image, containerID: status.containerID ?? '', startedAt };
  const network = networkOf(read, pod.metadata.namespace ?? '');
  const process = machines.processOf(machines.viewOf(pod), run, { pod, read }, network, now);
  // Hooks are the kubelet's.
  const container = { ...found.container, lifecycle: undefined };
  const request = { pod, container, record: {}, process, startedAt, now, instant: false };
  return killContainer({ ...request, graceSeconds: seconds }).dying;
}

/** Writes what was done to a pod's containers down, so that its kubelet looks. */
function change(
  { client, now }: RuntimeServiceOptions,
  pod: Pod,
  stored: PodRuntime | undefined,
  next: Partial<Pick<PodRuntime, 'containers' | 'removed'>>,
): void {
  const made = stored ?? makePodRuntime(pod, undefined, { containers: {} });
  storePodRuntime(client, client.get(PodRuntimes as unknown as Kind<PodRuntime>, keyOfPod(pod)), {
    ...made,
    ...next,
    asked: formatTime(now),
  });
}

const keyOfPod = ({ metadata: { namespace = '', name = '' } }: Pod): { namespace: string; name: string } => ({
  namespace,
  name,
});

function removeContainer(options: RuntimeServiceOptions, body: Body): object {
  const id = textIn(body, 'id');
  if (removeFromSandbox(options, id)) return {};
  const pod = findEnded(options, id) ?? findRunning(options, id)?.pod;
  if (pod) forget(options, pod, [id]);
  return {};
}

function forget(options: RuntimeServiceOptions, pod: Pod, ids: readonly string[]): void {
  const stored = readPodRuntime(options.read, pod);
  const removed = [...new Set([...(stored?.removed ?? []), ...ids])].slice(-MAX_REMOVED);
  change(options, pod, stored, { removed });
}

const findSandbox = (options: RuntimeServiceOptions, id: string): Pod | undefined =>
  podsOf(options).find((pod) => sandboxId(pod) === id);

function stopPodSandbox(options: RuntimeServiceOptions, body: Body): object {
  const id = textIn(body, 'id');
  const pod = findSandbox(options, id);
  if (!pod) throw notFound('sandbox', id);
  stop(options, runningIn(pod), 0);
  const made = options.read.get(PodSandboxes, { namespace: '', name: id });
  if (made && made.stoppedAt === undefined)
    options.client.update(PodSandboxes, { ...made, stoppedAt: formatTime(options.now) });
  return {};
}

/** A container of a sandbox that the runtime was asked for goes at once. False: it is of a pod of the cluster. */
function removeFromSandbox({ read, client, from }: RuntimeServiceOptions, id: string): boolean {
  const sandbox = sandboxesOf(read, from.spec.nodeName ?? '').find((one) => one.containers.some((c) => c.id === id));
  const key = sandbox?.containers.find((one) => one.id === id)?.key;
  if (!sandbox || key === undefined) return false;
  const { pod } = sandbox;
  const isOther = ({ name }: { name: string }): boolean => name !== key;
  client.update(PodSandboxes, {
    ...sandbox,
    containers: sandbox.containers.filter((one) => one.id !== id),
    pod: {
      ...pod,
      spec: { ...pod.spec, containers: pod.spec.containers.filter(isOther) },
      status: { ...pod.status, containerStatuses: (pod.status.containerStatuses ?? []).filter(isOther) },
    },
  });
  return true;
}

function removePodSandbox(options: RuntimeServiceOptions, body: Body): object {
  const pod = findSandbox(options, textIn(body, 'id'));
  if (!pod) return {};
  const made = { namespace: '', name: textIn(body, 'id') };
  if (options.read.get(PodSandboxes, made)) {
    options.client.delete(PodSandboxes, made);
    return {};
  }
  stop(options, runningIn(pod), 0);
  const ids = containersOf(pod).flatMap(({ state, lastState }) =>
    [state?.terminated, lastState?.terminated].flatMap((ended) => (ended ? [idOf(ended.containerID)] : [])),
  );
  forget(options, pod, ids);
  return {};
}

/** `took`: virtual ms that the download lasts. */
function pullImage({ read, client, images, from }: RuntimeServiceOptions, body: Body): object {
  const text = textIn(body, 'image');
  const reference = parseReference(text);
  if (!reference)
    throw new RuntimeFailure(
      `rpc error: code = InvalidArgument desc = failed to parse image reference "${text}": invalid reference format`,
    );
  const found = images.resolve(reference);
  if ('error' in found) throw new RuntimeFailure(withCode(found.error));
  const credentials = { username: textIn(body, 'username'), password: textIn(body, 'password') };
  const refusal = found.access && findRefusal(reference, found.access, credentials.username ? credentials : undefined);
  if (refusal !== undefined) throw new RuntimeFailure(withCode(refusal));
  const node = read.get(Nodes, { namespace: '', name: from.spec.nodeName ?? '' });
  if (!node) return {};
  const known = node.status.images ?? [];
  const next = addImage(known, { names: [...new Set([found.id, reference.full])], sizeBytes: found.sizeBytes });
  if (next !== known) client.updateStatus(Nodes, { ...node, status: { ...node.status, images: next } });
  const took = next === known ? 400 : 600 + (found.sizeBytes / BYTES_PER_SECOND) * SECOND;
  return { imageRef: found.id.replace(/^.*@/, ''), took: Math.round(took) };
}

/** The kubelet leaves a code away that says nothing; gRPC does not. */
const withCode = (error: string): string =>
  error.startsWith('rpc error:') ? error : `rpc error: code = Unknown desc = ${error}`;

function removeImage({ read, client, from }: RuntimeServiceOptions, body: Body): object {
  const names = body['names'];
  const node = read.get(Nodes, { namespace: '', name: from.spec.nodeName ?? '' });
  const isMeant = (name: string): boolean => Array.isArray(names) && names.includes(name);
  const images = node?.status.images?.filter((image) => !image.names?.some(isMeant));
  if (node && images) client.updateStatus(Nodes, { ...node, status: { ...node.status, images } });
  return {};
}

function openExec(options: RuntimeServiceOptions, body: Body): object {
  const id = textIn(body, 'id');
  const found = findRunning(options, id);
  if (!found) throw notFound('container', id);
  refuseOwnPod(options, found.pod);
  const command = Array.isArray(body['command']) ? body['command'].map(String) : [];
  const request: ExecOptions = {
    ...{ container: found.container.name, command, stdin: body['stdin'] === true, tty: body['tty'] === true },
    ...{ stdout: true, stderr: true },
  };
  const opened: OpenedSession = options.sessions.openExec(found.pod, request, options.now);
  if (!opened.session) throw new RuntimeFailure(opened.failure?.message ?? 'cannot exec');
  return { session: opened.session };
}

function openAttach(options: RuntimeServiceOptions, body: Body): object {
  const id = textIn(body, 'id');
  const found = findRunning(options, id);
  if (!found) throw notFound('container', id);
  refuseOwnPod(options, found.pod);
  const request = { container: found.container.name, stdin: body['stdin'] === true, tty: body['tty'] === true };
  const opened = options.sessions.openAttach(found.pod, { ...request, stdout: true, stderr: true }, options.now);
  if (!opened.session) throw new RuntimeFailure(opened.failure?.message ?? 'cannot attach');
  return { session: opened.session };
}

/** A connection to a port of a sandbox. A server that is known by its summary has no machine to connect to. */
function openPort(options: RuntimeServiceOptions, body: Body): object {
  const id = textIn(body, 'id');
  const pod = findSandbox(options, id);
  if (!pod) throw notFound('sandbox', id);
  refuseOwnPod(options, pod);
  const opened: OpenedPort = options.sessions.openPort(pod, numberIn(body, 'port'), options.now);
  if ('http' in opened) return { http: true };
  if (!opened.session) throw new RuntimeFailure(opened.failure?.message ?? 'cannot forward');
  return { session: opened.session };
}

function refuseOwnPod({ from }: RuntimeServiceOptions, { metadata }: Pod): void {
  if (metadata.uid === from.metadata.uid)
    throw new RuntimeFailure('a program of this container cannot ask for another one in its own pod (not simulated)');
}

/** The log of a container, as its file has it, and whether it is over. Not of the pod that asks: it is in a step. */
function readLogs(options: RuntimeServiceOptions, body: Body): object {
  const { read, images, machines, now, from } = options;
  const id = textIn(body, 'id');
  const running = findRunning(options, id);
  const pod = running?.pod ?? findEnded(options, id);
  const status = pod && containersOf(pod).find((one) => idsOf(one).includes(id));
  if (!pod || !status) throw notFound('container', id);
  if (pod.metadata.uid === from.metadata.uid)
    throw new RuntimeFailure('the log of a pod is not read by its own programs (not simulated)');
  const previous = !running && idOf(status.containerID) !== id;
  const since = typeof body['since'] === 'number' && body['since'] >= 0 ? body['since'] : undefined;
  const stream = STREAMS[textIn(body, 'stream')];
  const log = podLogs(
    pod,
    {
      ...{ container: status.name, previous, follow: false, timestamps: body['timestamps'] === true },
      ...(since === undefined ? {} : { sinceTime: new Date(Math.round(since)).toISOString() }),
      ...(stream === undefined ? {} : { stream }),
    },
    ...([now, images, read, machines] as const),
  );
  const text = log.type === 'body' ? log.body : '';
  return { text: typeof text === 'string' ? text : '', isOver: !running };
}

const idsOf = ({ containerID, state, lastState }: ContainerStatus): string[] =>
  [containerID, state?.terminated?.containerID, lastState?.terminated?.containerID].map((one) => idOf(one));

/** One exchange with a command under way: what it is given, and what it has printed since. */
function stream({ sessions, now }: RuntimeServiceOptions, body: Body): object {
  const session = body['session'] as Parameters<Sessions['read']>[0] | undefined;
  if (typeof session?.id !== 'string') throw new RuntimeFailure('no such session');
  const position = { stdoutFrom: numberIn(body, 'stdoutFrom'), stderrFrom: numberIn(body, 'stderrFrom') };
  const input = (body['input'] ?? {}) as SessionInput;
  const taken = sessions.input(session, input, now);
  const { stdout, stderr, exit, stdoutFrom, stderrFrom } = sessions.read(session, position, now);
  const next = { stdout: (stdoutFrom ?? 0) + stdout.length, stderr: (stderrFrom ?? 0) + stderr.length };
  if (next.stdout > 0 || next.stderr > 0) sessions.input(session, { received: next }, now);
  return { stdout, stderr, taken, stdoutFrom: next.stdout, stderrFrom: next.stderr, ...(exit ? { exit } : {}) };
}
