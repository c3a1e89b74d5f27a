import type { Node, Pod } from '../../api/core_v1.js';
import { isPodTerminal } from '../../kinds/core/pod/status/phase.js';
import { keyOf, keyText } from '../../machinery/meta/object.js';
import { NodeInfo } from './node-info.js';
import { Nominations } from './nominations.js';
import { isPending } from '../queue/pending.js';
import { SchedulingQueue } from '../queue/queue.js';

const isAssigned = (pod: Pod | undefined): pod is Pod => Boolean(pod?.spec.nodeName) && !isPodTerminal(pod!);

/**
 * The nodes with the sums of their pods, and the queue of pods. It follows the state change by change, so that no cycle
 * iterates over all pods. Models pkg/scheduler/backend/cache.
 */
export class SchedulerCache {
  /** Pods with a node that are not bound yet, as the node has them, by key. */
  private readonly assumed = new Map<string, Pod>();
  private readonly infos = new Map<string, NodeInfo>();
  private sorted: readonly NodeInfo[] | undefined;
  readonly queue = new SchedulingQueue();
  readonly nominations = new Nominations();

  onNode(old: Node | undefined, next: Node | undefined): void {
    const name = (next ?? old)!.metadata.name!;
    const info = this.getOrCreate(name);
    if (!info.node !== !next) this.sorted = undefined;
    info.setNode(next);
    this.dropIfEmpty(info);
  }

  onPod(old: Pod | undefined, next: Pod | undefined): void {
    if (next && isPending(next) && this.assumed.has(keyText(keyOf(next)))) return;
    this.forgetPod((next ?? old)!);
    this.nominations.onPod(old, next);
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

  /**
   * Counts a pod to the node that was found for it, although its binding has to wait for its volumes. It stays there
   * until it is bound or no longer pending, and leaves the queue.
   */
  assumePod(pod: Pod, node: string): void {
    const assumed = { ...pod, spec: { ...pod.spec, nodeName: node } };
    this.assumed.set(keyText(keyOf(pod)), assumed);
    this.getOrCreate(node).add(assumed);
    this.queue.onPod(pod, undefined);
    this.nominations.onPod(pod, undefined);
  }

  /** The node that a pod is assumed on; undefined when there is none, or when the node is gone. */
  assumedNode(pod: Pod): NodeInfo | undefined {
    const assumed = this.assumed.get(keyText(keyOf(pod)));
    if (!assumed || assumed.metadata.uid !== pod.metadata.uid) return undefined;
    const info = this.infos.get(assumed.spec.nodeName!);
    return info?.node && info;
  }

  forgetPod(pod: Pod): void {
    const key = keyText(keyOf(pod));
    const assumed = this.assumed.get(key);
    if (!assumed) return;
    this.assumed.delete(key);
    const info = this.getOrCreate(assumed.spec.nodeName!);
    info.remove(assumed);
    this.dropIfEmpty(info);
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
