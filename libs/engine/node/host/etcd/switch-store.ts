import type { Node, Pod } from '../../../api/core_v1.js';
import type { FileTree } from '../../../kernel/files/tree.js';
import { servesApi } from '../../../kinds/terrarium/noderuntime/api-server.js';
import { listHosts } from '../../../kinds/terrarium/noderuntime/hosts.js';
import type { NodeManifest } from '../../../kinds/terrarium/noderuntime/kind.js';
import type { Client } from '../../../machinery/client.js';
import { DEFAULT_VERSION, type GitVersion } from '../../../machinery/releases.js';
import type { Context } from '../../../runtime/controller.js';
import { secondIPOf } from '../../dualstack/addresses.js';
import { defaultManifests } from '../../kubelet/pod/manifests.js';
import { isControlPlane } from '../files/config-files.js';
import type { Disk } from '../files/disk.js';
import type { ClusterBootstrap, HostNames } from '../packages/cluster-bootstrap.js';
import { dataFolderOf, fatal } from '../services/component-fault.js';
import { memberId } from './member-id.js';
import { canKeepStore, changeStore } from './stores.js';

/** An etcd whose data are others than before. `from`, `to`: as StoreChange has them. */
export interface SwitchedStore {
  readonly node: Node;
  readonly tree: FileTree;
  readonly disk: Disk;
  /** Absent: those of kubeadm. */
  readonly manifests: readonly NodeManifest[] | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** The cluster's objects become those of the store, or what an API server makes in an empty one. */
export function switchStore(context: Context, bootstrap: ClusterBootstrap, switched: SwitchedStore): void {
  const { client, etcd, now } = context;
  const { node, tree, disk, from, to } = switched;
  const isEmpty = changeStore(
    { client, etcd, tree, disk, now },
    { from, to, folder: dataFolderOf(etcdPod(switched)) ?? '' },
  );
  if (isEmpty) bootstrap.createApiObjects(context.as('system:apiserver'), namesOf(node), context);
}

function etcdPod({ node, manifests = [] }: SwitchedStore): Pod {
  const known = manifests.find(({ pod }) => (pod as Pod | undefined)?.metadata.name === 'etcd')?.pod as Pod | undefined;
  return known ?? defaultManifests(node).find(([, one]) => one.metadata.name === 'etcd')![1];
}

const namesOf = (node: Node): HostNames => ({
  controlPlane: node.metadata.name ?? '',
  version: (node.status.nodeInfo?.kubeletVersion ?? DEFAULT_VERSION) as GitVersion,
  ...(secondIPOf(node) === '' ? {} : { dualStack: true }),
});

/**
 * Why the etcd of a node does not begin empty, in its last words: a member that has lost its data does not come back by
 * itself. Undefined: it is the only one, and begins anew.
 */
export function emptyStoreFault(client: Client, name: string): string | undefined {
  const others = listHosts(client).filter((one) => isControlPlane(one) && one.metadata.name !== name);
  if (others.some((one) => servesApi(client, one.metadata.name ?? '')))
    return fatal(`member ${memberId(name)} has already been bootstrapped`);
  return canKeepStore(client) ? undefined : fatal(TOO_MANY);
}

const TOO_MANY =
  'the objects of the store before are too many to be kept: an etcd that begins empty beside them is not simulated';
