import type { Node, PersistentVolume, PersistentVolumeClaim, Pod } from '../api/core_v1.js';
import { PersistentVolumeClaims, PersistentVolumes } from '../kinds/index.js';
import type { Client } from '../machinery/client.js';
import { findUnboundClaims, findMatchingVolumes, SELECTED_NODE } from './plugins/volume-binding.js';

const BOUND_BY_CONTROLLER = 'pv.kubernetes.io/bound-by-controller';

/**
 * True once all claims are bound for this node; until then the pod waits. Models PreBind of the volume binding plug-in.
 */
export function bindVolumes(pod: Pod, node: Node, client: Client): boolean {
  const unbound = findUnboundClaims(pod, client);
  if (unbound.length === 0) return true;
  const { name } = node.metadata;
  const found = findMatchingVolumes(unbound, node, client);
  for (const claim of unbound) {
    const volume = found?.get(claim);
    if (volume) reserveVolume(volume, claim, client);
    else if (claim.metadata.annotations?.[SELECTED_NODE] !== name) {
      client.update(PersistentVolumeClaims, {
        ...claim,
        metadata: { ...claim.metadata, annotations: { ...claim.metadata.annotations, [SELECTED_NODE]: name! } },
      });
    }
  }
  return findUnboundClaims(pod, client).length === 0;
}

/** Makes the volume refer to the claim; the PersistentVolume controller then binds them. */
function reserveVolume(volume: PersistentVolume, claim: PersistentVolumeClaim, client: Client): void {
  if (volume.spec.claimRef?.uid === claim.metadata.uid) return;
  const annotations = volume.spec.claimRef
    ? volume.metadata.annotations
    : { ...volume.metadata.annotations, [BOUND_BY_CONTROLLER]: 'yes' };
  const { name, namespace, uid, resourceVersion } = claim.metadata;
  client.update(PersistentVolumes, {
    ...volume,
    metadata: { ...volume.metadata, annotations },
    spec: {
      ...volume.spec,
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name, namespace, uid, resourceVersion },
    },
  });
}
