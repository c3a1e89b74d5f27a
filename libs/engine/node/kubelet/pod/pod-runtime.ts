import type { ContainerStatus, Pod } from '../../../api/core_v1.js';
import { PodRuntimes } from '../../../kinds/index.js';
import type { Client, Reader } from '../../../machinery/client.js';
import type { Kind } from '../../../machinery/kind.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import { keyOf, type Key, type KubeObject } from '../../../machinery/meta/object.js';
import type { Attachment } from '../../cni/multus/attachment.js';
import type { ProbeStates } from '../prober/prober-manager.js';
import { microTimestamp, parseTimestamp, type Millis } from '../../../machinery/time/time.js';

/** What the container runtime knows of one container beyond its status. Times are metav1.MicroTime texts. */
export interface ContainerRecord {
  /** The operation under way; it ends at `due`. */
  readonly step?: 'pulling' | 'creating' | 'pullFailed';
  readonly due?: string;
  /** When the pull was asked for. */
  readonly since?: string;
  /** When its turn came, if it had to wait; while it waits there is no `due`. */
  readonly begun?: string;
  /** Its place among the pulls of its node: the least comes first. */
  readonly pull?: { readonly node: string; readonly place: number };
  /** The exact start of the running process; the status has whole seconds only. */
  readonly startedAt?: string;
  /** The same of the run before, when a machine ran it. */
  readonly previousStartedAt?: string;
  /** How the last run was stopped, and the one before, when a machine ran it and it was told to stop. */
  readonly stopped?: StoppedRun;
  readonly previousStopped?: StoppedRun;
  /** What its program has read at its beginning: Image.keeps. */
  readonly kept?: string;
  /** Of the last run and the one before: ports that were others' when it began (findTakenPorts). */
  readonly taken?: readonly TakenPorts[];
  /** The next pull, creation or restart is not tried before this time. */
  readonly notBefore?: string;
  /** Pulls or creations that failed in a row. */
  readonly failures?: number;
  /** The container ended, and its next run is being made. */
  readonly restarting?: boolean;
  /** Its run was one of a sandbox that is gone: in the pod's new one it has never run. */
  readonly isOfLostSandbox?: true;
  /** Seconds of the last crash back-off; 0 after the first crash. */
  readonly backoff?: number;
  /** How many events have told of back-offs, and when the next may. */
  readonly told?: number;
  readonly tellAt?: string;
  /**
   * The container was told to stop: when its process ends, and with which exit code. `since`: when a container that a
   * machine runs gets SIGTERM, which it does not hear when it `isDeaf`; `hook`: when its preStop command begins.
   */
  readonly dying?: {
    readonly at: string;
    readonly code: number;
    readonly since?: string;
    readonly hook?: string;
    readonly isDeaf?: true;
  };
  /**
   * Its postStart hook has not ended: the container's status as the runtime has it, which the API server does not hear
   * before that. `session`: of the hook's command in the pod's machine.
   */
  readonly postStart?: { readonly status: ContainerStatus; readonly session?: string };
  /**
   * Its kubelet has not listed it yet: its status as the runtime has it, which the API server hears after the next
   * relist, or not at all when it has ended by then.
   */
  readonly unlisted?: ContainerStatus;
  /**
   * The run that was stopped because the image has changed, while the next is made: the API server hears of neither
   * before that, and its validation would refuse the end under most restart policies.
   */
  readonly replaced?: ContainerStatus;
  /** Its status, which its kubelet could not write: etcd has no leader. */
  readonly withheld?: ContainerStatus;
  /** Its postStart hook has failed: what its status says of that once it has ended. */
  readonly hookError?: string;
  /** What is known of probes that are run tick by tick; times in ms since the start. */
  readonly probes?: ProbeStates;
  /** The last probe tick whose failure was reported. */
  readonly probedAt?: string;
}

/** TCP ports of a run's network namespace at which other programs listen. */
export interface TakenPorts {
  readonly containerID: string;
  readonly ports: readonly number[];
}

/** A run of a container that was told to stop, after its end: who makes its machine again stops it at these moments. */
export interface StoppedRun {
  readonly startedAt: string;
  readonly since: string;
  readonly hook?: string;
  readonly isDeaf?: true;
  readonly at: string;
}

export type ContainerRecords = Readonly<Record<string, ContainerRecord>>;

/** Why a pod as a whole is stopped by its kubelet. */
export interface StopCause {
  readonly reason: string;
  readonly message: string;
  /** By default the pod's own. */
  readonly graceSeconds?: number;
  /** When it was told to. */
  readonly since?: string;
  /** The pod itself has done nothing that would end it: its status says so in the end. */
  readonly isDisruption?: boolean;
}

