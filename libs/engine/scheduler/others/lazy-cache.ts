import type { Node, Pod } from '../../api/core_v1.js';
import { Nodes, Pods } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';
import { SchedulerCache } from '../cache/cache.js';

/** The sums of nodes for schedulers beside the first one: most clusters have none, and nothing is kept for them. */
export class LazyCache {
  private cache: SchedulerCache | undefined;

  /** Filled when it is first asked for; it follows the state from then on. */
  of(read: Reader): SchedulerCache {
    if (this.cache) return this.cache;
    const cache = new SchedulerCache();
    for (const node of read.list(Nodes)) cache.onNode(undefined, node);
    for (const pod of read.list(Pods)) cache.onPod(undefined, pod);
    this.cache = cache;
    return cache;
  }

  onNode(old: Node | undefined, next: Node | undefined): void {
    this.cache?.onNode(old, next);
  }

  onPod(old: Pod | undefined, next: Pod | undefined): void {
    this.cache?.onPod(old, next);
  }
}
