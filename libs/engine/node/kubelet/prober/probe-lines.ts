import type { Container, Pod, Probe } from '../../../api/core_v1.js';
import { Clocks, Nodes } from '../../../kinds/index.js';
import type { Reader } from '../../../machinery/client.js';
import type { PodHttpRequest } from '../../../machinery/requests/http.js';
import type { Millis } from '../../../machinery/time/time.js';
import { fabricOf, networkOf } from '../../cni/fabric/index.js';
import type { LogLine, Process } from '../../cri/image.js';
import { internalIPOf } from '../nodestatus/internal-ip.js';
import { findPort, probeHeaders } from './prober.js';
import { replayProbe, ticksOf, type ProbeWorker } from './worker.js';

/** Lines of one probe that a log shows: the last ones. */
const MAX_LINES = 1_000;

/** A run of a server that logs its requests. Times count from its start. */
export interface ProbedRun {
  readonly pod: Pod;
  readonly container: Container;
  readonly process: Process;
  readonly read: Reader;
}

/** The requests of one probe that its server logs: from when on, how often, until when. */
interface Asked {
  readonly request: PodHttpRequest;
  readonly first: Millis;
  readonly period: Millis;
  readonly last: Millis;
}

/**
 * What a server logs of its kubelet's probes, as a function of the time: nobody has to run or to write anything for it.
 * Left out: what faults, and a kubelet that did not run, kept from the server.
 */
export class ProbeLines {
  private readonly remote: string;

  constructor(private readonly run: ProbedRun) {
    this.remote = addressOfKubelet(run.read, run.pod);
  }

  /** The last lines until a time. */
  lines(until: Millis): LogLine[] {
    const lines = asksOf(this.run, until).flatMap((asked) => this.linesOf(asked, until));
    return lines.sort((a, b) => a.at - b.at);
  }

  /** How many came before those. */
  dropped(until: Millis): number {
    return asksOf(this.run, until).reduce((sum, asked) => sum + Math.max(0, countOf(asked, until) - MAX_LINES), 0);
  }

  private linesOf(asked: Asked, until: Millis): LogLine[] {
    const { process, read } = this.run;
    const { first, period, request } = asked;
    const count = countOf(asked, until);
    const lines: LogLine[] = [];
    for (let i = Math.max(0, count - MAX_LINES); i < count; i++) {
      const at = first + i * period;
      const logged = process.serve?.(request, at, read).logged;
      if (logged === undefined) break;
      lines.push({ at, text: logged.replace('{remote}', this.remote) });
    }
    return lines;
  }
}

const countOf = ({ first, period, last }: Asked, until: Millis): number =>
  Math.max(0, Math.floor((Math.min(until, last) - first) / period) + 1);

/** Models pkg/kubelet/prober/prober_manager.go: the others begin when the startup probe has passed. */
function asksOf(run: ProbedRun, until: Millis): Asked[] {
  const { startupProbe, readinessProbe, livenessProbe } = run.container;
  const startup = startupProbe && workerOf(run, startupProbe, 0, false);
  const verdict = startup && replayProbe(startup, until);
  const from = verdict ? (verdict.ok ? verdict.since : Infinity) : 0;
  return [
    ...(startup ? askedBy(run, startup, from) : []),
    ...(readinessProbe && from < Infinity ? askedBy(run, workerOf(run, readinessProbe, from, false), Infinity) : []),
    ...(livenessProbe && from < Infinity ? askedBy(run, workerOf(run, livenessProbe, from, true), Infinity) : []),
  ];
}

function workerOf({ pod, container, process, read }: ProbedRun, probe: Probe, from: Millis, initial: boolean) {
  const podIP = pod.status.podIP ?? '';
  return { probe, container, process, podIP, from, initial, instant: isInstant(read) } satisfies ProbeWorker;
}

/** Only of a probe that asks this very server by HTTP. */
function askedBy({ container, process }: ProbedRun, worker: ProbeWorker, last: Millis): Asked[] {
  const { httpGet } = worker.probe;
  const port = httpGet && findPort(httpGet.port, container);
  const isOwn = httpGet?.host === undefined || httpGet.host === worker.podIP;
  if (!httpGet || !isOwn || httpGet.scheme === 'HTTPS' || !process.listens.includes(port ?? 0)) return [];
  const { first, period } = ticksOf(worker);
  const missed = Math.max(0, Math.ceil((process.readyAfterMs - first) / period));
  const request: PodHttpRequest = {
    ...{ scheme: 'http', port: port ?? 0, method: 'GET', path: httpGet.path ?? '/', body: '' },
    headers: probeHeaders(httpGet),
  };
  return [{ request, first: first + missed * period, period, last }];
}

const isInstant = (read: Reader): boolean =>
  (read.get(Clocks, { namespace: '', name: 'clock' }) as { spec?: { speedProfile?: string } } | undefined)?.spec
    ?.speedProfile === 'instant';

/** The address of its node that a pod sees: of the interface that leads to it, or the gateway of the node's range. */
export function addressOfKubelet(read: Reader, pod: Pod): string {
  const node = read.get(Nodes, { namespace: '', name: pod.spec.nodeName ?? '' });
  if (!node || pod.spec.hostNetwork) return pod.status.podIP ?? '';
  const fabric = fabricOf(networkOf(read, node.metadata.name ?? ''));
  if (fabric) return fabric.addressOn(fabric.hostEnd(pod), node, read) ?? internalIPOf(node);
  return (node.spec.podCIDR ?? '').replace(/\.\d+\/\d+$/, '.1') || internalIPOf(node);
}
