import type { Pod } from '../../../api/core_v1.js';
import type { Machine } from '../../../kernel/machine.js';
import { viewState } from '../../../kernel/save.js';
import type { Millis } from '../../../machinery/time/time.js';
import type { Forecast } from '../looks/forecast.js';
import type { PodRuntime } from '../../kubelet/pod/pod-runtime.js';
import type { MachineRecord, MachineState } from '../records/machine-record.js';
import type { PodTrees } from './pod-trees.js';
import type { Trial } from '../looks/trial.js';

/** What is stored of a pod. */
export interface StoredPod {
  readonly pod: Pod | undefined;
  readonly runtime: PodRuntime | undefined;
}

/** One pod's machine in memory. */
export interface LoadedMachine {
  readonly machine: Machine;
  readonly trees: PodTrees;
  /** The record that it was made from, and that it agrees with. */
  record: MachineRecord | undefined;
  /** The runs that were started in it, and those of them that were told to stop. */
  readonly runs: Set<string>;
  readonly stopped: Set<string>;
  /** The sessions of lifecycle hooks, by name and container ID; undefined: the command could not be started. */
  readonly hooks: Map<string, string | undefined>;
  /** Why runs and hooks could not be started, in runc's words. */
  readonly failures: Map<string, string>;
  /** By container ID; until something acts on the machine. */
  readonly forecasts: Map<string, Forecast>;
  /** What is being tried out in copies of it, by what that is; until something acts on the machine. */
  readonly trials: Map<string, Trial<unknown>>;
  /** The time to which it was run last, and where it is since: the last step's work may have led beyond it. */
  ranTo: { readonly asked: Millis; readonly reached: Millis } | undefined;
  /** What was stored when it was looked at last. */
  seen?: StoredPod;
  /** A program has been in contact with others, so that its course does not follow from the pod alone. */
  hasContacts: boolean;
  /** It may have changed a tree that outlives its pod since it was written down. */
  hasSharedWrites: boolean;
  /** It waits for the API server, which only an input of the cluster may ask. */
  isWaiting: boolean;
}

/** A machine with which nothing was done yet, made from its record if there is one. */
export const newLoadedMachine = (
  machine: Machine,
  trees: PodTrees,
  record: MachineRecord | undefined,
): LoadedMachine => ({
  machine,
  trees,
  record,
  runs: new Set(record?.runs),
  stopped: new Set(record?.stopped),
  hooks: new Map(),
  failures: new Map(),
  forecasts: new Map(),
  trials: new Map(),
  ranTo: undefined,
  hasContacts: false,
  hasSharedWrites: false,
  isWaiting: false,
});

/** Up to when a machine has done all that there was to do: its last step's work may have led it beyond that time. */
export const askedTime = ({ machine, ranTo }: LoadedMachine): Millis =>
  ranTo?.reached === machine.now ? ranTo.asked : machine.now;

/** What is written down of it. `kept`: so often it was for what it has done by itself. */
export function stateToStore({ machine, runs, stopped }: LoadedMachine, kept: number | undefined): MachineState {
  const state = { machine: viewState(machine.state), at: machine.now, runs: [...runs], stopped: [...stopped] };
  return kept === undefined ? state : { ...state, kept };
}
