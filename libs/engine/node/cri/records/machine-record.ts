import type { Pod } from '../../../api/core_v1.js';
import type { SavedMachine } from '../../../kernel/saved.js';
import type { Plain } from '../../../kernel/process/program.js';
import { MachineChanges, PodMachines } from '../../../kinds/index.js';
import type { MachineChange } from '../../../kinds/terrarium/machinechange/kind.js';
import type { Client, Reader } from '../../../machinery/client.js';
import type { Kind } from '../../../machinery/kind.js';
import { keyOf, type Key, type KubeObject } from '../../../machinery/meta/object.js';
import { microTimestamp, parseTimestamp, type Millis } from '../../../machinery/time/time.js';
import { deleteFilesOf } from './file-record.js';
import { machineOf, tablesOf } from './machine-tables.js';
import { applyPatch, diffPlain, type PlainPatch } from './plain-patch.js';
import { isQuiet } from './quiet-change.js';

/** The internal object beside a pod whose machine was acted on: a snapshot. MachineChanges have what came since. */
export interface PodMachine extends KubeObject {
  /** The pod's. */
  readonly uid: string;
  /** Counts the snapshots under this name; 0 when it is not there. */
  readonly snapshot?: number;
  /** The moment that was written down: metav1.MicroTime. */
  readonly at: string;
  /** A SavedMachine as JSON: a text, so that the API server does not walk through it. */
  readonly machine: string;
  /** The runs of containers that the machine knows: their IDs. */
  readonly runs: readonly string[];
  /** Those of them that were told to stop. */
  readonly stopped: readonly string[];
  /** How often in a row it was written down for its writes to shared trees alone; undefined: something acted on it. */
  readonly kept?: number;
}

const Machines = PodMachines as unknown as Kind<PodMachine>;

/** A snapshot is followed by so many changes at most, and they are no longer than itself or than so many characters. */
const MAX_CHANGES = 256;
const MIN_CHANGES_LENGTH = 32 * 1024;

/** A machine as it is to be written down. */
export interface MachineState {
  /** A view is enough. */
  readonly machine: SavedMachine;
  readonly at: Millis;
  readonly runs: readonly string[];
  readonly stopped: readonly string[];
  readonly kept?: number;
}

/** What the changes change. */
const plainOf = ({ machine, runs, stopped, kept }: Omit<MachineState, 'at'>): Plain =>
  ({ machine: tablesOf(machine), runs, stopped, ...(kept === undefined ? {} : { kept }) }) as unknown as Plain;

/** A snapshot and the changes since. The same one is found again until something is written. */
export class MachineRecord {
  private plain: Plain | undefined;

  constructor(
    readonly snapshot: PodMachine,
    readonly changes: readonly MachineChange[] = [],
    /** The record before the last change. */
    private before?: MachineRecord,
  ) {}

  get at(): Millis {
    return parseTimestamp((this.changes.at(-1) ?? this.snapshot).at);
  }

  /** Characters of the changes. */
  get length(): number {
    return this.changes.reduce((sum, { patch }) => sum + patch.length, 0);
  }

  machine(): SavedMachine {
    return machineOf(this.fields().machine);
  }

  get runs(): readonly string[] {
    return this.fields().runs;
  }

  get stopped(): readonly string[] {
    return this.fields().stopped;
  }

  get kept(): number {
    return this.fields().kept ?? 0;
  }

  private fields(): Pick<PodMachine, 'runs' | 'stopped' | 'kept'> & { readonly machine: Plain } {
    return this.read() as unknown as Pick<PodMachine, 'runs' | 'stopped' | 'kept'> & { machine: Plain };
  }

  /** Never changed; what one change leaves alone is shared with the record before it. */
  read(): Plain {
    this.plain ??= this.before === undefined ? this.readSnapshot() : this.readChange(this.before);
    this.before = undefined;
    return this.plain;
  }

  private readSnapshot(): Plain {
    const { machine, runs, stopped, kept } = this.snapshot;
    return plainOf({ machine: JSON.parse(machine) as SavedMachine, runs, stopped, ...(kept ? { kept } : {}) });
  }

  private readChange(before: MachineRecord): Plain {
    return applyPatch(before.read(), JSON.parse(this.changes.at(-1)!.patch) as PlainPatch);
  }

  with(change: MachineChange): MachineRecord {
    return new MachineRecord(this.snapshot, [...this.changes, change], this);
  }
}

const changeKey = ({ namespace, name }: Key, number: number): Key => ({ namespace, name: `${name}~${number}` });

