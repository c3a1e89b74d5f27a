import type { Container, ContainerStatus, Node, Pod, PodCondition } from '../../../api/core_v1.js';
import { Nodes } from '../../../kinds/index.js';
import type { Client } from '../../../machinery/client.js';
import { keyOf } from '../../../machinery/meta/object.js';
import type { Random } from '../../../machinery/random.js';
import type { Millis } from '../../../machinery/time/time.js';
import type { Context } from '../../../runtime/controller.js';
import type { Attachment } from '../../cni/multus/attachment.js';
import type { HeardLine, ImageCatalog, Process } from '../../cri/image.js';
import type { Machines, PodView } from '../../cri/machines.js';
import { runtimeStatuses, statusesOf, type Statuses } from '../../cri/records/course.js';
import type { Decision, TrackedContainer } from '../container/decision.js';
import { networkOf, processOf } from '../container/process.js';
import { withProcessFaults } from '../container/process-faults.js';
import type { ValueSource } from '../container/value-source.js';
import { delaysFor, type Delays } from '../delays.js';
import type { PodEvent } from '../events/event.js';
import { NO_QUEUE, pullQueueOf, type PullQueue } from '../images/pull-queue.js';
import {
  parseTime,
  readPodRuntime,
  type ContainerRecord,
  type PodRuntime,
  type StopCause,
} from '../pod/pod-runtime.js';
import { secondRangeOf } from '../../dualstack/addresses.js';
import { containerStatusOf, givenPodIPs } from '../status/pod-status.js';
import type { MountRetry } from '../volumemanager/volume-manager.js';
import { MIRROR_ANNOTATION } from '../../../kinds/core/pod/mirror.js';

/**
 * What one sync of a pod knows: what it read at its beginning, and what was decided since. Only the pod worker holds
 * it; the other parts of the kubelet get what they need of it, and hand back decisions.
 */
export interface PodSync {
  readonly context: Context;
  readonly pod: Pod;
  readonly images: ImageCatalog;
  /** Without machines only programs that an image sums up can run. */
  readonly machines: Machines | undefined;
  readonly delays: Delays;
  /** Where the containers' variables and volumes take their values from. */
  readonly source: ValueSource;
  /** By container name; a container that has never run has none. */
  readonly statuses: Map<string, ContainerStatus>;
  /** By container name, in the order in which the containers were first synced. */
  readonly records: Map<string, ContainerRecord>;
  /** The PodRuntime as the last sync stored it. */
  stored: PodRuntime | undefined;
  podIP: string | undefined;
  /** The range of IPv6 of the network that has made the sandbox, where that is not the node's; '': none. */
  range6?: string | undefined;
  /** When the sandbox is there, while it is being made. */
  sandboxDue: Millis | undefined;
  /** What Multus has done for the sandbox, when it was made by this sync. */
  plugged?: { readonly attachments: readonly Attachment[]; readonly status: string };
  /** The next try to mount the volumes, while they cannot be mounted. */
  mount: MountRetry | undefined;
  /** Why its kubelet stops the whole pod, once it has told that. */
  stopping: StopCause | undefined;
  /** What is under way or pending of a resize in place. */
  readonly resize: PodCondition[];
  /** A container waits until another one of the pod has been started. */
  isHeldUp?: boolean;
  /** What its programs have logged by themselves. */
  readonly heard: HeardLine[];
  /** When the pod needs its next sync; Infinity: only when it changes. */
  wakeAt: Millis;
}

export function beginPodSync(context: Context, pod: Pod, images: ImageCatalog, machines?: Machines): PodSync {
  const { client } = context;
  const stored = readPodRuntime(client, pod);
  const statuses = runtimeStatuses(pod, stored?.containers);
  return {
    context,
    pod,
    images,
    machines,
    delays: delaysFor(client, context.random),
    source: { pod, node: readNode(client, pod), read: client },
    statuses,
    records: new Map(Object.entries(stored?.containers ?? {})),
    stored,
    podIP: pod.status.podIP,
    sandboxDue: undefined,
    mount: undefined,
    stopping: stored?.stopping,
    resize: [],
    heard: [],
    wakeAt: Infinity,
  };
}

/** The pod's node as it is now: a pull adds to its images. */
export const readNode = (client: Client, pod: Pod): Node =>
  client.get(Nodes, { namespace: '', name: pod.spec.nodeName! })!;

export const trackContainer = ({ pod, statuses, records }: PodSync, container: Container): TrackedContainer => ({
  status: containerStatusOf(pod, container, statuses),
  record: records.get(container.name) ?? {},
});

