import type { Pod } from '../../api/core_v1.js';
import type { FileRow } from '../../kernel/files/tree.js';
import type { SavedMachine } from '../../kernel/saved.js';
import { FileChanges, PodMachines } from '../../kinds/index.js';
import type { FileChange } from '../../kinds/terrarium/filechange/kind.js';
import type { Client, Reader } from '../../machinery/client.js';
import type { Kind } from '../../machinery/kind.js';
import { keyOf, type Key, type KubeObject } from '../../machinery/meta/object.js';
import { microTimestamp, type Millis } from '../../machinery/time/time.js';

/** The internal object beside a pod whose machine has been acted on. */
export interface PodMachine extends KubeObject {
  /** The pod's. */
  readonly uid: string;
  /** The moment that was written down: metav1.MicroTime. */
  readonly at: string;
  /** A SavedMachine as JSON: a text, so that the API server does not walk through it. */
  readonly machine: string;
  /** The runs of containers that the machine knows: their IDs. */
  readonly runs: readonly string[];
  /** Those of them that were told to stop. */
  readonly stopped: readonly string[];
}

const Machines = PodMachines as unknown as Kind<PodMachine>;

/** The record of this very pod; undefined while nothing has acted on its machine. */
export function readMachine(read: Reader, pod: Pod): PodMachine | undefined {
  const stored = read.get(Machines, keyOf(pod));
  return stored?.uid === pod.metadata.uid ? stored : undefined;
}

export interface MachineState {
  readonly machine: SavedMachine;
  readonly at: Millis;
  readonly runs: readonly string[];
  readonly stopped: readonly string[];
}

/** Writes a machine down; returns the record as it is stored. */
export function storeMachine(client: Client, pod: Pod, { machine, at, runs, stopped }: MachineState): PodMachine {
  const stored = client.get(Machines, keyOf(pod));
  const next: PodMachine = {
    apiVersion: 'terrarium.dev/v1alpha1',
    kind: 'PodMachine',
    metadata: stored?.metadata ?? { name: pod.metadata.name, namespace: pod.metadata.namespace },
    uid: pod.metadata.uid ?? '',
    at: microTimestamp(at),
    machine: JSON.stringify(machine),
    runs,
    stopped,
  };
  return stored ? client.update(Machines, next) : client.create(Machines, next);
}

/** Deletes what is kept of a pod's machine, and of the files that end with the pod. */
export function deleteMachine(client: Client, key: Key): void {
  const stored = client.get(Machines, key);
  if (!stored) return;
  client.delete(Machines, key);
  deleteFilesOf(client, stored.uid);
}

/** Deletes the changes of all trees that end with this owner. */
export function deleteFilesOf(client: Client, owner: string): void {
  for (const { metadata } of client.byIndex(FileChanges, 'owner', owner))
    client.delete(FileChanges, { namespace: '', name: metadata.name ?? '' });
}

export const readRows = (read: Reader, tree: string): FileRow[] =>
  read.byIndex(FileChanges, 'tree', tree).map(({ row }) => row as FileRow);

/** Writes the changed rows of a tree: a row without anything but its id is deleted. */
export function storeRows(client: Client, tree: string, owner: string, rows: readonly FileRow[]): void {
  for (const row of rows) {
    const key = { namespace: '', name: nameOf(tree, row) };
    const stored = client.get(FileChanges, key);
    const isEmpty = row.inode === undefined && row.name === undefined && row.next === undefined;
    if (isEmpty) {
      if (stored) client.delete(FileChanges, key);
      continue;
    }
    const change = { apiVersion: 'terrarium.dev/v1alpha1', kind: 'FileChange', tree, owner, row };
    if (stored) client.update(FileChanges, { ...change, metadata: stored.metadata } as FileChange);
    else client.create(FileChanges, { ...change, metadata: { name: key.name } } as FileChange);
  }
}

/** A name that no other row has, without the characters that a name must not have. */
const nameOf = (tree: string, { id }: FileRow): string =>
  `${encodeURIComponent(tree)}~${encodeURIComponent(id)}`.replaceAll('%', '=');
