import type { LoadedMachine } from '../pods/loaded-machine.js';
import type { Run } from '../records/course.js';

/** Machines that are kept aside, of all pods. */
const MAX_ASIDE = 8;

/**
 * A sync may look at its pod before and after it has replaced a container's run: no one machine fits both. When the
 * second look is left unfinished, the sync is undone and begins anew, and each look would throw the other's machine
 * away and start from the pod's beginning. The one that does not fit is kept here for the look that it fits.
 */
export class MachinesAside {
  private readonly machines = new Map<string, LoadedMachine>();

  /** Keeps a machine that follows from its pod alone: what it has done to others would have to be undone with it. */
  keep(uid: string, loaded: LoadedMachine): void {
    if (loaded.hasContacts || loaded.isWaiting || loaded.trees.shared().length > 0) return;
    this.machines.delete(uid);
    this.machines.set(uid, loaded);
    if (this.machines.size > MAX_ASIDE) this.forget(this.machines.keys().next().value ?? '');
  }

  /** The machine of a pod, if it fits; it is here no longer. */
  take(uid: string, runs: readonly Run[], fits: (loaded: LoadedMachine) => boolean): LoadedMachine | undefined {
    const found = this.machines.get(uid);
    if (!found || !fits(found) || !isOfRuns(found, runs)) return undefined;
    this.machines.delete(uid);
    return found;
  }

  forget(uid: string): void {
    this.machines.delete(uid);
  }
}

/** A run that was undone may have begun anew since, under the same name. */
const isOfRuns = ({ machine }: LoadedMachine, runs: readonly Run[]): boolean =>
  runs.every(({ containerID, startedAt }) => {
    const container = machine.state.containers.get(containerID);
    return container === undefined || container.startedAt >= startedAt;
  });
