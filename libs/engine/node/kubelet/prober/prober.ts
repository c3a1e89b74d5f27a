import type { Container, ExecAction, GRPCAction, HTTPGetAction, Probe, TCPSocketAction } from '../../../api/core_v1.js';
import { SECOND, type Millis } from '../../../machinery/time/time.js';
import type { PodHttpAnswer } from '../../../machinery/requests/http.js';
import type { Process } from '../../cri/image.js';

/** What one probe is run against. */
export interface ProbeTarget {
  readonly container: Container;
  readonly process: Process;
  readonly podIP: string;
}

/** The result of one probe. */
export interface ProbeResult {
  readonly ok: boolean;
  /** Why it failed: 'HTTP probe failed with statuscode: 404'. */
  readonly output: string;
  /** It has asked other machines, so that it does not follow from its container alone. */
  readonly asksOthers?: boolean;
  /** It could not be run, and says nothing of the container; `output` is why. */
  readonly errored?: boolean;
}

const SUCCESS: ProbeResult = { ok: true, output: '' };
const failure = (output: string): ProbeResult => ({ ok: false, output });
const errored = (output: string): ProbeResult => ({ ok: false, output, errored: true });

/** Runs a probe once, at a time since the container's start. Models pkg/kubelet/prober/prober.go runProbe. */
export function runProbe(probe: Probe, target: ProbeTarget, sinceStart: Millis): ProbeResult {
  const timeoutMs = (probe.timeoutSeconds ?? 1) * SECOND;
  const port = probe.httpGet?.port ?? probe.tcpSocket?.port;
  if (port !== undefined && Number.isNaN(findPort(port, target.container)))
    return errored(`strconv.Atoi: parsing ${JSON.stringify(port)}: invalid syntax`);
  const late =
    (target.process.latencyMs?.(sinceStart) ?? 0) >= timeoutMs ? findLate(probe, target, timeoutMs) : undefined;
  if (late !== undefined) return failure(late);
  if (probe.httpGet) return probeHTTP(probe.httpGet, target, sinceStart);
  if (probe.tcpSocket) return probeTCP(probe.tcpSocket, target, sinceStart);
  if (probe.grpc) return probeGRPC(probe.grpc, target, sinceStart, timeoutMs);
  if (probe.exec) return probeExec(probe.exec, target, sinceStart, timeoutMs);
  return SUCCESS;
}

/** What a probe says whose answer does not come in time. */
function findLate(probe: Probe, { container, podIP }: ProbeTarget, timeoutMs: Millis): string | undefined {
  const { httpGet, tcpSocket, grpc, exec } = probe;
  if (httpGet) {
    const { host = podIP, path = '/', port } = httpGet;
    const scheme = httpGet.scheme === 'HTTPS' ? 'https' : 'http';
    const url = `${scheme}://${host}:${findPort(port, container)}${path}`;
    return `Get "${url}": context deadline exceeded (Client.Timeout exceeded while awaiting headers)`;
  }
  // The kernel accepts connections for a program that is slow.
  if (tcpSocket) return undefined;
  if (grpc) return `timeout: health rpc did not complete within ${timeoutMs / SECOND}s`;
  return exec && `command timed out: "${(exec.command ?? []).join(' ')}" timed out after ${timeoutMs / SECOND}s`;
}

function probeHTTP(action: HTTPGetAction, target: ProbeTarget, sinceStart: Millis): ProbeResult {
  const { process, podIP } = target;
  const { host = podIP, path = '/' } = action;
  const scheme = action.scheme === 'HTTPS' ? 'https' : 'http';
  const port = findPort(action.port, target.container);
  if (!isListening(process, port, sinceStart))
    return failure(`Get "${scheme}://${host}:${port}${path}": ${connectionRefused(host, port)}`);
  const headers = probeHeaders(action);
  const answer = process.serve?.({ scheme, port, method: 'GET', path, headers, body: '' }, sinceStart);
  if (scheme === 'https' && !process.isMachine && isPlainServer(answer))
    return failure(`Get "${scheme}://${host}:${port}${path}": http: server gave HTTP response to HTTPS client`);
  const code = answer?.status ?? 200;
  return code >= 200 && code < 400 ? SUCCESS : failure(`HTTP probe failed with statuscode: ${code}`);
}

