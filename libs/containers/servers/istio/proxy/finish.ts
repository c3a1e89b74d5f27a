import type { AnswerParts } from '../../../../engine/node/cni/http-bytes.js';
import { httpDate } from '../../http.js';
import type { Forward, Look, Outcome, ProxyRequest, Step } from '../../proxy/proxy.js';
import type { Workload } from '../mesh.js';
import { clusterOf } from '../routing/clusters.js';
import { findHost } from '../routing/hosts.js';
import { changeHeaders } from '../routing/request-change.js';
import { unanswered, type Said } from './answers.js';
import { logLine } from './log-line.js';
import { operationsIn, sendTo, type Note } from './send.js';

/** The first pause of retries: 25 ms, by chance less. */
const BACK_OFF = 25;

/** What comes of an upstream's answer: it is passed on, or another one is asked. */
export function finish(
  workload: Workload,
  request: ProxyRequest,
  forward: Forward,
  outcome: Outcome,
  look: Look,
): Step {
  const note = forward.note as Note;
  const again = note.left > 0 && isRetriable(note.retryOn, outcome) ? retry(workload, forward, note, look) : undefined;
  if (again) return again;
  if (!('answer' in outcome)) {
    const hasTimeout = note.deadline > 0 || note.perTry > 0;
    return say(workload, request, unanswered(outcome.failure, note.tried > 0, hasTimeout), note, look);
  }
  const { answer, took } = outcome;
  const { server: _server, 'x-envoy-decorator-operation': _operation, ...headers } = answer.headers ?? {};
  const changed = changeHeaders(headers, ...operationsIn(note));
  const flags = note.flags === '-' && answer.status >= 500 && note.tried > 0 ? 'URX' : note.flags;
  const parts: AnswerParts = {
    ...answer,
    headers: { ...changed, 'x-envoy-upstream-service-time': String(took), server: note.server },
  };
  return { ...end(workload, request, parts, { ...note, flags }, 'via_upstream', look, took) };
}

/** What the proxy says by itself, with a line for its log. */
export function say(workload: Workload, request: ProxyRequest, said: Said, note: Note, look: Look): Step {
  const flags = said.flags === '-' ? note.flags : said.flags;
  const answer = { ...said.answer, headers: { ...said.answer.headers, server: note.server } };
  return end(workload, request, answer, { ...note, flags }, said.details, look, undefined, said.failure);
}

function end(
  { mesh, pod }: Workload,
  request: ProxyRequest,
  parts: AnswerParts,
  note: Note,
  details: string,
  look: Look,
  took?: number,
  failure?: string,
): Step {
  const answer: AnswerParts = { ...parts, isLowerCase: true, headers: { date: httpDate(look.now), ...parts.headers } };
  const sent = request.method === 'HEAD' ? 0 : (parts.body ?? '').length;
  const line = logLine(
    mesh,
    request,
    {
      ...{ status: parts.status, flags: note.flags, details, sent, requestId: note.requestId, path: request.path },
      ...{ upstream: note.upstream, cluster: note.cluster, route: note.route, destination: note.destination },
      ...{ forwardedFor: note.forwardedFor, serverName: note.serverName },
      ...(took === undefined ? {} : { took }),
      ...(failure ? { failure } : {}),
      ...(note.upstream === '' ? {} : { localAddress: localAddress(note, pod.status.podIP ?? '', request) }),
    },
    look.now,
  );
  return { answer, ...(line === undefined ? {} : { line }) };
}

/** The proxy's own end: what goes to the application comes from an address of its own. */
const localAddress = ({ cluster }: Note, podIP: string, { clientPort }: ProxyRequest): string =>
  cluster.startsWith('inbound')
    ? `127.0.0.6:${32_768 + (clientPort % 28_000)}`
    : `${podIP}:${32_768 + (clientPort % 28_000)}`;

/** Models Envoy's RetryStateImpl. */
function isRetriable(retryOn: string, outcome: Outcome): boolean {
  const conditions = retryOn.split(',').map((one) => one.trim());
  if (!('answer' in outcome)) {
    const isOfConnect = outcome.failure === 'refused' || outcome.failure === 'unreachable';
    if (conditions.some((one) => one === '5xx' || one === 'gateway-error')) return true;
    return conditions.includes('connect-failure') && isOfConnect
      ? true
      : conditions.includes('reset') && outcome.failure !== 'refused';
  }
  const { status } = outcome.answer;
  return conditions.some(
    (one) =>
      (one === '5xx' && status >= 500) ||
      (one === 'gateway-error' && status >= 502 && status <= 504) ||
      (one === 'retriable-4xx' && status === 409) ||
      one === String(status),
  );
}

/** Undefined: the time is over, or nobody is there any more. */
function retry(workload: Workload, forward: Forward, before: Note, look: Look): Step | undefined {
  if (before.deadline > 0 && look.now + BACK_OFF >= before.deadline) return undefined;
  const [, port = '', subset = '', name = ''] = before.cluster.split('|');
  const { mesh, namespace } = workload;
  const host = findHost(look.read, name, namespace, mesh);
  const cluster = host && clusterOf(look.read, host, Number(port), subset, { namespace, mesh, now: look.now });
  if (!cluster) return undefined;
  const note = { ...before, tried: before.tried + 1, left: before.left - 1 };
  const { method, path, body, headers } = forward;
  const sent = sendTo(cluster, workload, { method, path, body, headers }, note, { ...look, now: look.now + BACK_OFF });
  return sent && { forward: sent, after: BACK_OFF };
}