/** The process of a container that runs; undefined when its image is not known any more. */
export function processOfContainer(sync: PodSync, container: Container): Process | undefined {
  const { context, pod, images, machines, source } = sync;
  const { status, record } = trackContainer(sync, container);
  const run = {
    container,
    image: status.image,
    containerID: status.containerID ?? '',
    startedAt: startTimeOf(sync, container),
    kept: record.kept,
    taken: record.taken,
  };
  const network = networkOf(context.client, pod.metadata.namespace ?? '');
  const process = machines
    ? machines.processOf(viewOfSync(sync), run, source, network, context.now)
    : processOf(images, run, source, network);
  return process && withProcessFaults(context.client, pod, container, process, run.startedAt);
}

/** The pod as this sync knows it by now. */
export const viewOfSync = ({ pod, statuses, records, podIP, range6, source }: PodSync): PodView => ({
  pod: podIP === pod.status.podIP ? pod : withAddresses(pod, podIP, source.node, range6),
  statuses,
  records: Object.fromEntries(records),
});

/** The pod as it is once a container of it runs. */
export function viewAsBegun(sync: PodSync, { name }: Container, { status, record }: TrackedContainer): PodView {
  const view = viewOfSync(sync);
  return {
    pod: view.pod,
    statuses: new Map(view.statuses).set(name, status),
    records: { ...view.records, [name]: record },
  };
}

function withAddresses(pod: Pod, podIP: string | undefined, node: Node | undefined, range6: string | undefined): Pod {
  const podIPs = podIP === undefined || !node || !secondRangeOf(node) ? [] : givenPodIPs({ pod, node, range6 }, podIP);
  return { ...pod, status: { ...pod.status, podIP, ...(podIPs.length > 1 ? { podIPs } : {}) } };
}

/**
 * The containers as the API shows them: while a postStart hook runs, while it is replaced or not listed yet, a
 * container is as before.
 */
export function shownStatuses({ pod, statuses, records }: PodSync): Statuses {
  const starting: string[] = [];
  for (const [name, { postStart, replaced, unlisted }] of records)
    if (postStart ?? replaced ?? unlisted) starting.push(name);
  if (starting.length === 0) return statuses;
  const shown = new Map(statuses);
  const before = statusesOf(pod);
  for (const name of starting) {
    const status = before.get(name);
    if (status) shown.set(name, status);
    else shown.delete(name);
  }
  return shown;
}

/** When a running container started: the record knows the ms that its status leaves out. */
export function startTimeOf(sync: PodSync, container: Container): Millis {
  const { status, record } = trackContainer(sync, container);
  return parseTime(record.startedAt ?? status.state?.running?.startedAt);
}

/** What a pull of the pod waits for at its kubelet. */
export const pullQueueOfSync = ({ context, pod, delays }: PodSync): PullQueue =>
  delays.instant ? NO_QUEUE : pullQueueOf(context.client, pod.spec.nodeName ?? '', keyOf(pod));

/** Puts a decision about a container into effect. */
export function applyDecision(sync: PodSync, container: Container, decision: Decision): void {
  const { status, record, events, wakeAt } = decision;
  if (status) sync.statuses.set(container.name, status);
  if (record) sync.records.set(container.name, record);
  if (events) recordEvents(sync, events, container);
  if (wakeAt !== undefined) wakeNoLaterThan(sync, wakeAt);
}

export function wakeNoLaterThan(sync: PodSync, at: Millis): void {
  sync.wakeAt = Math.min(sync.wakeAt, Math.max(at, sync.context.now));
}

/** Records events about the pod, or about one of its containers. */
export function recordEvents({ context, pod }: PodSync, events: readonly PodEvent[], container?: Container): void {
  const kubelet = { component: 'kubelet', host: pod.spec.nodeName };
  const fieldPath = container && fieldPathOf(pod, container);
  const object = regarding(pod);
  for (const { type, reason, message, component } of events)
    context.event(object, type, reason, message, { source: component ? { component } : kubelet, fieldPath });
}

/** A kubelet knows a static pod by its hash, and by that kubectl looks for the events of its mirror. */
function regarding(pod: Pod): Pod {
  const hash = pod.metadata.annotations?.[MIRROR_ANNOTATION];
  return hash === undefined ? pod : { ...pod, metadata: { ...pod.metadata, uid: hash } };
}

/** Models pkg/kubelet/container/ref.go fieldPath. */
function fieldPathOf({ spec }: Pod, container: Container): string {
  const list = spec.initContainers?.includes(container)
    ? 'initContainers'
    : spec.containers.includes(container)
      ? 'containers'
      : 'ephemeralContainers';
  return `spec.${list}{${container.name}}`;
}

/** 64 hexadecimal digits: the ID of a container or a sandbox. */
export function randomID(random: Random): string {
  let digits = '';
  while (digits.length < 64) digits += random.uuid().replaceAll('-', '');
  return digits;
}

export const allContainers = ({ spec }: Pod): readonly Container[] => [
  ...spec.containers,
  ...(spec.initContainers ?? []),
  ...((spec.ephemeralContainers ?? []) as Container[]),
];