/** A server known by its summary that has no TLS and speaks HTTP/1.1 alone: it names itself. */
const isPlainServer = (answer: PodHttpAnswer | undefined): boolean =>
  /^(?:nginx|Apache)/.test(answer?.headers?.['server'] ?? '');

function probeTCP(
  action: TCPSocketAction,
  { container, process, podIP }: ProbeTarget,
  sinceStart: Millis,
): ProbeResult {
  const { host = podIP } = action;
  const port = findPort(action.port, container);
  return isListening(process, port, sinceStart) ? SUCCESS : failure(connectionRefused(host, port));
}

/**
 * Calls Check of the health protocol, as a POST with the service's name; a server that says nothing of gRPC counts as
 * healthy, unless it is known to speak HTTP/1.1. Models pkg/probe/grpc.
 */
function probeGRPC(
  { port, service }: GRPCAction,
  { process, podIP }: ProbeTarget,
  sinceStart: Millis,
  timeoutMs: Millis,
): ProbeResult {
  const noConnection = `timeout: failed to connect service "${podIP}:${port}" within ${timeoutMs / SECOND}s: context deadline exceeded`;
  if (!isListening(process, port, sinceStart)) return failure(noConnection);
  const headers = { host: `${podIP}:${port}`, 'content-type': 'application/grpc', connection: 'close' };
  const request = { scheme: 'http', port, method: 'POST', path: HEALTH_CHECK, headers, body: service ?? '' } as const;
  const answer = process.serve?.(request, sinceStart);
  if (isPlainServer(answer)) return failure(noConnection);
  const { headers: answered = {}, body = '' } = (process.isMachine ? answer : undefined) ?? {};
  const code = answered['grpc-status'];
  if (code === undefined || (code === '0' && body === 'SERVING')) return SUCCESS;
  if (code === '0') return failure(`service unhealthy (responded with "${body}")`);
  const name = GRPC_CODES[code] ?? 'Unknown';
  return failure(`error: health rpc probe failed: rpc error: code = ${name} desc = ${answered['grpc-message'] ?? ''}`);
}

const HEALTH_CHECK = '/grpc.health.v1.Health/Check';
const GRPC_CODES: Readonly<Record<string, string>> = { '5': 'NotFound', '12': 'Unimplemented', '14': 'Unavailable' };

/** A command that the image does not know succeeds, unless it is `false`. */
function probeExec(
  { command = [] }: ExecAction,
  { process }: ProbeTarget,
  sinceStart: Millis,
  timeoutMs: Millis,
): ProbeResult {
  if (!process.isMachine && sinceStart < process.readyAfterMs) return failure('command failed');
  const result = process.exec?.(command, sinceStart, timeoutMs);
  if (result) {
    if (result.isUnstarted) return errored(result.output);
    const found = result.code === 0 ? SUCCESS : failure(result.output);
    return result.asksOthers ? { ...found, asksOthers: true } : found;
  }
  return command.at(-1) === 'false' ? failure('command failed') : SUCCESS;
}

export const isListening = (process: Process, port: number, sinceStart: Millis): boolean =>
  process.isListening?.(port, sinceStart) ?? (sinceStart >= process.readyAfterMs && process.listens.includes(port));

/** In the words of Go's dialer. */
const connectionRefused = (host: string, port: number): string =>
  `dial tcp ${host}:${port}: connect: connection refused`;

/** The number of a port that may be given by name. */
export const findPort = (port: number | string, { ports }: Container): number =>
  typeof port === 'number' ? port : (ports?.find((p) => p.name === port)?.containerPort ?? Number(port));

export const probeHeaders = ({ httpHeaders = [] }: HTTPGetAction): Record<string, string> =>
  Object.fromEntries([
    ['user-agent', 'kube-probe/1.36'],
    ...httpHeaders.map(({ name, value }) => [name.toLowerCase(), value]),
  ]);
