import type { Pod } from '../../api/core_v1.js';
import { keyOf, keyText } from '../../machinery/meta/object.js';
import { isPending } from '../queue/pending.js';

const NOBODY: readonly Pod[] = [];
export const priorityOf = (pod: Pod): number => pod.spec.priority ?? 0;
const nodeOf = (pod: Pod | undefined): string | undefined =>
  pod && isPending(pod) ? pod.status.nominatedNodeName : undefined;

/**
 * The pending pods by the node on which others are evicted for them: nobody of lower priority may take that room.
 * Models pkg/scheduler/backend/queue/nominator.go.
 */
export class Nominations {
  private readonly byNode = new Map<string, Map<string, Pod>>();

  onPod(old: Pod | undefined, next: Pod | undefined): void {
    const [before, after] = [nodeOf(old), nodeOf(next)];
    if (before) this.remove(before, old!);
    if (after) this.add(after, next!);
  }

  /** The nominated pods of a node that a pod has to leave room for: those of its priority or a higher one. */
  aheadOf(pod: Pod, node: string): readonly Pod[] {
    return this.on(node).filter((p) => priorityOf(p) >= priorityOf(pod) && p.metadata.uid !== pod.metadata.uid);
  }

  /** Those of a node that a pod which is nominated now takes the room from. */
  behind(pod: Pod, node: string): readonly Pod[] {
    return this.on(node).filter((p) => priorityOf(p) < priorityOf(pod));
  }

  private on(node: string): readonly Pod[] {
    const pods = this.byNode.get(node);
    return pods ? [...pods.values()] : NOBODY;
  }

  private add(node: string, pod: Pod): void {
    let pods = this.byNode.get(node);
    if (!pods) this.byNode.set(node, (pods = new Map()));
    pods.set(keyText(keyOf(pod)), pod);
  }

  private remove(node: string, pod: Pod): void {
    const pods = this.byNode.get(node);
    if (pods?.delete(keyText(keyOf(pod))) && pods.size === 0) this.byNode.delete(node);
  }
}
