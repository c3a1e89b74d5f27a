import type { PersistentVolumeClaim, Pod } from '../../api/core_v1.js';
import { PersistentVolumeClaims, PersistentVolumes, StorageClasses } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';
import { rejectForGood, type FilterPlugin } from '../plugin.js';
import { matchesNodeSelectorTerms } from './node-affinity.js';

const CONFLICT = rejectForGood("node(s) didn't match PersistentVolume's node affinity");
const NOTHING_TO_BIND = rejectForGood("node(s) didn't find available persistent volumes to bind");
const NO_PROVISIONER = 'kubernetes.io/no-provisioner';

/** Names of the claims a pod mounts, those of generic ephemeral volumes included. */
export function claimNames(pod: Pod): string[] {
  return (pod.spec.volumes ?? []).flatMap((v) =>
    v.persistentVolumeClaim ? [v.persistentVolumeClaim.claimName] : v.ephemeral ? [`${pod.metadata.name}-${v.name}`] : [],
  );
}

const isBound = (claim: PersistentVolumeClaim): boolean => Boolean(claim.spec.volumeName) && claim.status.phase === 'Bound';

/** Is it bound only once a pod that uses it is placed? */
function waitsForConsumer(claim: PersistentVolumeClaim, read: Reader): boolean {
  const name = claim.spec.storageClassName;
  return Boolean(name) && read.get(StorageClasses, { namespace: '', name: name! })?.volumeBindingMode === 'WaitForFirstConsumer';
}

/** Claims must be bound, or be bindable here, and their volumes reachable from the node. Models plugins/volumebinding. */
export const volumeBinding: FilterPlugin = {
  name: 'VolumeBinding',
  prepare(pod, { read }) {
    const names = claimNames(pod);
    if (names.length === 0) return undefined;
    const namespace = pod.metadata.namespace ?? '';
    const claims: PersistentVolumeClaim[] = [];
    for (const name of names) {
      const claim = read.get(PersistentVolumeClaims, { namespace, name });
      if (!claim) return { nowhere: `persistentvolumeclaim "${name}" not found` };
      if (claim.metadata.deletionTimestamp) return { nowhere: `persistentvolumeclaim "${name}" is being deleted` };
      if (claim.status.phase === 'Lost') return { nowhere: `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${claim.spec.volumeName}"` };
      claims.push(claim);
    }
    if (claims.some((c) => !isBound(c) && !waitsForConsumer(c, read))) return { nowhere: 'pod has unbound immediate PersistentVolumeClaims' };
    const late = claims.filter((c) => !isBound(c));
    const static_ = late.filter((c) => read.get(StorageClasses, { namespace: '', name: c.spec.storageClassName! })?.provisioner === NO_PROVISIONER);
    const volumes = claims.filter(isBound).map((c) => read.get(PersistentVolumes, { namespace: '', name: c.spec.volumeName! }));
    return (info) => {
      for (const pv of volumes) {
        const required = pv?.spec.nodeAffinity?.required;
        if (required && !matchesNodeSelectorTerms(info.node!, required.nodeSelectorTerms)) return CONFLICT;
      }
      return static_.length > 0 ? NOTHING_TO_BIND : undefined;
    };
  },
};

/** Unbound claims of the pod that wait for a consumer: the scheduler tells their provisioner the node. */
export function claimsToProvision(pod: Pod, read: Reader): PersistentVolumeClaim[] {
  return claimNames(pod).flatMap((name) => {
    const claim = read.get(PersistentVolumeClaims, { namespace: pod.metadata.namespace ?? '', name });
    return claim && !isBound(claim) ? [claim] : [];
  });
}
