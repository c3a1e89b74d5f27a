import type { Pod } from '../../api/core_v1.js';
import { findHost } from '../../kinds/terrarium/noderuntime/hosts.js';
import { isRuntimeDown, kubeletRefusal } from '../../kinds/terrarium/noderuntime/kubelet-dial.js';
import type { BodyResponse, SessionResponse } from '../../machinery/requests/http.js';
import { ApiError, badRequest, notFound } from '../../machinery/meta/status.js';
import type { OpenedSession, Sessions, StreamOptions } from '../../machinery/requests/sessions.js';
import type { Call } from '../call.js';
import { textResponse } from '../response/writers.js';
import { containerOf } from './logs.js';
import { connectedPod, findFailedDial, requireUpgrade, type FailedDial } from './pod-connection.js';

const MAX_ARGUMENTS = 1_000;
const KUBELET_ERROR = 500;
const MAX_GROUPS = 20;
/** The kubelet's, of its CRI client. */
const NO_RUNTIME =
  'rpc error: code = Unavailable desc = connection error: desc = ' +
  '"transport: Error while dialing: dial unix /run/containerd/containerd.sock: connect: connection refused"';

/** pods/exec. Models pkg/registry/core/pod ExecLocation. */
export function exec(call: Call): SessionResponse | BodyResponse {
  const { query, now } = call;
  const takesEnd = call.request.takesEnd ? ({ takesEnd: true } as const) : {};
  const { pod, streams } = streamTarget(call);
  const command = query.all('command').slice(0, MAX_ARGUMENTS);
  if (command.length === 0) throw badRequest('you must specify at least 1 command for the container');
  const failed = findFailedDial(call, pod, `exec/${streams.container}`, queryOf(streams, command));
  if (failed) return failDial(call, streams, command, failed);
  const options = { ...streams, ...takesEnd, command };
  return open(call, streams, command, (sessions) => sessions.openExec(pod, options, now), pod);
}

/** nodes/shell: a command on the node itself, or its login shell. Kubernetes has no such thing; an author needs one. */
export function shell(call: Call): SessionResponse | BodyResponse {
  const { query, now } = call;
  const node = findHost(call.server.state, call.name);
  if (!node) throw notFound(call.kind, call.name);
  const command = query.all('command').slice(0, MAX_ARGUMENTS);
  const streams = { container: '', ...streamsOf(call) };
  return open(call, streams, command, (sessions) => sessions.openShell(node, { ...streams, command }, now));
}

/** pods/attach. Models pkg/registry/core/pod AttachLocation. */
export function attach(call: Call): SessionResponse | BodyResponse {
  const { now } = call;
  const { pod, streams } = streamTarget(call);
  const failed = findFailedDial(call, pod, `attach/${streams.container}`, queryOf(streams, []));
  if (failed) return failDial(call, streams, [], failed);
  return open(call, streams, [], (sessions) => sessions.openAttach(pod, streams, now), pod);
}

function streamTarget(call: Call): { readonly pod: Pod; readonly streams: StreamOptions } {
  const pod = connectedPod(call);
  const container = containerOf(pod, call.query.text('container'));
  return { pod, streams: { container, ...streamsOf(call) } };
}

/** Throws 400 for a request that is no upgrade. */
function streamsOf(call: Call): Omit<StreamOptions, 'container'> {
  const { query } = call;
  requireUpgrade(call);
  const tty = query.flag('tty');
  const [stdin, stdout, stderr] = [query.flag('stdin'), query.flag('stdout'), query.flag('stderr')];
  // A terminal has one output.
  return { stdin, stdout, stderr: stderr && !tty, tty };
}

function open(
  call: Call,
  streams: StreamOptions,
  command: readonly string[],
  openSession: (sessions: Sessions) => OpenedSession,
  pod?: Pod,
): SessionResponse | BodyResponse {
  const { stdin, stdout, stderr } = streams;
  const { sessions } = call.server;
  if (!sessions) throw badRequest('sessions in containers are not served by this cluster');
  const refuse = (code: number, message: string): SessionResponse | BodyResponse =>
    asksLater(call) ? refuseTranslated(streams, command, message) : textResponse(code, message);
  if (!stdin && !stdout && !stderr) return refuse(400, 'you must specify at least 1 of stdin, stdout, stderr');
  const refusal = pod && kubeletRefusal(call.server.state, pod.spec.nodeName, 'create');
  if (refusal !== undefined) return refuse(KUBELET_ERROR, refusal);
  if (pod && isRuntimeDown(call.server.state, pod.spec.nodeName)) return refuse(KUBELET_ERROR, NO_RUNTIME);
  try {
    const opened = withTypist(call, streams, openSession(sessions));
    return { type: 'session', status: 101, headers: {}, opened, streams, command };
  } catch (error) {
    // The kubelet's own words, which are no Status.
    if (error instanceof ApiError && error.code === KUBELET_ERROR) return refuse(error.code, error.message);
    throw error;
  }
}

/** Who holds the session of a terminal tells who types with each input. */
function withTypist(call: Call, { stdin, tty, container }: StreamOptions, opened: OpenedSession): OpenedSession {
  const { user } = call.request;
  if (!opened.session || !stdin || !tty || !user) return opened;
  const { kind, subresource, namespace, name } = call;
  const groups = (user.groups ?? []).slice(0, MAX_GROUPS);
  const typist = { user: user.name, groups, resource: kind.plural, subresource, namespace, name, container };
  return { ...opened, session: { ...opened.session, typist } };
}

/** What the kubelet is asked for. Models streamParams of pkg/registry/core/pod. */
const queryOf = ({ stdin, stdout, stderr, tty }: StreamOptions, command: readonly string[]): [string, string][] => [
  ...command.map((word): [string, string] => ['command', word]),
  ...Object.entries({ input: stdin, output: stdout, error: stderr, tty }).flatMap(([name, isSet]): [string, string][] =>
    isSet ? [[name, '1']] : [],
  ),
];

/** The kubelet is not reached: over the upgraded connection, where there is one. */
function failDial(
  call: Call,
  streams: StreamOptions,
  command: readonly string[],
  { url, error }: FailedDial,
): SessionResponse {
  if (!asksLater(call)) throw new ApiError(500, '', `error dialing backend: ${error}`);
  const failure = new ApiError(KUBELET_ERROR, 'InternalError', `error sending request: Post "${url}": ${error}`);
  return { type: 'session', status: 101, headers: {}, opened: { failure }, streams, command };
}

/** Whether the API server asks the kubelet only after it has upgraded the client's connection itself. */
const asksLater = ({ request }: Call): boolean =>
  Boolean(request.headers['sec-websocket-protocol']?.includes('v5.channel.k8s.io'));

/** Models apiserver/pkg/util/proxy/streamtranslator.go: the kubelet's refusal comes over the upgraded connection. */
const refuseTranslated = (streams: StreamOptions, command: readonly string[], message: string): SessionResponse => ({
  type: 'session',
  status: 101,
  headers: {},
  opened: { failure: new ApiError(KUBELET_ERROR, 'InternalError', `unable to upgrade connection: ${message}`) },
  streams,
  command,
});
