import { PersistentVolumes } from '../../kinds/index.js';
import { removeFinalizer } from '../../machinery/meta/finalizers.js';
import { defineController } from '../../runtime/controller.js';

const FINALIZER = 'kubernetes.io/pv-protection';

/** A deleted volume goes once no claim is bound to it. Models pkg/controller/volume/pvprotection. */
export const controller = defineController({
  name: 'pvprotection',
  actor: 'system:serviceaccount:kube-system:pv-protection-controller',
  for: PersistentVolumes,
  reconcile({ client }, key) {
    const volume = client.get(PersistentVolumes, key);
    if (
      !volume?.metadata.deletionTimestamp ||
      !volume.metadata.finalizers?.includes(FINALIZER) ||
      volume.status.phase === 'Bound'
    )
      return;
    client.update(PersistentVolumes, removeFinalizer(volume, FINALIZER));
  },
});
