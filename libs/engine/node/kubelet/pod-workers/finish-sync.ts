import type { Pod } from '../../../api/core_v1.js';
import { isPodPhaseTerminal } from '../../../kinds/core/pod/status/phase.js';
import { SECOND, type Millis } from '../../../machinery/time/time.js';
import type { Result } from '../../../runtime/controller.js';
import { isMirrorPod } from '../../../kinds/core/pod/mirror.js';
import { hasStore } from '../../../kinds/terrarium/fault/active.js';
import { NETWORK_STATUS } from '../../cni/multus/attachment.js';
import { withDisruption } from '../pod/mark-stopped.js';
import { makePodRuntime, omit, parseTime, storePodRuntime, type StopCause } from '../pod/pod-runtime.js';
import { statusesOf } from '../../cri/records/course.js';
import { generateAPIPodStatus } from '../status/pod-status.js';
import { setPodStatus } from '../status/status-manager.js';
import { dropStart } from './being-started.js';
import { allContainers, readNode, shownStatuses, type PodSync } from './pod-sync.js';

export interface Outcome {
  readonly phase: string;
  readonly hasSandbox: boolean;
  /** Why the pod as a whole was stopped. */
  readonly cause?: Pick<StopCause, 'reason' | 'message' | 'isDisruption'>;
}

/** Stores what a sync has decided: the pod's status, then the PodRuntime; the result says when the next sync is due. */
export function finishSync(sync: PodSync, { phase, hasSandbox, cause }: Outcome): Result | void {
  const { context, pod, podIP, range6, resize, wakeAt } = sync;
  const { client, now } = context;
  if (!hasStore(client) && !isMirrorPod(pod)) return withholdStatus(sync);
  dropWithheld(sync);
  if (isPodPhaseTerminal(phase)) for (const container of allContainers(pod)) dropStart(sync, container);
  const node = readNode(client, pod);
  const statuses = shownStatuses(sync);
  const status = generateAPIPodStatus({
    ...{ pod: cause?.isDisruption ? disrupted(pod, cause.message, now) : pod },
    ...{ node, statuses, phase, podIP, range6, resize, hasSandbox, now },
    ...(cause ? { cause: { reason: cause.reason, message: cause.message } } : {}),
  });
  // When admission refuses the status, the sync is tried again with back-off, as if it had not been.
  setPodStatus(client, sync.plugged ? withNetworkStatus(pod, sync.plugged.status) : pod, status);
  if (needsPodRuntime(sync, phase)) storePodRuntime(client, sync.stored, serialize(sync));
  if (wakeAt < Infinity) return { requeueAfter: wakeAt - now };
}

const disrupted = (pod: Pod, message: string, now: Millis): Pod => ({
  ...pod,
  status: { ...pod.status, conditions: withDisruption(pod, message, now) },
});

/** A kubelet that cannot write goes on by what it knows, and writes what has come of it when it can. */
function withholdStatus(sync: PodSync): Result | void {
  const { context, pod, statuses, records, stored, wakeAt } = sync;
  const written = statusesOf(pod);
  for (const [name, status] of statuses)
    if (status !== written.get(name)) records.set(name, { ...records.get(name), withheld: status });
  storePodRuntime(context.client, stored, serialize(sync));
  if (wakeAt < Infinity) return { requeueAfter: wakeAt - context.now };
}

function dropWithheld({ records }: PodSync): void {
  for (const [name, record] of records) if (record.withheld) records.set(name, omit(record, 'withheld'));
}

/** A pod gets a PodRuntime once it waits for something or has crashed, and keeps it. */
function needsPodRuntime(sync: PodSync, phase: string): boolean {
  const { stored, plugged, records, wakeAt, heard } = sync;
  if (stored ?? plugged?.attachments.length) return true;
  if (heard.length > 0 || hasExactStart(sync)) return true;
  const isPending =
    wakeAt < Infinity ||
    [...records.values()].some(({ backoff, postStart, unlisted }) => (backoff ?? postStart ?? unlisted) !== undefined);
  return isPending && !isPodPhaseTerminal(phase);
}

/** A machine that is made again begins an ended run at its very moment, of which the status tells the second. */
const hasExactStart = ({ records, statuses }: PodSync): boolean =>
  [...records].some(
    ([name, { startedAt }]) => statuses.get(name)?.state?.terminated && parseTime(startedAt) % SECOND > 0,
  );

const serialize = ({
  pod,
  stored,
  records,
  sandboxDue,
  mount,
  stopping,
  plugged,
  heard,
}: PodSync): ReturnType<typeof makePodRuntime> =>
  makePodRuntime(pod, stored, {
    ...{ containers: Object.fromEntries(records), sandboxDue, mount, stopping, heard },
    ...(plugged?.attachments.length ? { attachments: plugged.attachments } : {}),
  });

/** Multus writes it with the pod's status. */
const withNetworkStatus = (pod: Pod, status: string): Pod => ({
  ...pod,
  metadata: { ...pod.metadata, annotations: { ...pod.metadata.annotations, [NETWORK_STATUS]: status } },
});
