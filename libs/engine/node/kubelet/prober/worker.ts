import type { Container, HTTPGetAction, Probe } from '../../../api/core_v1.js';
import type { PodHttpRequest } from '../../../machinery/http.js';
import { MINUTE, SECOND, type Millis } from '../../../machinery/time/time.js';
import type { Process } from '../../cri/image.js';

/** A probe worker begins this long after its container. */
const FIRST_TICK = 800;
/** After that many failures in a row they are reported only now and then, as client-go's recorder would let through. */
const REPORTED_FAILURES = 25;
const SPARSE = 5 * MINUTE;

export interface Outcome {
  readonly ok: boolean;
  /** 'HTTP probe failed with statuscode: 404'. */
  readonly output: string;
}
const GOOD: Outcome = { ok: true, output: '' };

function portNumber(port: number | string, container: Container): number {
  if (typeof port === 'number') return port;
  return container.ports?.find((p) => p.name === port)?.containerPort ?? Number(port);
}

const probeHeaders = ({ httpHeaders = [] }: HTTPGetAction): Record<string, string> =>
  Object.fromEntries([['user-agent', 'kube-probe/1.36'], ...httpHeaders.map((h) => [h.name.toLowerCase(), h.value])]);

/** What one probe finds at a time since the start. Models pkg/kubelet/prober/prober.go. */
export function probeOnce(
  probe: Probe,
  container: Container,
  process: Process,
  podIP: string,
  sinceStart: Millis,
): Outcome {
  const answers = (port: number): boolean => sinceStart >= process.readyAfterMs && process.listens.includes(port);
  const refused = (host: string, port: number): string => `dial tcp ${host}:${port}: connect: connection refused`;
  if (probe.httpGet) {
    const { port, host = podIP, path = '/' } = probe.httpGet;
    const scheme = probe.httpGet.scheme === 'HTTPS' ? 'https' : 'http';
    const number = portNumber(port, container);
    if (!answers(number))
      return { ok: false, output: `Get "${scheme}://${host}:${number}${path}": ${refused(host, number)}` };
    const request: PodHttpRequest = {
      scheme,
      port: number,
      method: 'GET',
      path,
      headers: probeHeaders(probe.httpGet),
      body: '',
    };
    const code = process.serve?.(request, sinceStart).status ?? 200;
    return code >= 200 && code < 400 ? GOOD : { ok: false, output: `HTTP probe failed with statuscode: ${code}` };
  }
  if (probe.tcpSocket) {
    const { host = podIP } = probe.tcpSocket;
    const number = portNumber(probe.tcpSocket.port, container);
    return answers(number) ? GOOD : { ok: false, output: refused(host, number) };
  }
  if (probe.grpc) {
    return answers(probe.grpc.port)
      ? GOOD
      : {
          ok: false,
          output: `timeout: failed to connect service "${podIP}:${probe.grpc.port}" within 1s: context deadline exceeded`,
        };
  }
  if (probe.exec) {
    if (sinceStart < process.readyAfterMs) return { ok: false, output: 'command failed' };
    const command = probe.exec.command ?? [];
    const result =
      process.exec?.(command, sinceStart) ??
      (command.at(-1) === 'false' ? { code: 1, output: 'command failed' } : undefined);
    return !result || result.code === 0 ? GOOD : { ok: false, output: result.output };
  }
  return GOOD;
}

/** How a probe stands at a time: its verdict, and when it may change. */
export interface Verdict {
  /** What the thresholds say; `initial` until then. */
  readonly ok: boolean;
  /** When the verdict became what it is, since the start. */
  readonly since: Millis;
  /** The next time at which the verdict changes, or a failure is to be reported. */
  readonly next?: Millis;
  /** A tick falls on this very moment and fails. */
  readonly failing?: Outcome;
}

interface Timeline {
  readonly probe: Probe;
  readonly container: Container;
  readonly process: Process;
  readonly podIP: string;
  /** Ticks begin here (since the start): a startup probe's success holds the others back. */
  readonly from: Millis;
  readonly initial: boolean;
  readonly instant: boolean;
}

/**
 * Replays a probe from its container's start to `at`. What a probe sees is constant between a few known times, so only
 * the
 * first ticks after each of them are looked at. Models pkg/kubelet/prober/worker.go.
 */
export function verdictAt(line: Timeline, at: Millis): Verdict {
  const { probe, process } = line;
  const period = Math.max(1, probe.periodSeconds ?? 10) * SECOND;
  const first = line.instant ? 0 : Math.max((probe.initialDelaySeconds ?? 0) * SECOND + FIRST_TICK, line.from);
  const base = line.instant ? line.from : first;
  const tickFrom = (t: Millis): Millis => (t <= base ? base : base + Math.ceil((t - base) / period) * period);
  const see = (t: Millis): Outcome => probeOnce(probe, line.container, process, line.podIP, t);
  const borders = [base, process.readyAfterMs, ...(process.changes ?? [])]
    .filter((t) => t >= base)
    .sort((a, b) => a - b);
  let state = { ok: line.initial, since: 0 };
  let next: Millis | undefined;
  for (let i = 0; i < borders.length && next === undefined; i++) {
    const start = tickFrom(borders[i]!);
    const end = i + 1 < borders.length ? tickFrom(borders[i + 1]!) : Infinity;
    if (start >= end) continue;
    if (start > at) {
      if (see(start).ok !== state.ok || !see(start).ok) next = start;
      continue;
    }
    const { ok } = see(start);
    if (ok === state.ok) continue;
    const flips = start + ((ok ? (probe.successThreshold ?? 1) : (probe.failureThreshold ?? 3)) - 1) * period;
    if (flips >= end) continue;
    if (flips <= at) state = { ok, since: flips };
    else next = flips;
  }
  return withReports(state, next, { at, base, period, see, borders });
}

interface Ticks {
  readonly at: Millis;
  readonly base: Millis;
  readonly period: Millis;
  readonly borders: readonly Millis[];
  see(t: Millis): Outcome;
}

/** Adds the failing tick of now, and wakes for the next one that would be reported. */
function withReports(
  state: { ok: boolean; since: Millis },
  next: Millis | undefined,
  { at, base, period, see, borders }: Ticks,
): Verdict {
  const onTick = at >= base && Math.round((at - base) % period) === 0;
  const now = onTick ? see(at) : undefined;
  const upcoming = at < base ? base : base + (Math.floor((at - base) / period) + 1) * period;
  let wake = next;
  if (!see(upcoming).ok) {
    const failingSince = Math.max(...borders.filter((b) => b <= upcoming), base);
    const count = Math.floor((upcoming - failingSince) / period);
    const report = count < REPORTED_FAILURES ? upcoming : upcoming + (Math.ceil(SPARSE / period) - 1) * period;
    wake = Math.min(wake ?? Infinity, report);
  }
  return { ...state, ...(wake === undefined ? {} : { next: wake }), ...(now && !now.ok ? { failing: now } : {}) };
}
