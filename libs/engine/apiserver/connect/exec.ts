import type { Pod } from '../../api/core_v1.js';
import type { BodyResponse, ExecResponse, SessionResponse } from '../../machinery/http.js';
import { ApiError, badRequest } from '../../machinery/meta/status.js';
import type { OpenedSession, Sessions, StreamOptions } from '../../machinery/sessions.js';
import type { Call } from '../call.js';
import { textResponse } from '../response/writers.js';
import { containerOf } from './logs.js';
import { connectedPod, requireUpgrade } from './pod-connection.js';

const SHELLS = new Set(['sh', 'bash', 'ash', 'dash']);
const MAX_ARGUMENTS = 1_000;
const KUBELET_ERROR = 500;

/** pods/exec. Models pkg/registry/core/pod ExecLocation. */
export function exec(call: Call): SessionResponse | ExecResponse | BodyResponse {
  const { query, server, now } = call;
  const { pod, streams } = streamTarget(call);
  const command = query.all('command').slice(0, MAX_ARGUMENTS);
  if (command.length === 0) throw badRequest('you must specify at least 1 command for the container');
  if (!server.sessions?.serves(pod, streams.container)) return rerun(call, pod, streams, command);
  return open(streams, command, server.sessions, (sessions) => sessions.openExec(pod, { ...streams, command }, now));
}

/** pods/attach. Models pkg/registry/core/pod AttachLocation. */
export function attach(call: Call): SessionResponse | BodyResponse {
  const { server, now } = call;
  const { pod, streams } = streamTarget(call);
  if (!server.sessions?.serves(pod, streams.container)) throw badRequest('pods/attach is not served by this cluster');
  return open(streams, [], server.sessions, (sessions) => sessions.openAttach(pod, streams, now));
}

function streamTarget(call: Call): { readonly pod: Pod; readonly streams: StreamOptions } {
  const { query } = call;
  const pod = connectedPod(call);
  const container = containerOf(pod, query.text('container'));
  requireUpgrade(call);
  const tty = query.flag('tty');
  const [stdin, stdout, stderr] = [query.flag('stdin'), query.flag('stdout'), query.flag('stderr')];
  // A terminal has one output.
  return { pod, streams: { container, stdin, stdout, stderr: stderr && !tty, tty } };
}

function open(
  streams: StreamOptions,
  command: readonly string[],
  sessions: Sessions,
  openSession: (sessions: Sessions) => OpenedSession,
): SessionResponse | BodyResponse {
  const { stdin, stdout, stderr } = streams;
  if (!stdin && !stdout && !stderr) return textResponse(400, 'you must specify at least 1 of stdin, stdout, stderr');
  try {
    return { type: 'session', status: 101, headers: {}, opened: openSession(sessions), streams, command };
  } catch (error) {
    // The kubelet's own words, which are no Status.
    if (error instanceof ApiError && error.code === KUBELET_ERROR) return textResponse(error.code, error.message);
    throw error;
  }
}

/** A cluster without machines runs the command anew on all input. */
function rerun(
  { server, request, now }: Call,
  pod: Pod,
  { container, stdin, tty }: StreamOptions,
  command: readonly string[],
): ExecResponse | BodyResponse {
  const run = server.exec?.(pod, container, command, now);
  // The kubelet's own words, which are no Status.
  if (!run) return textResponse(500, `container not found (${JSON.stringify(container)})`);
  if (request.headers['upgrade']?.toLowerCase() !== 'websocket')
    throw badRequest(`an upgrade to ${request.headers['upgrade']} is not served by this cluster: use a WebSocket`);
  const isShell = SHELLS.has(command[0]!.split('/').at(-1)!) && !command.some((a) => /^-\w*c$/.test(a));
  return { type: 'exec', status: 101, headers: {}, command, stdin, tty, isShell, run };
}
