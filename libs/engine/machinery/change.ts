import type { KubeObject } from './meta/object.js';
import type { Millis } from './time/time.js';

/**
 * One put or delete of one object at one revision: etcd's event, the watch's event, the audit record and the
 * explanation.
 */
export interface Change {
  readonly revision: number;
  readonly type: 'put' | 'delete';
  /** Storage key of the resource: 'pods', 'deployments.apps'. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  /** The object after the change; for a delete, its last state with the resourceVersion of the deletion. */
  readonly object: KubeObject;
  /**
   * Who did it: a user name ('kubernetes-admin') or a component's
   * ('system:serviceaccount:kube-system:deployment-controller').
   */
  readonly actor: string;
  /** The revision this change answers to; 0 when it came from outside (a user's request). */
  readonly cause: number;
  readonly at: Millis;
}
