import { bytesOf, textOf, type Bytes } from '../../../kernel/bytes.js';
import { SystemError } from '../../../kernel/errno.js';
import type { Machine } from '../../../kernel/machine.js';
import { FIRST_WINDOW } from '../../../kernel/sessions/output.js';
import type { PodHttpAnswer, PodHttpRequest } from '../../../machinery/requests/http.js';
import { SECOND, type Millis } from '../../../machinery/time/time.js';
import { joinChunks } from '../../cni/http-bytes.js';
import { formatHello, parseHello, type ServerHello } from '../../cni/tls.js';
import type { BoundedMachine } from '../looks/bounded-machine.js';
import type { Trial } from '../looks/trial.js';

/** No answer comes later: as http.Client's timeouts in Kubernetes. */
const TIMEOUT = 30 * SECOND;

type Answer = PodHttpAnswer | { readonly error: string };

/** Sends an HTTP request to a port of a copy of a machine, and lets it run until the answer is there. */
export function tryRequest(copy: BoundedMachine, request: PodHttpRequest, podIP: string, now: Millis): Trial<Answer> {
  let session: string;
  let received: Bytes = '';
  try {
    session = copy.connect(request.port, now, podIP);
    copy.input(session, formatRequest(request, podIP), now);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    return { copy, proceed: () => ({ result: refused(podIP, request) }) };
  }
  return {
    copy,
    proceed: () => {
      while (!copy.output(session).ended) {
        received += takeFull(copy, session);
        const wake = copy.nextWake();
        if (wake === undefined || wake > now + TIMEOUT) break;
        if (!copy.run(wake)) return undefined;
      }
      const stdout = received + copy.output(session).stdout;
      const answer = parseAnswer(stdout, copy.now - now);
      return { result: answer ?? { error: stdout === '' ? 'EOF' : 'malformed HTTP response' } };
    },
  };
}

/** Of an answer that fills its window: what there is, so that the rest can come. */
function takeFull(copy: BoundedMachine, session: string): Bytes {
  const { stdout, stdoutFrom, stderrFrom } = copy.output(session);
  if (stdout.length < FIRST_WINDOW) return '';
  copy.acknowledge(session, stdoutFrom + stdout.length, stderrFrom);
  return stdout;
}

const refused = (podIP: string, { port }: PodHttpRequest): Answer => ({
  error: `dial tcp ${podIP}:${port}: connect: connection refused`,
});

/**
 * Sends an HTTP request to a port of a pod's own machine at this moment. Undefined: its server has not answered yet.
 */
export function askMachineNow(
  machine: Machine,
  request: PodHttpRequest,
  podIP: string,
  now: Millis,
): Answer | undefined {
  try {
    const session = machine.connect(request.port, now, podIP);
    machine.input(session, formatRequest(request, podIP), now);
    machine.run(now);
    const { stdout, ended } = machine.output(session);
    const answer = parseAnswer(stdout, 0);
    if (!ended) return answer;
    machine.hangUp(session, now);
    return answer ?? { error: stdout === '' ? 'EOF' : 'malformed HTTP response' };
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    return refused(podIP, request);
  }
}

/** The request as it goes over a connection of its own, which an upgrade keeps and any other one ends. */
export function formatRequest(request: PodHttpRequest, host: string): Bytes {
  const { scheme, method, path, headers, body, port } = request;
  const bytes = request.bytes ?? bytesOf(body);
  const length: Record<string, string> = bytes === '' ? {} : { 'content-length': String(bytes.length) };
  const connection = isUpgrade(request) ? 'Upgrade' : 'close';
  const all: Record<string, string> = { host: `${host}:${port}`, ...headers, ...length, connection };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${bytesOf(value)}\r\n`);
  const name = (all['host'] ?? '').replace(/:\d{1,5}$/, '');
  const hello = scheme === 'https' ? formatHello({ serverName: /^[\d.]+$|:/.test(name) ? '' : name }) : '';
  return `${hello}${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${bytes}`;
}

/** The client wants to go on in another protocol: a WebSocket. */
export const isUpgrade = ({ headers }: Pick<PodHttpRequest, 'headers'>): boolean => headers['upgrade'] !== undefined;

/** Undefined while there is no complete head. */
export function parseAnswer(all: Bytes, delayMs: Millis): PodHttpAnswer | undefined {
  const received = parseHello<ServerHello>(all)?.rest ?? all;
  const end = received.indexOf('\r\n\r\n');
  const [line = '', ...lines] = received.slice(0, Math.max(0, end)).split('\r\n');
  const status = /^HTTP\/\d\.\d (\d{3})/.exec(line)?.[1];
  if (end < 0 || status === undefined) return undefined;
  const headers: Record<string, string> = {};
  for (const text of lines) {
    const colon = text.indexOf(':');
    if (colon <= 0) continue;
    const name = text.slice(0, colon).trim().toLowerCase();
    const value = textOf(text.slice(colon + 1).trim());
    const before = headers[name];
    headers[name] = before === undefined ? value : `${before}${name === 'set-cookie' ? '\n' : ', '}${value}`;
  }
  const raw = received.slice(end + 4);
  const bytes = /\bchunked\b/i.test(headers['transfer-encoding'] ?? '') ? joinChunks(raw) : raw;
  const body = textOf(bytes);
  return {
    status: Number(status),
    headers,
    body,
    ...(bytesOf(body) === bytes ? {} : { bytes }),
    ...(delayMs > 0 ? { delayMs } : {}),
  };
}
