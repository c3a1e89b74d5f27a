import type { PersistentVolumeClaim, Pod, Volume } from '../../../api/core_v1.js';
import { controllerOf } from '../../../machinery/meta/object.js';

/** The claim that a volume of a pod means, or the one that is made for an ephemeral volume. Undefined: it has none. */
export function claimNameOf({ metadata }: Pod, { name, persistentVolumeClaim, ephemeral }: Volume): string | undefined {
  return persistentVolumeClaim?.claimName ?? (ephemeral && `${metadata.name ?? ''}-${name}`);
}

/** The names of the claims that a pod mounts, those of its generic ephemeral volumes included. */
export const claimNamesOf = (pod: Pod): string[] =>
  (pod.spec.volumes ?? []).flatMap((volume) => claimNameOf(pod, volume) ?? []);

/**
 * Why a claim is not the one of a pod's ephemeral volume, though it has its name. Undefined: it is. Models
 * component-helpers/storage/ephemeral VolumeIsForPod.
 */
export function whyNotOfPod(claim: PersistentVolumeClaim, { metadata }: Pod): string | undefined {
  if (controllerOf(claim)?.uid === metadata.uid) return undefined;
  const { namespace = '', name = '' } = claim.metadata;
  return `PVC ${namespace}/${name} was not created for pod ${namespace}/${metadata.name ?? ''} (pod is not owner)`;
}
