/** The columns of `kubectl get pods`. Models printPod of pkg/printers/internalversion/printers.go. */
import type { ContainerStatus, ContainerStateTerminated, Pod } from '../../../api/core_v1.js';
import { ageColumn, column, nameColumn, NONE, wide } from '../../../machinery/meta/columns.js';
import type { Column } from '../../../machinery/meta/table.js';
import { ageSince, type Millis } from '../../../machinery/time/time.js';
import { isPodTerminal } from './status/phase.js';

interface Summary {
  readonly reason: string;
  readonly ready: number;
  readonly total: number;
  readonly restarts: number;
  /** When a container last ended and was started again. */
  readonly lastRestart: string | undefined;
}

/** Restarts so far, and the latest of their times. */
class Restarts {
  count = 0;
  last: string | undefined;
  add(status: ContainerStatus): void {
    this.count += status.restartCount ?? 0;
    const at = status.lastState?.terminated?.finishedAt;
    if (at !== undefined && (this.last === undefined || this.last < at)) this.last = at;
  }
}

const terminationReason = (t: ContainerStateTerminated): string =>
  t.reason || (t.signal ? `Signal:${t.signal}` : `ExitCode:${t.exitCode}`);
const hasCondition = (pod: Pod, type: string): boolean =>
  pod.status.conditions?.some((c) => c.type === type && c.status === 'True') ?? false;

export function summarizePod(pod: Pod): Summary {
  const { spec, status } = pod;
  const sidecars = new Set(spec.initContainers?.filter((c) => c.restartPolicy === 'Always').map((c) => c.name));
  const init = summarizeInit(pod, sidecars);
  let [reason, ready] = [init.reason ?? baseReason(pod), init.ready];
  let restarts = init.restarts;
  if (init.reason === undefined || hasCondition(pod, 'Initialized')) {
    restarts = init.sidecarRestarts;
    let running = false;
    for (const container of [...(status.containerStatuses ?? [])].reverse()) {
      restarts.add(container);
      const { waiting, terminated, running: runs } = container.state ?? {};
      if (waiting?.reason) reason = waiting.reason;
      else if (terminated) reason = terminationReason(terminated);
      else if (container.ready && runs) {
        running = true;
        ready++;
      }
    }
    if (reason === 'Completed' && running) reason = hasCondition(pod, 'Ready') ? 'Running' : 'NotReady';
  }
  if (pod.metadata.deletionTimestamp !== undefined) {
    if (status.reason === 'NodeLost') reason = 'Unknown';
    else if (!isPodTerminal(pod)) reason = 'Terminating';
  }
  return {
    reason,
    ready,
    total: spec.containers.length + sidecars.size,
    restarts: restarts.count,
    lastRestart: restarts.last,
  };
}

function baseReason({ status }: Pod): string {
  if (status.conditions?.some((c) => c.type === 'PodScheduled' && c.reason === 'SchedulingGated'))
    return 'SchedulingGated';
  return status.reason || (status.phase ?? '');
}

/** `reason` is set while init containers are still to be done. */
function summarizeInit({ spec, status }: Pod, sidecars: ReadonlySet<string>) {
  const [restarts, sidecarRestarts] = [new Restarts(), new Restarts()];
  let ready = 0;
  let reason: string | undefined;
  for (const [i, container] of (status.initContainerStatuses ?? []).entries()) {
    restarts.add(container);
    const sidecar = sidecars.has(container.name);
    if (sidecar) sidecarRestarts.add(container);
    const { terminated, waiting } = container.state ?? {};
    if (terminated?.exitCode === 0) continue;
    if (sidecar && container.started) {
      if (container.ready) ready++;
      continue;
    }
    if (terminated) reason = `Init:${terminationReason(terminated)}`;
    else if (waiting?.reason && waiting.reason !== 'PodInitializing') reason = `Init:${waiting.reason}`;
    else reason = `Init:${i}/${spec.initContainers?.length ?? 0}`;
    break;
  }
  return { reason, ready, restarts, sidecarRestarts };
}

function restartsCell(pod: Pod, now: Millis): string {
  const { restarts, lastRestart } = summarizePod(pod);
  return restarts > 0 && lastRestart !== undefined
    ? `${restarts} (${ageSince(lastRestart, now)} ago)`
    : String(restarts);
}

function gatesCell(pod: Pod): string {
  const gates = pod.spec.readinessGates ?? [];
  if (gates.length === 0) return NONE;
  return `${gates.filter((g) => hasCondition(pod, g.conditionType)).length}/${gates.length}`;
}

export const columns: readonly Column<Pod>[] = [
  nameColumn,
  column('Ready', 'How many of the containers are ready.', (pod) => {
    const { ready, total } = summarizePod(pod);
    return `${ready}/${total}`;
  }),
  column('Status', 'Phase of the pod, or why it is not running.', (pod) => summarizePod(pod).reason),
  column('Restarts', 'How often its containers were restarted, and when last.', restartsCell),
  ageColumn,
  wide('IP', 'Address of the pod.', (pod) => pod.status.podIPs?.[0]?.ip || pod.status.podIP || NONE),
  wide('Node', 'Node that the pod is bound to.', (pod) => pod.spec.nodeName || NONE),
  wide(
    'Nominated Node',
    'Node on which room is being made for the pod.',
    (pod) => pod.status.nominatedNodeName || NONE,
  ),
  wide('Readiness Gates', 'How many of the readiness gates are true.', gatesCell),
];
