import type { MetricSpec } from '../../api/autoscaling_v2.js';

export const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };

/** A target of cpu utilization, in percent. */
export const cpu = (averageUtilization: number): MetricSpec => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});
