import { defineKind } from '../../../machinery/kind.js';
import type { KubeObject } from '../../../machinery/meta/object.js';

/**
 * What one input has changed in a pod's machine since its PodMachine was written down, or since the MachineChange
 * before. Named POD~N. The container runtime reads the patch.
 */
export interface MachineChange extends KubeObject {
  /** The pod's uid, and which of its snapshots this one follows: others are left over. */
  uid: string;
  snapshot: number;
  /** The moment that was written down: metav1.MicroTime. */
  at: string;
  /** A PlainPatch as JSON: a text, so that the API server does not walk through it. */
  patch: string;
  /** The machine does by itself what it would have done without the input. */
  isQuiet?: true;
}

export const kind = defineKind<MachineChange>({
  group: 'terrarium.dev',
  version: 'v1alpha1',
  kind: 'MachineChange',
  plural: 'machinechanges',
  singular: 'machinechange',
  scope: 'Namespaced',
  nameRule: 'pathSegment',
  definition: '',
  generation: false,
  internal: true,
});
