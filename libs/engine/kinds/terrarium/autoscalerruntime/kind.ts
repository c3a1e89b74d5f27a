import { defineKind } from '../../../machinery/kind.js';
import type { KubeObject } from '../../../machinery/meta/object.js';

/** What happened at a time (metav1.MicroTime): a recommendation of so many replicas, or a change by so many. */
export interface NotedReplicas {
  readonly at: string;
  readonly replicas: number;
}

/** What an autoscaler remembers beyond its status: upstream keeps it in the controller's memory. Named as it is. */
export interface AutoscalerRuntime extends KubeObject {
  /** The autoscaler's. */
  readonly uid: string;
  /** A recommendation holds until the next one; the oldest that still counts is the first. */
  readonly recommendations: readonly NotedReplicas[];
  readonly scaleUps: readonly NotedReplicas[];
  readonly scaleDowns: readonly NotedReplicas[];
}

export const kind = defineKind<AutoscalerRuntime>({
  group: 'terrarium.dev',
  version: 'v1alpha1',
  kind: 'AutoscalerRuntime',
  plural: 'autoscalerruntimes',
  singular: 'autoscalerruntime',
  scope: 'Namespaced',
  definition: '',
  generation: false,
  internal: true,
});
