import type { LoadedCluster } from '../clusters/loaded-cluster.js';
import type { EndReason } from './broadcaster.js';

/** A listener of a cluster that is not in memory. */
export interface ParkedListener {
  /** It has had every change up to this revision. */
  readonly revision: number;
  /** The cluster is loaded again: the listener joins it and gets what it has missed. */
  resume(cluster: LoadedCluster): void;
  end(reason: EndReason): void;
}

/**
 * Listeners whose clusters were unloaded to make room. Nothing of a cluster is kept for them: at its next change it is
 * loaded again, and they go on where they were.
 */
export class Parking {
  private readonly byCluster = new Map<string, Set<ParkedListener>>();

  get size(): number {
    let size = 0;
    for (const parked of this.byCluster.values()) size += parked.size;
    return size;
  }

  /** Returns what takes the listener away again. */
  add(id: string, listener: ParkedListener): () => void {
    const parked = this.byCluster.get(id);
    if (parked) parked.add(listener);
    else this.byCluster.set(id, new Set([listener]));
    return () => this.remove(id, listener);
  }

  has(id: string): boolean {
    return this.byCluster.has(id);
  }

  /** The earliest revision that listeners of each cluster have had, by cluster. */
  revisions(): Map<string, number> {
    const revisions = new Map<string, number>();
    for (const [id, parked] of this.byCluster)
      revisions.set(id, Math.min(...Array.from(parked, ({ revision }) => revision)));
    return revisions;
  }

  resume(cluster: LoadedCluster): void {
    for (const listener of this.takeAll(cluster.row.id)) listener.resume(cluster);
  }

  end(id: string, reason: EndReason): void {
    for (const listener of this.takeAll(id)) listener.end(reason);
  }

  endAll(reason: EndReason): void {
    for (const id of [...this.byCluster.keys()]) this.end(id, reason);
  }

  private takeAll(id: string): Iterable<ParkedListener> {
    const parked = this.byCluster.get(id) ?? [];
    this.byCluster.delete(id);
    return parked;
  }

  private remove(id: string, listener: ParkedListener): void {
    const parked = this.byCluster.get(id);
    parked?.delete(listener);
    if (parked?.size === 0) this.byCluster.delete(id);
  }
}
