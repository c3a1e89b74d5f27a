import type { ClusterOptions } from '@terrarium/engine';
import type { Metrics } from '@terrarium/host';

/** Measures each reconcile between the engine's two calls, since the engine has no clock. Reconciles never overlap. */
export function timeReconciles(metrics: Pick<Metrics, 'observeReconcile'>): NonNullable<ClusterOptions['observer']> {
  let startedAt = 0;
  return {
    started: () => void (startedAt = performance.now()),
    finished: (controller, outcome) => metrics.observeReconcile(controller, outcome, performance.now() - startedAt),
  };
}
