import type { HorizontalPodAutoscaler } from '../../../api/autoscaling_v1.js';
import type { HorizontalPodAutoscaler as Stored } from '../../../api/autoscaling_v2.js';
import { defineKind } from '../../../machinery/kind.js';
import { kind as stored } from '../horizontalpodautoscaler/kind.js';
import { fromStorage, toStorage } from './conversion.js';

/** autoscaling/v1's view of the autoscalers that are stored as v2. Models pkg/apis/autoscaling/v1. */
export const kind = defineKind<HorizontalPodAutoscaler>({
  group: 'autoscaling',
  version: 'v1',
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
  singular: 'horizontalpodautoscaler',
  shortNames: ['hpa'],
  categories: ['all'],
  scope: 'Namespaced',
  definition: 'io.k8s.api.autoscaling.v1.HorizontalPodAutoscaler',
  subresources: { status: true },
  generation: false,
  storedAs: { kind: stored, toStorage, fromStorage: (object) => fromStorage(object as Stored) },
  columns: stored.columns!.map((c) => ({ ...c, cell: (object, now) => c.cell(toStorage(object), now) })),
});
