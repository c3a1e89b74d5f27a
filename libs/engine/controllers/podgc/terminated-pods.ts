import type { Pod } from '../../api/core_v1.js';
import { isPodTerminal } from '../../kinds/core/pod/status/phase.js';

/** The default of kube-controller-manager's --terminated-pod-gc-threshold. */
export const TERMINATED_POD_GC_THRESHOLD = 12_500;

const countOf = (pod: Pod | undefined): number => (pod && isPodTerminal(pod) ? 1 : 0);

/** Counts the terminated pods, so that nothing walks through all pods while there are few. */
export class TerminatedPods {
  private count = 0;

  onPod(old: Pod | undefined, next: Pod | undefined): void {
    this.count += countOf(next) - countOf(old);
  }

  /** How many there are beyond the threshold. */
  get excess(): number {
    return Math.max(0, this.count - TERMINATED_POD_GC_THRESHOLD);
  }
}

const isEvicted = ({ status }: Pod): boolean => status.reason === 'Evicted';

/** Evicted pods first, then older ones, then by name. Models byEvictionAndCreationTimestamp. */
export function byEvictionAndCreation(a: Pod, b: Pod): number {
  if (isEvicted(a) !== isEvicted(b)) return isEvicted(a) ? -1 : 1;
  return (
    compare(a.metadata.creationTimestamp, b.metadata.creationTimestamp) || compare(a.metadata.name, b.metadata.name)
  );
}

const compare = (a = '', b = ''): number => (a < b ? -1 : a > b ? 1 : 0);
