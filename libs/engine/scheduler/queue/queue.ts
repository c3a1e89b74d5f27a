import type { Pod } from '../../api/core_v1.js';
import { keyOf, keyText } from '../../machinery/meta/object.js';
import { isPending, isUnschedulable } from './pending.js';

const priorityOf = (pod: Pod): number => pod.spec.priority ?? 0;

/**
 * The pending pods that no cycle has tried yet, by priority. Models the active queue of
 * pkg/scheduler/backend/queue/scheduling_queue.go.
 */
export class SchedulingQueue {
  private readonly byPriority = new Map<number, Map<string, Pod>>();

  onPod(old: Pod | undefined, next: Pod | undefined): void {
    if (old && isPending(old)) this.remove(old);
    if (next && isPending(next) && !isUnschedulable(next) && !next.spec.schedulingGates?.length) this.add(next);
  }

  /** The pods with a higher priority than this one, highest first, which therefore go first. */
  podsAhead(pod: Pod): readonly Pod[] {
    const own = priorityOf(pod);
    const higher = [...this.byPriority.keys()].filter((p) => p > own).sort((a, b) => b - a);
    return higher.flatMap((p) => [...this.byPriority.get(p)!.values()]);
  }

  private add(pod: Pod): void {
    const priority = priorityOf(pod);
    let pods = this.byPriority.get(priority);
    if (!pods) this.byPriority.set(priority, (pods = new Map()));
    pods.set(keyText(keyOf(pod)), pod);
  }

  private remove(pod: Pod): void {
    const priority = priorityOf(pod);
    const pods = this.byPriority.get(priority);
    if (pods?.delete(keyText(keyOf(pod))) && pods.size === 0) this.byPriority.delete(priority);
  }
}