/** The internal object beside a pod, made once the pod waits for something that its status cannot express. */
export interface PodRuntime extends KubeObject {
  /** The pod's: a pod that is made anew under the same name starts with an empty PodRuntime. */
  readonly uid: string;
  readonly sandboxDue?: string;
  readonly mountRetryAt?: string;
  readonly mountFailures?: number;
  /** Why its kubelet stops the whole pod: what it has told by an event, and tells by the status in the end. */
  readonly stopping?: StopCause;
  /** Ids of ended containers that somebody has removed at the container runtime. */
  readonly removed?: readonly string[];
  /** When somebody acted on its containers at the runtime: its kubelet has not looked since. */
  readonly asked?: string;
  /** Interfaces that Multus has made beside the first. */
  readonly attachments?: readonly Attachment[];
  /** Lines of its servers' logs about clients that are gone, and of what they did by themselves. `at`: virtual ms. */
  readonly heard?: readonly { readonly at: Millis; readonly text: string }[];
  readonly containers: ContainerRecords;
}

/** Lines that one server keeps which do not follow from its start: of clients that are gone, of its reloads. */
export const MAX_HEARD = 200;

const Runtimes = PodRuntimes as unknown as Kind<PodRuntime>;

export const formatTime = (at: Millis): string => microTimestamp(Math.round(at));
/** An absent time is long past. */
export const parseTime = (text: string | undefined): Millis => (text === undefined ? 0 : parseTimestamp(text));

/** Of a run that ends: how it was stopped, if it was told to. */
export function stoppedRun({ startedAt, dying }: ContainerRecord): Pick<ContainerRecord, 'stopped'> {
  if (startedAt === undefined || dying?.since === undefined) return {};
  const { since, hook, at, isDeaf } = dying;
  const more = { ...(hook === undefined ? {} : { hook }), ...(isDeaf ? { isDeaf } : {}) };
  return { stopped: { startedAt, since, ...more, at } };
}

/** The record without some of its fields. */
export function omit(record: ContainerRecord, ...fields: readonly (keyof ContainerRecord)[]): ContainerRecord {
  const rest: Record<string, unknown> = {};
  for (const field in record)
    if (!fields.includes(field as keyof ContainerRecord)) rest[field] = record[field as keyof ContainerRecord];
  return rest;
}

/** The PodRuntime of this very pod; undefined when none was stored since its creation. */
export function readPodRuntime(reader: Reader, pod: Pod): PodRuntime | undefined {
  const stored = reader.get(Runtimes, keyOf(pod));
  return stored?.uid === pod.metadata.uid ? stored : undefined;
}

/** Serializes what a sync knows; `stored` is the PodRuntime that it began with. */
export function makePodRuntime(
  pod: Pod,
  stored: PodRuntime | undefined,
  {
    containers,
    sandboxDue,
    mount,
    stopping = stored?.stopping,
    attachments = stored?.attachments,
    heard = [],
  }: Pick<PodRuntime, 'containers'> & {
    readonly sandboxDue?: Millis;
    readonly mount?: { readonly retryAt: Millis; readonly failures: number };
    readonly stopping?: StopCause | undefined;
    readonly attachments?: readonly Attachment[];
    /** More lines of its servers' logs. */
    readonly heard?: PodRuntime['heard'];
  },
): PodRuntime {
  return {
    apiVersion: 'terrarium.dev/v1alpha1',
    kind: 'PodRuntime',
    metadata: stored?.metadata ?? { name: pod.metadata.name, namespace: pod.metadata.namespace },
    uid: pod.metadata.uid ?? '',
    ...(sandboxDue === undefined ? {} : { sandboxDue: formatTime(sandboxDue) }),
    ...(mount ? { mountRetryAt: formatTime(mount.retryAt), mountFailures: mount.failures } : {}),
    ...(stored?.removed === undefined ? {} : { removed: stored.removed }),
    ...(stopping === undefined ? {} : { stopping }),
    ...(attachments ? { attachments } : {}),
    ...(stored?.heard || heard.length > 0 ? { heard: [...(stored?.heard ?? []), ...heard].slice(-MAX_HEARD) } : {}),
    containers,
  };
}

/** Writes the PodRuntime unless it is what was stored already. One of an earlier pod of that name is replaced. */
export function storePodRuntime(client: Client, stored: PodRuntime | undefined, next: PodRuntime): void {
  if (!stored) {
    deletePodRuntime(client, keyOf(next));
    client.create(Runtimes, next);
  } else if (!deepEqual(stored, next)) client.update(Runtimes, next);
}

export function deletePodRuntime(client: Client, key: Key): void {
  if (client.get(Runtimes, key)) client.delete(Runtimes, key);
}