/** The name of the pod that an internal object of its machine belongs to. */
export const podNameOf = (name: string): string => {
  const end = name.lastIndexOf('~');
  return end < 0 ? name : name.slice(0, end);
};

/** The snapshot of this very pod's machine; undefined while nothing has acted on it. */
export function readMachine(read: Reader, pod: Pod): PodMachine | undefined {
  const stored = read.get(Machines, keyOf(pod));
  return stored?.uid === pod.metadata.uid ? stored : undefined;
}

/** The record of this very pod's machine. `known`: an earlier reading, which is given back while it holds. */
export function readRecord(read: Reader, pod: Pod, known?: MachineRecord): MachineRecord | undefined {
  const snapshot = readMachine(read, pod);
  if (snapshot === undefined) return undefined;
  const key = keyOf(pod);
  const changeAt = (number: number): MachineChange | undefined => {
    const found = number < MAX_CHANGES ? read.get(MachineChanges, changeKey(key, number)) : undefined;
    const isOfSnapshot = found?.uid === snapshot.uid && found.snapshot === (snapshot.snapshot ?? 0);
    return isOfSnapshot ? found : undefined;
  };
  const holds = known?.snapshot === snapshot && known.changes.at(-1) === changeAt(known.changes.length - 1);
  let record = holds ? known : new MachineRecord(snapshot);
  for (let next = changeAt(record.changes.length); next; next = changeAt(record.changes.length))
    record = record.with(next);
  return record;
}

/**
 * Writes down what has changed since a record, or a new snapshot when there is none or when its changes have become too
 * many; returns the record as it is stored. `touchesFiles`: files that others may look at have changed with it. What is
 * left of an earlier snapshot's changes is written over in its turn.
 */
export function storeMachine(
  client: Client,
  pod: Pod,
  state: MachineState,
  record?: MachineRecord,
  touchesFiles = false,
): MachineRecord {
  if (record === undefined || record.changes.length >= MAX_CHANGES) return storeSnapshot(client, pod, state);
  const next = plainOf(state);
  const difference = diffPlain(record.read(), next);
  if (difference === undefined) return record;
  const patch = JSON.stringify(difference);
  const room = Math.max(MIN_CHANGES_LENGTH, record.snapshot.machine.length);
  if (record.length + patch.length > room) return storeSnapshot(client, pod, state);
  const change = { at: microTimestamp(state.at), patch, ...(!touchesFiles && isQuiet(difference, next) && QUIET) };
  return record.with(storeChange(client, pod, record, change));
}

const QUIET = { isQuiet: true } as const;

function storeSnapshot(client: Client, pod: Pod, state: MachineState): MachineRecord {
  const { machine, at, runs, stopped, kept } = state;
  const stored = client.get(Machines, keyOf(pod));
  const next: PodMachine = {
    apiVersion: 'terrarium.dev/v1alpha1',
    kind: 'PodMachine',
    metadata: stored?.metadata ?? { name: pod.metadata.name, namespace: pod.metadata.namespace },
    uid: pod.metadata.uid ?? '',
    snapshot: (stored?.snapshot ?? 0) + 1,
    at: microTimestamp(at),
    machine: JSON.stringify(machine),
    runs,
    stopped,
    ...(kept === undefined ? {} : { kept }),
  };
  return new MachineRecord(stored ? client.update(Machines, next) : client.create(Machines, next));
}

function storeChange(
  client: Client,
  pod: Pod,
  { snapshot, changes }: MachineRecord,
  change: Pick<MachineChange, 'at' | 'patch' | 'isQuiet'>,
): MachineChange {
  const key = changeKey(keyOf(pod), changes.length);
  const stored = client.get(MachineChanges, key);
  const next: MachineChange = {
    apiVersion: 'terrarium.dev/v1alpha1',
    kind: 'MachineChange',
    metadata: stored?.metadata ?? { name: key.name, namespace: key.namespace },
    uid: snapshot.uid,
    snapshot: snapshot.snapshot ?? 0,
    ...change,
  };
  return stored ? client.update(MachineChanges, next) : client.create(MachineChanges, next);
}

/** Deletes what is kept of a pod's machine, and of the files that end with the pod. */
export function deleteMachine(client: Client, key: Key): void {
  const stored = client.get(Machines, key);
  if (!stored) return;
  client.delete(Machines, key);
  for (let number = 0; number < MAX_CHANGES && client.get(MachineChanges, changeKey(key, number)); number++)
    client.delete(MachineChanges, changeKey(key, number));
  deleteFilesOf(client, stored.uid);
}
