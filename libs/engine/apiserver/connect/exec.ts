import type { Pod } from '../../api/core_v1.js';
import type { BodyResponse, SessionResponse } from '../../machinery/http.js';
import { ApiError, badRequest } from '../../machinery/meta/status.js';
import type { OpenedSession, Sessions, StreamOptions } from '../../machinery/sessions.js';
import type { Call } from '../call.js';
import { textResponse } from '../response/writers.js';
import { containerOf } from './logs.js';
import { connectedPod, requireUpgrade } from './pod-connection.js';

const MAX_ARGUMENTS = 1_000;
const KUBELET_ERROR = 500;

/** pods/exec. Models pkg/registry/core/pod ExecLocation. */
export function exec(call: Call): SessionResponse | BodyResponse {
  const { query, server, now } = call;
  const { pod, streams } = streamTarget(call);
  const command = query.all('command').slice(0, MAX_ARGUMENTS);
  if (command.length === 0) throw badRequest('you must specify at least 1 command for the container');
  return open(streams, command, server.sessions, (sessions) => sessions.openExec(pod, { ...streams, command }, now));
}

/** pods/attach. Models pkg/registry/core/pod AttachLocation. */
export function attach(call: Call): SessionResponse | BodyResponse {
  const { server, now } = call;
  const { pod, streams } = streamTarget(call);
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
  sessions: Sessions | undefined,
  openSession: (sessions: Sessions) => OpenedSession,
): SessionResponse | BodyResponse {
  const { stdin, stdout, stderr } = streams;
  if (!sessions) throw badRequest('sessions in containers are not served by this cluster');
  if (!stdin && !stdout && !stderr) return textResponse(400, 'you must specify at least 1 of stdin, stdout, stderr');
  try {
    return { type: 'session', status: 101, headers: {}, opened: openSession(sessions), streams, command };
  } catch (error) {
    // The kubelet's own words, which are no Status.
    if (error instanceof ApiError && error.code === KUBELET_ERROR) return textResponse(error.code, error.message);
    throw error;
  }
}
