import type { Container, PodCondition } from '../../../api/core_v1.js';
import { SECOND } from '../../../machinery/time/time.js';
import {
  findResizeCondition,
  makeResizeCondition,
  needsPodResize,
  needsResize,
  requiresRestart,
  resizedStatus,
  resizeMessage,
  sharesChangedLimit,
} from '../allocation/resize.js';
import { isSidecar } from '../container/role.js';
import { normalEvent, warningEvent } from '../events/event.js';
import { checkResize, INFEASIBLE } from '../lifecycle/predicate.js';
import { applyDecision, readNode, recordEvents, trackContainer, wakeNoLaterThan, type PodSync } from './pod-sync.js';
import { killRunningContainer } from './stop-container.js';

/** How soon a resize that found no room is tried again. */
const RETRY = 30 * SECOND;
/** How soon the kubelet sees that a container has been restarted. */
const RELIST = SECOND;

/**
 * Gives a pod and its running containers the resources that it asks for by now: at once, by a restart where the resize
 * policy says so, or later when the node has no room. What the pod as a whole has then is told by its status. Models
 * pkg/kubelet/allocation handlePodResourcesResize and kuberuntime_manager.go doPodResizeAction. Left out: limits below
 * what is used.
 */
export function resizePod(sync: PodSync): void {
  const { context, pod, resize } = sync;
  const { client, now } = context;
  const isWhole = needsPodResize(pod);
  const wanting = resizableContainers(sync).filter((c) => wantsResize(sync, c, isWhole));
  const wasInProgress = findResizeCondition(pod, 'PodResizeInProgress');
  if (wanting.length === 0 && !isWhole) {
    if (wasInProgress) recordEvents(sync, [normalEvent('ResizeCompleted', resizeMessage('Pod resize completed', pod))]);
    return;
  }
  const isStarted = wasInProgress?.observedGeneration === pod.metadata.generation;
  const failure = isStarted ? undefined : checkResize(pod, readNode(client, pod), client);
  if (failure) return deferResize(sync, failure);
  if (!isStarted) recordEvents(sync, [normalEvent('ResizeStarted', resizeMessage('Pod resize started', pod))]);
  const restarting = wanting.filter((container) => !resizeContainer(sync, container));
  if (restarting.length === 0)
    return recordEvents(sync, [normalEvent('ResizeCompleted', resizeMessage('Pod resize completed', pod))]);
  resize.push(makeResizeCondition(pod, 'PodResizeInProgress', {}, now));
  wakeNoLaterThan(sync, now + RELIST);
}

const resizableContainers = ({ pod: { spec } }: PodSync): Container[] => [
  ...(spec.initContainers?.filter(isSidecar) ?? []),
  ...spec.containers,
];

function wantsResize(sync: PodSync, container: Container, isWhole: boolean): boolean {
  const { status } = trackContainer(sync, container);
  const isRunning = status.state?.running !== undefined;
  return needsResize(container, status) || (isWhole && isRunning && sharesChangedLimit(container, sync.pod));
}

/** False: the container has to be restarted for it, and has been told to stop. */
function resizeContainer(sync: PodSync, container: Container): boolean {
  const { status, record } = trackContainer(sync, container);
  if (record.dying) return false;
  if (requiresRestart(container, status) || sharesChangedLimit(container, sync.pod)) {
    killRunningContainer(sync, container, `Container ${container.name} resize requires restart`);
    return false;
  }
  applyDecision(sync, container, { status: resizedStatus(container, status) });
  return true;
}

function deferResize(sync: PodSync, { reason, message }: { readonly reason: string; readonly message: string }): void {
  const { context, pod } = sync;
  const old = findResizeCondition(pod, 'PodResizePending');
  const kind = reason === INFEASIBLE ? INFEASIBLE : 'Deferred';
  const next: PodCondition = makeResizeCondition(pod, 'PodResizePending', { reason: kind, message }, context.now);
  sync.resize.push(next);
  if (kind !== INFEASIBLE) wakeNoLaterThan(sync, context.now + RETRY);
  if (old?.reason === next.reason && old?.observedGeneration === next.observedGeneration) return;
  recordEvents(sync, [warningEvent(`Resize${kind}`, resizeMessage(`Pod resize ${reason}`, pod, message))]);
}
