import { defineKind } from '../../../machinery/kind.js';
import type { KubeObject } from '../../../machinery/meta/object.js';

/**
 * A node whose kube-proxy does not run; named as the node is. A node without one has rules that follow the state, and
 * nothing is stored for it.
 */
export interface ProxyRuntime extends KubeObject {
  /** The ProxySnapshot that its rules were last made from; absent: it has never written any. */
  snapshot?: string;
}

export const kind = defineKind<ProxyRuntime>({
  group: 'terrarium.dev',
  version: 'v1alpha1',
  kind: 'ProxyRuntime',
  plural: 'proxyruntimes',
  singular: 'proxyruntime',
  scope: 'Cluster',
  definition: '',
  generation: false,
  internal: true,
  indexes: { snapshot: ({ snapshot }) => (snapshot === undefined ? [] : [snapshot]) },
});
