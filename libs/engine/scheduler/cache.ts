import type { Node, Pod } from '../api/core_v1.js';
import { keyOf, keyText } from '../machinery/meta/object.js';
import { NodeInfo } from './node-info.js';
import { isPodTerminal } from '../kinds/core/pod/status/phase.js';

export const DEFAULT_SCHEDULER = 'default-scheduler';

const isAssigned = (pod: Pod | undefined): pod is Pod => Boolean(pod?.spec.nodeName) && !isPodTerminal(pod!);

/** Is the pod this scheduler's to place now? */
export const isPending = (pod: Pod): boolean =>
  !pod.spec.nodeName &&
  !pod.metadata.deletionTimestamp &&
  !isPodTerminal(pod) &&
  (pod.spec.schedulerName ?? DEFAULT_SCHEDULER) === DEFAULT_SCHEDULER;

/** Was it tried, and found not to fit anywhere? */
export const isUnschedulable = (pod: Pod): boolean =>
  isPending(pod) &&
  Boolean(
    pod.status.conditions?.some(
      (c) => c.type === 'PodScheduled' && c.status === 'False' && c.reason === 'Unschedulable',
    ),
  );

/** What a scheduler knows of the cluster: follows the state change by change, so that no cycle looks at every pod. */
export class SchedulerCache {
  private readonly infos = new Map<string, NodeInfo>();
  private sorted: readonly NodeInfo[] | undefined;
  /** Pods not tried yet, by priority: higher ones go first. */
  private readonly untried = new Map<number, Map<string, Pod>>();

  onNode(old: Node | undefined, next: Node | undefined): void {
    const name = (next ?? old)!.metadata.name!;
    const info = this.getOrCreate(name);
    if (!info.node !== !next) this.sorted = undefined;
    info.setNode(next);
    this.dropIfEmpty(info);
  }

  onPod(old: Pod | undefined, next: Pod | undefined): void {
    if (
      old &&
      next &&
      old.spec === next.spec &&
      old.status.phase === next.status.phase &&
      isAssigned(next) &&
      old.metadata.labels === next.metadata.labels &&
      old.metadata.deletionTimestamp === next.metadata.deletionTimestamp
    ) {
      // The sums cannot have changed: only the object is newer.
      this.infos.get(next.spec.nodeName!)?.pods.set(keyText(keyOf(next)), next);
      return;
    }
    if (isAssigned(old)) {
      const info = this.getOrCreate(old.spec.nodeName!);
      info.remove(old);
      if (!isAssigned(next)) this.dropIfEmpty(info);
    }
    if (isAssigned(next)) this.getOrCreate(next.spec.nodeName!).add(next);
    if (old && isPending(old)) this.updateQueue(old, false);
    if (next && isPending(next) && !isUnschedulable(next) && !next.spec.schedulingGates?.length)
      this.updateQueue(next, true);
  }

  private updateQueue(pod: Pod, waiting: boolean): void {
    const priority = pod.spec.priority ?? 0;
    let group = this.untried.get(priority);
    if (!group && waiting) this.untried.set(priority, (group = new Map()));
    if (waiting) group!.set(keyText(keyOf(pod)), pod);
    else if (group?.delete(keyText(keyOf(pod))) && group.size === 0) this.untried.delete(priority);
  }

  /** Untried pods whose priority is above this one's, highest first. */
  podsAhead(pod: Pod): readonly Pod[] {
    const own = pod.spec.priority ?? 0;
    if (this.untried.size <= 1 && !this.someAbove(own)) return [];
    const higher = [...this.untried.keys()].filter((p) => p > own).sort((a, b) => b - a);
    return higher.flatMap((p) => [...this.untried.get(p)!.values()]);
  }

  private someAbove(priority: number): boolean {
    for (const p of this.untried.keys()) if (p > priority) return true;
    return false;
  }

  private getOrCreate(name: string): NodeInfo {
    let info = this.infos.get(name);
    if (!info) {
      this.infos.set(name, (info = new NodeInfo(name)));
      this.sorted = undefined;
    }
    return info;
  }

  private dropIfEmpty(info: NodeInfo): void {
    if (info.node || info.pods.size > 0) return;
    this.infos.delete(info.name);
    this.sorted = undefined;
  }

  /** Every node that exists, by name. */
  nodes(): readonly NodeInfo[] {
    return (this.sorted ??= [...this.infos.values()].filter((i) => i.node).sort((a, b) => (a.name < b.name ? -1 : 1)));
  }
}
