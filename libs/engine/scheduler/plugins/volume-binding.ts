import type { Node, PersistentVolume, PersistentVolumeClaim, Pod, Volume } from '../../api/core_v1.js';
import { claimNameOf, claimNamesOf, whyNotOfPod } from '../../kinds/core/pod/claims.js';
import { PersistentVolumeClaims, PersistentVolumes, StorageClasses } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';
import { findVolume } from '../../kinds/core/persistentvolume/matching.js';
import { storageClassOf } from '../../kinds/core/persistentvolumeclaim/kind.js';
import { unresolvable, type FilterPlugin } from '../plugin.js';
import { matchesNodeSelectorTerms } from '../../machinery/scheduling/node-affinity.js';

const CONFLICT = unresolvable("node(s) didn't match PersistentVolume's node affinity");
const NOTHING_TO_BIND = unresolvable("node(s) didn't find available persistent volumes to bind");
/** The annotation of a claim whose volume is being provisioned for a node. */
export const SELECTED_NODE = 'volume.kubernetes.io/selected-node';
const NO_PROVISIONER = 'kubernetes.io/no-provisioner';

const isBound = (claim: PersistentVolumeClaim): boolean =>
  Boolean(claim.spec.volumeName) && claim.status.phase === 'Bound';

/** Whether the claim is bound only when a pod that uses it is scheduled. */
function waitsForConsumer(claim: PersistentVolumeClaim, read: Reader): boolean {
  const name = storageClassOf(claim);
  return (
    Boolean(name) && read.get(StorageClasses, { namespace: '', name })?.volumeBindingMode === 'WaitForFirstConsumer'
  );
}

const isProvisioned = (claim: PersistentVolumeClaim, read: Reader): boolean =>
  read.get(StorageClasses, { namespace: '', name: storageClassOf(claim) })?.provisioner !== NO_PROVISIONER;

function matchesNodeAffinity({ spec: { nodeAffinity } }: PersistentVolume, node: Node): boolean {
  return !nodeAffinity?.required || matchesNodeSelectorTerms(node, nodeAffinity.required.nodeSelectorTerms);
}

/**
 * The available volumes that the claims can be bound to on the node, a different one for each; undefined when a claim
 * has neither a volume nor a provisioner. Models findMatchingVolumes.
 */
export function findMatchingVolumes(
  claims: readonly PersistentVolumeClaim[],
  node: Node,
  read: Reader,
): ReadonlyMap<PersistentVolumeClaim, PersistentVolume> | undefined {
  const found = new Map<PersistentVolumeClaim, PersistentVolume>();
  let free = read.list(PersistentVolumes).filter((volume) => matchesNodeAffinity(volume, node));
  for (const claim of claims) {
    const volume = findVolume(claim, free);
    if (!volume && !isProvisioned(claim, read)) return undefined;
    if (!volume) continue;
    found.set(claim, volume);
    free = free.filter((v) => v !== volume);
  }
  return found;
}

/**
 * Filters nodes that reach the volumes of the pod's claims, and where its unbound claims can be bound. Models
 * plugins/volumebinding.
 */
export const volumeBinding: FilterPlugin = {
  name: 'VolumeBinding',
  preFilter(pod, { read }) {
    const claims: PersistentVolumeClaim[] = [];
    for (const volume of pod.spec.volumes ?? []) {
      const claim = findClaim(pod, volume, read);
      if (typeof claim === 'string') return { preFilterMessage: claim };
      if (claim) claims.push(claim);
    }
    if (claims.length === 0) return undefined;
    if (claims.some((c) => !isBound(c) && !waitsForConsumer(c, read)))
      return { preFilterMessage: 'pod has unbound immediate PersistentVolumeClaims' };
    const late = claims.filter((c) => !isBound(c));
    const selected = new Set(late.flatMap((c) => c.metadata.annotations?.[SELECTED_NODE] ?? []));
    const volumes = claims
      .filter(isBound)
      .map((c) => read.get(PersistentVolumes, { namespace: '', name: c.spec.volumeName! }));
    return (info) => {
      for (const volume of volumes) if (volume && !matchesNodeAffinity(volume, info.node!)) return CONFLICT;
      if (selected.size > 0 && !(selected.size === 1 && selected.has(info.name))) return NOTHING_TO_BIND;
      return late.length > 0 && !findMatchingVolumes(late, info.node!, read) ? NOTHING_TO_BIND : undefined;
    };
  },
};

/** The claim of a pod's volume, or why it is of no use; undefined: the volume has none. Models podHasPVCs. */
function findClaim(pod: Pod, volume: Volume, read: Reader): PersistentVolumeClaim | string | undefined {
  const name = claimNameOf(pod, volume);
  if (name === undefined) return undefined;
  const claim = read.get(PersistentVolumeClaims, { namespace: pod.metadata.namespace ?? '', name });
  if (!claim && volume.ephemeral)
    return `waiting for ephemeral volume controller to create the persistentvolumeclaim "${name}"`;
  if (!claim) return `persistentvolumeclaim "${name}" not found`;
  if (claim.status.phase === 'Lost')
    return `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${claim.spec.volumeName}"`;
  if (claim.metadata.deletionTimestamp) return `persistentvolumeclaim "${name}" is being deleted`;
  return (volume.ephemeral && whyNotOfPod(claim, pod)) ?? claim;
}

/** Whether all of the pod's claims are there. */
export const hasClaims = (pod: Pod, read: Reader): boolean =>
  claimNamesOf(pod).every((name) =>
    read.get(PersistentVolumeClaims, { namespace: pod.metadata.namespace ?? '', name }),
  );

/** The pod's claims that wait for the scheduler to select a node. */
export function findUnboundClaims(pod: Pod, read: Reader): PersistentVolumeClaim[] {
  return claimNamesOf(pod).flatMap((name) => {
    const claim = read.get(PersistentVolumeClaims, { namespace: pod.metadata.namespace ?? '', name });
    return claim && !isBound(claim) ? [claim] : [];
  });
}
