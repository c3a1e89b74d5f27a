import { defineKind } from '../../../machinery/kind.js';
import type { KubeObject } from '../../../machinery/meta/object.js';

/**
 * What a kube-proxy knew when it ended: nodes whose proxies ended at one state share it, and the last that comes back
 * takes it away.
 */
export interface ProxySnapshot extends KubeObject {
  /** JSON of what it reads of Services and EndpointSlices. */
  services: string;
  slices: string;
}

export const kind = defineKind<ProxySnapshot>({
  group: 'terrarium.dev',
  version: 'v1alpha1',
  kind: 'ProxySnapshot',
  plural: 'proxysnapshots',
  singular: 'proxysnapshot',
  scope: 'Cluster',
  definition: '',
  generation: false,
  internal: true,
});
