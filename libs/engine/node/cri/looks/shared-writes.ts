import type { Container, Pod, Volume } from '../../../api/core_v1.js';
import { FileTree } from '../../../kernel/files/tree.js';
import type { Machine } from '../../../kernel/machine.js';
import { MINUTE, parseTimestamp, SECOND, type Millis } from '../../../machinery/time/time.js';
import type { MachineRecord } from '../records/machine-record.js';
import { outlivesPods } from '../pods/pod-trees.js';
import type { PodView } from '../pods/pod-view.js';

/** So many writes in a row are written down at once, though nobody looks. */
const AT_ONCE = 8;
const LONGEST_WAIT = 10 * MINUTE;
/** A script that goes round for ever is run so long, though nobody looks, to see what it leaves on its node. */
const BEGINNING = 10 * MINUTE;

/** Whether a machine has a tree that outlives its pod, such as its node's disk, with changes that are not stored. */
export function hasSharedChanges({ state }: Machine): boolean {
  for (const tree of state.trees.values())
    if (tree instanceof FileTree && tree.isChanged && outlivesPods(tree.id)) return true;
  return false;
}

/** Whether a volume outlives its pod. */
const isShared = ({ hostPath, persistentVolumeClaim, ephemeral }: Volume): boolean =>
  (hostPath ?? persistentVolumeClaim ?? ephemeral) !== undefined;

/** Whether containers of a pod may leave something that outlives it: in such a volume, or on their node's disk. */
export const leavesTraces = ({ spec }: Pod): boolean =>
  spec.volumes?.some(isShared) === true || (spec.hostPID === true && spec.containers.some(isPrivileged));

const isPrivileged = ({ securityContext }: Container): boolean => securityContext?.privileged === true;

/** Whether a container that runs has begun lately, has such a volume, and may write to it. */
export function mayWriteAtBeginning({ pod, statuses }: PodView, containerID: string, now: Millis): boolean {
  const { containers, initContainers = [], volumes = [] } = pod.spec;
  if (!leavesTraces(pod)) return false;
  const found = [...containers, ...initContainers].find(({ name }) => statuses.get(name)?.containerID === containerID);
  const startedAt = parseTimestamp(statuses.get(found?.name ?? '')?.state?.running?.startedAt ?? '') || 0;
  if (!found || now >= startedAt + BEGINNING) return false;
  const isWritten = (name: string): boolean =>
    found.volumeMounts?.some((mount) => mount.name === name && mount.readOnly !== true) ?? false;
  if (pod.spec.hostPID && isPrivileged(found)) return true;
  return volumes.some((volume) => isShared(volume) && isWritten(volume.name));
}

/** Whether a machine has changed such a tree itself since it was written down. */
export const hasUnkeptWrites = ({
  hasSharedWrites,
  machine,
}: {
  readonly hasSharedWrites: boolean;
  readonly machine: Machine;
}): boolean => hasSharedWrites && hasSharedChanges(machine);

/** Whether a machine was written down so often in a row that it goes on writing for ever. */
export const isOftenKept = (record: MachineRecord | undefined): boolean => (record?.kept ?? 0) >= AT_ONCE;

/**
 * When a machine that nobody looks into is written down next for what it has left on its node or in a volume. A loop
 * that writes for ever is written down ever more rarely: some 150 times a day.
 */
export function nextKeep(record: MachineRecord | undefined): Millis {
  if (record === undefined || record.kept < AT_ONCE) return -Infinity;
  return record.at + Math.min(LONGEST_WAIT, SECOND * 2 ** (record.kept - AT_ONCE));
}
