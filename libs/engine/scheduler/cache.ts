import type { Node, Pod } from '../api/core_v1.js';
import { isPodTerminal } from '../kinds/core/pod/status/phase.js';
import { keyOf, keyText } from '../machinery/meta/object.js';
import { NodeInfo } from './node-info.js';
import { SchedulingQueue } from './queue.js';

const isAssigned = (pod: Pod | undefined): pod is Pod => Boolean(pod?.spec.nodeName) && !isPodTerminal(pod!);

/**
 * The nodes with the sums of their pods, and the queue of pods. It follows the state change by change, so that no cycle
 * iterates over all pods. Models pkg/scheduler/backend/cache.
 */
export class SchedulerCache {
  private readonly infos = new Map<string, NodeInfo>();
  private sorted: readonly NodeInfo[] | undefined;
  readonly queue = new SchedulingQueue();

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
      // The node's sums stay the same.
      this.infos.get(next.spec.nodeName!)?.pods.set(keyText(keyOf(next)), next);
      return;
    }
    if (isAssigned(old)) {
      const info = this.getOrCreate(old.spec.nodeName!);
      info.remove(old);
      if (!isAssigned(next)) this.dropIfEmpty(info);
    }
    if (isAssigned(next)) this.getOrCreate(next.spec.nodeName!).add(next);
    this.queue.onPod(old, next);
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

  /** The nodes that exist, sorted by name; a NodeInfo with pods alone is not listed. */
  nodes(): readonly NodeInfo[] {
    return (this.sorted ??= [...this.infos.values()].filter((i) => i.node).sort((a, b) => (a.name < b.name ? -1 : 1)));
  }
}
