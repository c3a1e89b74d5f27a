import type { Pod } from '../../../api/core_v1.js';
import { claimNameOf } from '../../../kinds/core/pod/claims.js';
import { isInScope, type VolumeEffect } from '../../../faults/index.js';
import { PersistentVolumeClaims } from '../../../kinds/index.js';
import { activeEffects } from '../../../kinds/terrarium/fault/active.js';
import type { Reader } from '../../../machinery/client.js';

/** Why volumes of claims cannot be attached or mounted, where faults concern them. */
export function findVolumeFaults(pod: Pod, read: Reader): readonly string[] {
  const active = activeEffects(read, 'volume').filter(({ pods }) => !pods || isInScope(pods, pod));
  if (active.length === 0) return [];
  return (pod.spec.volumes ?? []).flatMap((volume) => {
    const claim = claimNameOf(pod, volume);
    if (claim === undefined) return [];
    const found = active.filter((effect) => concernsClaim(effect, pod.metadata.namespace ?? '', claim));
    return found.flatMap(({ fault }) => messageOf(fault, volumeOf(read, pod, claim) ?? volume.name) ?? []);
  });
}

export const concernsClaim = ({ claims }: VolumeEffect, namespace: string, claim: string): boolean =>
  !claims || claims.includes(claim) || claims.includes(`${namespace}/${claim}`);

const volumeOf = (read: Reader, { metadata }: Pod, claim: string): string | undefined =>
  read.get(PersistentVolumeClaims, { namespace: metadata.namespace ?? '', name: claim })?.spec.volumeName;

/** Models csi-provisioner's and the kubelet's words for errors of a driver. */
function messageOf(fault: VolumeEffect['fault'], volume: string): string | undefined {
  const error = 'rpc error: code = Internal desc = ';
  if (fault === 'attach')
    return `AttachVolume.Attach failed for volume "${volume}" : ${error}Could not attach volume "${volume}": timed out waiting for the condition`;
  return fault === 'mount'
    ? `MountVolume.SetUp failed for volume "${volume}" : ${error}mount failed: exit status 32`
    : undefined;
}
