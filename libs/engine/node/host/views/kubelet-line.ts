import type { Millis } from '../../../machinery/time/time.js';

/** A line of a kubelet's log. */
export interface KubeletLine {
  readonly at: Millis;
  readonly level: 'I' | 'E';
  /** Behind klog's header: 'eviction_manager.go:381] "…"'. */
  readonly text: string;
}
