import type { Container, ContainerImage, ContainerStatus, Pod } from '../../../api/core_v1.js';
import { containerShouldRestart } from '../../../kinds/core/pod/restart.js';
import type { FileTree } from '../../../kernel/files/tree.js';
import { Nodes } from '../../../kinds/index.js';
import type { Client } from '../../../machinery/client.js';
import type { Millis } from '../../../machinery/time/time.js';
import type { TrackedContainer } from '../container/decision.js';
import type { Role } from '../container/role.js';
import { forgetPull } from '../images/pull-queue.js';
import { findMissingPullSecrets } from '../images/pull-secrets.js';
import { findCredentials } from '../images/keyring.js';
import { registryFaultOf } from '../images/registry-faults.js';
import { ensureImageExists } from '../images/image-manager.js';
import { networkOf } from '../container/process.js';
import {
  CRASH_LOOP_BACKOFF,
  doBackOff,
  POST_START_HOOK_ERROR,
  restOn,
  RUN_CONTAINER_ERROR,
} from '../kuberuntime/backoff.js';
import { createContainer } from '../kuberuntime/create.js';
import { openNodeDisk } from '../volumemanager/node-disk.js';
import { addImage } from '../nodestatus/images.js';
import { formatTime, omit, parseTime } from '../pod/pod-runtime.js';
import {
  applyDecision,
  pullQueueOfSync,
  randomID,
  readNode,
  recordEvents,
  trackContainer,
  viewAsBegun,
  wakeNoLaterThan,
  type PodSync,
} from './pod-sync.js';
import { waitsForAnother } from './being-started.js';
import { tellOfComponentStart } from './component-start.js';
import { beginPostStart } from './post-start.js';
import { hasImageChanged, superviseContainer } from './supervise-container.js';

/**
 * Brings one container as far as it gets at this moment; for the rest it waits. Models kuberuntime_manager.go SyncPod.
 */
export function syncContainer(sync: PodSync, container: Container, role: Role): void {
  if (!sync.records.has(container.name)) sync.records.set(container.name, {});
  for (;;) {
    const { status, record } = trackContainer(sync, container);
    if (status.state?.running) {
      superviseContainer(sync, container, role);
      if (sync.statuses.get(container.name)?.state?.running) return;
    } else if (hasEnded(status) && !record.restarting) {
      const restarts = shouldContainerBeRestarted(sync.pod, container, role, status);
      if (!restarts && !replaceContainer(sync, container, role)) return;
      if (!restartContainer(sync, container)) return;
    } else if (!startContainer(sync, container) && !giveUpReplacement(sync, container)) return;
  }
}

/** What a container waits with whose start has failed: it has ended. */
const START_FAILURES: readonly (string | undefined)[] = [RUN_CONTAINER_ERROR, POST_START_HOOK_ERROR];
const hasEnded = ({ state }: ContainerStatus): boolean =>
  state?.terminated !== undefined || START_FAILURES.includes(state?.waiting?.reason);

/** Models pkg/kubelet/container/helpers.go ShouldContainerBeRestarted. */
export function shouldContainerBeRestarted(
  pod: Pod,
  container: Container,
  role: Role,
  { state, lastState }: ContainerStatus,
): boolean {
  if (role === 'ephemeral') return false;
  if (role === 'sidecar') return true;
  // A container whose start has failed has no code.
  const exitCode = (state?.terminated ?? lastState?.terminated)?.exitCode ?? 1;
  if (role === 'init' && exitCode === 0) return false;
  return containerShouldRestart(container, pod.spec, exitCode);
}

/**
 * A container that was killed because its image has changed starts again under any restart policy. Models
 * kuberuntime_manager.go computePodActions. False: it has ended otherwise.
 */
function replaceContainer(sync: PodSync, container: Container, role: Role): boolean {
  const { status, record } = trackContainer(sync, container);
  if (role !== 'main' || !record.dying || !hasImageChanged(container, status)) return false;
  applyDecision(sync, container, { record: { ...record, replaced: status } });
  return true;
}

/** A kubelet tries once to start what takes the place of a container that has ended for good. True: it has failed. */
function giveUpReplacement(sync: PodSync, container: Container): boolean {
  const { status, record } = trackContainer(sync, container);
  if (!record.replaced || !status.state?.waiting || record.failures === undefined) return false;
  applyDecision(sync, container, { record: {}, status: record.replaced });
  return true;
}

