import type { Pod } from '../../api/core_v1.js';
import { claimNamesOf } from '../../kinds/core/pod/claims.js';
import { PersistentVolumeClaims, Pods } from '../../kinds/index.js';
import { removeFinalizer } from '../../machinery/meta/finalizers.js';
import { keyOf } from '../../machinery/meta/object.js';
import { defineController, NO_KEYS, watch } from '../../runtime/controller.js';

const FINALIZER = 'kubernetes.io/pvc-protection';

/** A deleted claim goes once no pod on a node mounts it. Models pkg/controller/volume/pvcprotection. */
export const controller = defineController({
  name: 'pvcprotection',
  actor: 'system:serviceaccount:kube-system:pvc-protection-controller',
  for: PersistentVolumeClaims,
  watches: [
    watch<Pod>({
      kind: Pods,
      keys(pod, reader) {
        const key = keyOf(pod);
        return reader.get(Pods, key) ? NO_KEYS : claimNamesOf(pod).map((name) => ({ ...key, name }));
      },
    }),
  ],
  reconcile({ client }, key) {
    const claim = client.get(PersistentVolumeClaims, key);
    if (!claim?.metadata.deletionTimestamp || !claim.metadata.finalizers?.includes(FINALIZER)) return;
    if (client.list(Pods, key.namespace).some((pod) => pod.spec.nodeName && claimNamesOf(pod).includes(key.name)))
      return;
    client.update(PersistentVolumeClaims, removeFinalizer(claim, FINALIZER));
  },
});
