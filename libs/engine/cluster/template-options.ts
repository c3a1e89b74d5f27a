import { DEFAULT_VERSION, type GitVersion } from '../machinery/releases.js';

export interface NodeSpec {
  readonly name: string;
  /** Quantities; by default '4' and '8Gi'. */
  readonly cpu?: string;
  readonly memory?: string;
  /** How many pods it takes; by default 110, and never more than the 253 addresses of its pod range. */
  readonly pods?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
}

/** The names that a cluster's creator chooses. */
export interface ClusterNames {
  /** Of the control plane's node. */
  readonly controlPlane: string;
  /** Of the default StorageClass. */
  readonly storageClass: string;
  /** The release that the cluster shows. */
  readonly version: GitVersion;
  /** Nodes, pods and Services have addresses of both families; absent: of IPv4 alone. */
  readonly dualStack?: true;
  /** The control plane's node takes other pods, too; absent: it is tainted, as kubeadm does it. */
  readonly untainted?: true;
}

export const DEFAULT_NAMES: ClusterNames = {
  controlPlane: 'control-plane',
  storageClass: 'standard',
  version: DEFAULT_VERSION,
};

/** What a new cluster looks like. Clusters of equal settings start on one shared checkpoint. */
export interface TemplateOptions {
  readonly workers: readonly NodeSpec[];
  readonly speed: 'realistic' | 'instant';
  /** By default DEFAULT_NAMES. */
  readonly names?: Partial<ClusterNames>;
}
