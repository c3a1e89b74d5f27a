import type { Client } from '../../../machinery/client.js';
import type { ClusterKeys } from '../../../machinery/crypto/cluster-keys.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import type { GitVersion } from '../../../machinery/releases.js';
import type { Millis } from '../../../machinery/time/time.js';
import type { AddonObjects } from './apply-addons.js';

/** What a control plane is called, and what it runs. */
export interface HostNames {
  readonly controlPlane: string;
  readonly version: GitVersion;
  /** It has addresses of both families. */
  readonly dualStack?: true;
}

export interface BootstrapMoment {
  readonly now: Millis;
  /** Absent in a cluster without keys: its certificates stand for themselves. */
  readonly keys?: ClusterKeys;
}

/** What makes a cluster of an empty etcd. It stands above the nodes, and is handed to their host. */
export interface ClusterBootstrap {
  readonly addonObjects: AddonObjects;
  /** Creates the objects of an API server that has just started on an empty etcd. */
  createApiObjects(client: Client, names: HostNames, moment: BootstrapMoment): void;
  /** The rights that kubeadm gives to administrators, to nodes that join, and to nodes. */
  kubeadmRights(): readonly KubeObject[];
}
