import type { Container, Pod } from '../../../../api/core_v1.js';
import { Pods } from '../../../../kinds/index.js';
import type { Reader } from '../../../../machinery/client.js';
import { SECOND, type Millis } from '../../../../machinery/time/time.js';
import { isSystemPod } from '../../../network/node-ports.js';
import { nodePorts } from '../../../network/servers/node-servers.js';
import type { Process } from '../../image.js';
import type { Forecast } from '../../looks/forecast.js';
import { runsOf, type Run } from '../../records/course.js';
import { isOver } from './listeners.js';
import type { MachinesOptions, PodView } from '../pod-view.js';
import { isQuietRun } from '../run-starts.js';
import { summaryOf } from '../start-spec.js';

/** A program that began just before is about to listen: it has the port first. */
const SOON: Millis = 5 * SECOND;
/** Programs that are there for those who look in. */
const IDLE: ReadonlySet<string> = new Set(['sleep', 'tail']);
/** What one run is told of. */
const MAX_PORTS = 200;

/** What is known of the programs that share a network namespace. */
export interface Neighbours {
  readonly read: Reader;
  /** Also those of the node itself and its system pods, which a program of a machine finds out (Network.isTaken). */
  readonly withNode: boolean;
  viewOf(pod: Pod): PodView;
  /** The summary of a run's main program; undefined: a machine runs it. */
  summaryOf(view: PodView, run: Run): Process | undefined;
  forecast(view: PodView, containerID: string, now: Millis): Forecast;
}

/** The machines of a cluster. */
type Looks = Pick<Neighbours, 'viewOf' | 'forecast'>;

export const NO_PORTS: readonly number[] = [];

/** What a run is told of. `summary`: of its main program; undefined: a machine runs it. */
export function takenPortsOf(
  view: PodView,
  { container, containerID, startedAt }: Pick<Run, 'container' | 'containerID' | 'startedAt'>,
  summary: Process | undefined,
  options: MachinesOptions,
  machines: Looks,
): readonly number[] {
  const wanted = summary && (summary.binds ?? NO_PORTS);
  // What runs in one machine finds out by itself, and somebody's shell is no server.
  if (wanted ? wanted.length === 0 : !sharesNode(view.pod) || isIdle(container)) return NO_PORTS;
  if (!wanted && isQuietRun(view, containerID, options)) return NO_PORTS;
  const taken = findTakenPorts(view, container.name, startedAt, {
    read: options.state,
    withNode: wanted !== undefined,
    viewOf: (other) => machines.viewOf(other),
    summaryOf: (other, run) => summaryOf(other, run.container.name, options.images, options.state)?.process,
    forecast: (other, id, now) => machines.forecast(other, id, now),
  });
  return wanted ? taken.filter((port) => wanted.includes(port)) : taken;
}

const isIdle = ({ tty, command, args }: Container): boolean =>
  tty === true || IDLE.has(command?.[0] ?? args?.[0] ?? '');

const sharesNode = ({ spec }: Pod): boolean => spec.hostNetwork === true;

/** Whether others may have ports of a pod's network namespace. */
export const hasNeighbours = ({ spec }: Pod): boolean =>
  spec.hostNetwork === true || spec.containers.length + (spec.initContainers?.length ?? 0) > 1;

/**
 * Those TCP ports of its network namespace that others have when a container begins: of its pod's other containers,
 * and in the node's own namespace of its other pods and of the node itself. Whoever began first has a port.
 * Left out: addresses (0.0.0.0 collides with all), UDP, a port that becomes free while the container runs.
 */
export function findTakenPorts(view: PodView, container: string, now: Millis, others: Neighbours): number[] {
  const { pod } = view;
  const ports = new Set(portsOf(view, now, others, container));
  if (sharesNode(pod)) {
    const node = pod.spec.nodeName ?? '';
    if (others.withNode) for (const port of nodePorts(others.read, node)) ports.add(port);
    for (const other of others.read.byIndex(Pods, 'nodeName', node)) {
      if (!sharesNode(other) || other.metadata.uid === pod.metadata.uid) continue;
      if (!others.withNode && isSystemPod(other)) continue;
      for (const port of portsOf(others.viewOf(other), now, others)) ports.add(port);
    }
  }
  return [...ports].sort((a, b) => a - b).slice(0, MAX_PORTS);
}

/** Of a pod whose other container begins, only what is bound for sure: an image may declare what another binds. */
function portsOf(view: PodView, now: Millis, others: Neighbours, except?: string): number[] {
  const { pod, statuses, records } = view;
  const runs = runsOf(pod, statuses, records).filter((run) => !isOver(run, now) && run.container.name !== except);
  return runs.flatMap((run) => {
    const summary = others.summaryOf(view, run);
    if (!summary && isIdle(run.container)) return [];
    if (!summary) return soonHeld(others.forecast(view, run.containerID, now), now);
    if (summary.exit) return [];
    return except === undefined ? [...summary.listens, ...(summary.binds ?? [])] : (summary.binds ?? []);
  });
}

const soonHeld = ({ listening }: Forecast, now: Millis): readonly number[] =>
  listening.findLast(({ at }) => at <= now + SOON)?.ports ?? [];
