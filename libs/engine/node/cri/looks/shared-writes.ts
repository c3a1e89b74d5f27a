import { FileTree } from '../../../kernel/files/tree.js';
import type { Machine } from '../../../kernel/machine.js';
import { MINUTE, SECOND, type Millis } from '../../../machinery/time/time.js';
import type { MachineRecord } from '../records/machine-record.js';
import { podOfTree } from '../pods/pod-trees.js';

/** So many writes in a row are written down at once, though nobody looks. */
const AT_ONCE = 8;
const LONGEST_WAIT = 10 * MINUTE;

/** Whether a machine has a tree that outlives its pod, such as its node's disk, with changes that are not stored. */
export function hasSharedChanges({ state }: Machine): boolean {
  for (const tree of state.trees.values())
    if (tree instanceof FileTree && tree.isChanged && podOfTree(tree.id) === '') return true;
  return false;
}

/** Whether a machine has changed such a tree itself since it was written down. */
export const hasUnkeptWrites = ({
  hasSharedWrites,
  machine,
}: {
  readonly hasSharedWrites: boolean;
  readonly machine: Machine;
}): boolean => hasSharedWrites && hasSharedChanges(machine);

/**
 * When a machine that nobody looks into is written down next for what it has left on its node or in a volume. A loop
 * that writes for ever is written down ever more rarely: some 150 times a day.
 */
export function nextKeep(record: MachineRecord | undefined): Millis {
  if (record === undefined || record.kept < AT_ONCE) return -Infinity;
  return record.at + Math.min(LONGEST_WAIT, SECOND * 2 ** (record.kept - AT_ONCE));
}