/** False: the back-off is not over yet. */
function restartContainer(sync: PodSync, container: Container): boolean {
  const { context, pod, delays } = sync;
  const decision = doBackOff({ ...trackContainer(sync, container), pod, container, delays, now: context.now });
  applyDecision(sync, container, decision);
  return decision.restart;
}

/**
 * Takes a container that waits toward running. False: it has to wait on. Models kuberuntime_container.go
 * startContainer.
 */
function startContainer(sync: PodSync, container: Container): boolean {
  const { context, delays, source, images } = sync;
  const { now } = context;
  if (waitsForAnother(sync, container)) {
    sync.isHeldUp = true;
    return false;
  }
  forgetFailuresOfOldImage(sync, container);
  const { record } = trackContainer(sync, container);
  const notBefore = parseTime(record.notBefore);
  if (now < notBefore && record.step !== 'pullFailed') {
    waitOn(sync, container, notBefore);
    return false;
  }
  if (record.step !== 'creating') {
    if (!pullImage(sync, container)) return false;
    const pulled = trackContainer(sync, container).record;
    const due = formatTime(now + delays.create());
    applyDecision(sync, container, { record: omit({ ...pulled, step: 'creating', due }, 'notBefore') });
  }
  const tracked = trackContainer(sync, container);
  const due = parseTime(tracked.record.due);
  if (now < due) {
    wakeNoLaterThan(sync, due);
    return false;
  }
  const newID = (): string => randomID(context.random);
  const network = networkOf(context.client, sync.pod.metadata.namespace ?? '');
  const runOf = ({ status, record: { taken } }: TrackedContainer) => ({
    ...{ container, image: container.image ?? '', containerID: status.containerID ?? '', startedAt: now, taken },
  });
  const findTakenPorts = (begun: TrackedContainer): readonly number[] =>
    sync.machines?.findTakenPorts(viewAsBegun(sync, container, begun), runOf(begun), source, network) ?? [];
  const findStartFailure = (begun: TrackedContainer): string | undefined =>
    sync.machines?.findStartFailure(viewAsBegun(sync, container, begun), runOf(begun), source, network);
  const diskOf = (): FileTree => openNodeDisk(sync.pod.spec.nodeName ?? '', context.client);
  const ways = { newID, findTakenPorts, findStartFailure, diskOf };
  const decision = createContainer({ ...tracked, container, source, images, now, ...ways });
  applyDecision(sync, container, decision);
  if (decision.status?.state?.running) {
    tellOfComponentStart(sync, container);
    beginPostStart(sync, container);
  }
  return decision.started;
}

function waitOn(sync: PodSync, container: Container, notBefore: Millis): void {
  const { context, pod, delays } = sync;
  const tracked = trackContainer(sync, container);
  if (tracked.status.state?.waiting?.reason !== CRASH_LOOP_BACKOFF) return wakeNoLaterThan(sync, notBefore);
  applyDecision(sync, container, restOn({ ...tracked, pod, container, delays, now: context.now }));
}

/** The back-off is that of an image: one that was put in its place is tried at once. */
function forgetFailuresOfOldImage(sync: PodSync, container: Container): void {
  const { status, record } = trackContainer(sync, container);
  if (record.failures === undefined || !hasImageChanged(container, status)) return;
  applyDecision(sync, container, {
    record: omit(forgetPull(record), 'step', 'failures', 'notBefore'),
    status: { ...status, image: container.image ?? '' },
  });
}

/** True when the container's image is on the node. */
function pullImage(sync: PodSync, container: Container): boolean {
  const { context, pod, delays, images } = sync;
  const { client, now } = context;
  const nodeImages = readNode(client, pod).status.images ?? [];
  const decision = ensureImageExists({
    ...trackContainer(sync, container),
    container,
    nodeImages,
    images,
    credentialsFor: (repository) => findCredentials(pod, repository, client),
    faultOf: (reference) => registryFaultOf(client, pod.spec.nodeName ?? '', reference),
    queue: () => pullQueueOfSync(sync),
    delays,
    now,
  });
  if (decision.events) recordEvents(sync, findMissingPullSecrets(pod, client));
  applyDecision(sync, container, decision);
  if (decision.pulled) reportImage(client, pod, decision.pulled);
  return decision.present;
}

function reportImage(client: Client, pod: Pod, image: ContainerImage): void {
  const node = readNode(client, pod);
  const images = addImage(node.status.images ?? [], image);
  if (images !== node.status.images) client.updateStatus(Nodes, { ...node, status: { ...node.status, images } });
}
