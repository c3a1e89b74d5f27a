import type { Pod } from '../../../api/core_v1.js';
import { defineKind } from '../../../machinery/kind.js';
import type { KubeObject } from '../../../machinery/meta/object.js';

/** What somebody has said of a sandbox at the container runtime. Models the CRI's PodSandboxConfig. */
export interface SandboxConfig {
  name: string;
  namespace: string;
  uid: string;
  attempt: number;
  labels: Record<string, string>;
  annotations: Record<string, string>;
  /** Where the logs of its containers lie; '' when they are not kept. */
  logDirectory: string;
}

/** A container of such a sandbox; what it does is in the pod's status. Models the CRI's Container. */
export interface SandboxContainer {
  id: string;
  /** Its name among the pod's containers. */
  key: string;
  name: string;
  attempt: number;
  labels: Record<string, string>;
  annotations: Record<string, string>;
  /** Below the sandbox's folder of logs; '' when nothing is kept. */
  logPath: string;
  /** metav1.Time. */
  createdAt: string;
}

/**
 * A sandbox that somebody has made at the container runtime of a node, of which the API server hears nothing; named by
 * its id.
 */
export interface PodSandbox extends KubeObject {
  nodeName: string;
  config: SandboxConfig;
  /** metav1.MicroTime. */
  createdAt: string;
  /** metav1.MicroTime; absent: it is ready. */
  stoppedAt?: string;
  /** What runs in it, in the shape of a pod: none of the cluster's objects. */
  pod: Pod;
  containers: SandboxContainer[];
}

export const kind = defineKind<PodSandbox>({
  group: 'terrarium.dev',
  version: 'v1alpha1',
  kind: 'PodSandbox',
  plural: 'podsandboxes',
  singular: 'podsandbox',
  scope: 'Cluster',
  definition: '',
  generation: false,
  internal: true,
  indexes: { node: ({ nodeName }) => [nodeName] },
});
