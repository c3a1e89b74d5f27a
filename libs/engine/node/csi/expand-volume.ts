import type { PersistentVolumeClaim, Pod } from '../../api/core_v1.js';
import { claimNamesOf } from '../../kinds/core/pod/claims.js';
import { resizedStatus } from '../../kinds/core/persistentvolumeclaim/resize.js';
import { PersistentVolumeClaims, PersistentVolumes, Pods } from '../../kinds/index.js';
import { keyOf } from '../../machinery/meta/object.js';
import { defineController, NO_KEYS, watch } from '../../runtime/controller.js';

const isPending = ({ status }: PersistentVolumeClaim): boolean =>
  status.conditions?.some(({ type }) => type === 'FileSystemResizePending') ?? false;

/**
 * Grows the file system of a volume that a running pod mounts, once the volume itself has grown. Models the kubelet's
 * NodeExpandVolume (pkg/volume/util/operationexecutor).
 */
export const expandVolume = defineController<PersistentVolumeClaim>({
  name: 'expand-volume',
  component: 'kubelet',
  actor: 'system:terrarium',
  for: PersistentVolumeClaims,
  watches: [
    watch<Pod>({
      kind: Pods,
      keys: (pod) =>
        pod.status.phase === 'Running' ? claimNamesOf(pod).map((name) => ({ ...keyOf(pod), name })) : NO_KEYS,
    }),
  ],
  reconcile(context, key) {
    const { client } = context;
    const claim = client.get(PersistentVolumeClaims, key);
    if (!claim?.spec.volumeName || !isPending(claim)) return;
    const volume = client.get(PersistentVolumes, { namespace: '', name: claim.spec.volumeName });
    const size = volume?.spec.capacity?.['storage'];
    const pod = client
      .list(Pods, key.namespace)
      .find((each) => each.status.phase === 'Running' && claimNamesOf(each).includes(key.name));
    if (!pod || size === undefined) return;
    const host = pod.spec.nodeName ?? '';
    const message = `MountVolume.NodeExpandVolume succeeded for volume "${claim.spec.volumeName}" ${host}`;
    const source = { component: 'kubelet', host };
    for (const object of [pod, claim])
      context.event(object, 'Normal', 'FileSystemResizeSuccessful', message, { source });
    client.updateStatus(PersistentVolumeClaims, { ...claim, status: resizedStatus(claim.status, size) });
  },
});
