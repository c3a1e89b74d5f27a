import { defineKind } from '../../../machinery/kind.js';
import type { Unstructured } from '../../../machinery/meta/object.js';

/**
 * The machine of one pod, written down; named as the pod is. A pod has one once something has acted on its machine that
 * does not follow from the pod itself. The container runtime says what is in it.
 */
export const kind = defineKind<Unstructured>({
  group: 'terrarium.dev',
  version: 'v1alpha1',
  kind: 'PodMachine',
  plural: 'podmachines',
  singular: 'podmachine',
  scope: 'Namespaced',
  nameRule: 'pathSegment',
  definition: '',
  generation: false,
  internal: true,
});
