import type { Node, PersistentVolume, PersistentVolumeClaim, Pod } from '../../api/core_v1.js';
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

/** The names of the claims that a pod mounts, with those of its generic ephemeral volumes. */
export function claimNames(pod: Pod): string[] {
  return (pod.spec.volumes ?? []).flatMap((v) =>
    v.persistentVolumeClaim
      ? [v.persistentVolumeClaim.claimName]
      : v.ephemeral
        ? [`${pod.metadata.name}-${v.name}`]
        : [],
  );
}

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
    const names = claimNames(pod);
    if (names.length === 0) return undefined;
    const namespace = pod.metadata.namespace ?? '';
    const claims: PersistentVolumeClaim[] = [];
    for (const name of names) {
      const claim = read.get(PersistentVolumeClaims, { namespace, name });
      if (!claim) return { preFilterMessage: `persistentvolumeclaim "${name}" not found` };
      if (claim.metadata.deletionTimestamp)
        return { preFilterMessage: `persistentvolumeclaim "${name}" is being deleted` };
      if (claim.status.phase === 'Lost')
        return {
          preFilterMessage: `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${claim.spec.volumeName}"`,
        };
      claims.push(claim);
    }
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

/** Whether all of the pod's claims are there. */
export const hasClaims = (pod: Pod, read: Reader): boolean =>
  claimNames(pod).every((name) => read.get(PersistentVolumeClaims, { namespace: pod.metadata.namespace ?? '', name }));

/** The pod's claims that wait for the scheduler to select a node. */
export function findUnboundClaims(pod: Pod, read: Reader): PersistentVolumeClaim[] {
  return claimNames(pod).flatMap((name) => {
    const claim = read.get(PersistentVolumeClaims, { namespace: pod.metadata.namespace ?? '', name });
    return claim && !isBound(claim) ? [claim] : [];
  });
}
