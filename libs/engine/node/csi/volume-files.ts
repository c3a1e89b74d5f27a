import type { PersistentVolume } from '../../api/core_v1.js';
import { FileChanges, PersistentVolumes } from '../../kinds/index.js';
import { defineController } from '../../runtime/controller.js';
import { ownerOfVolume, treeOfVolume } from '../kubelet/volumemanager/volumes.js';

/**
 * Deletes the files of PersistentVolumes that are gone, as a driver's DeleteVolume does: those of an earlier volume of
 * the same name too.
 */
export const volumeFiles = defineController<PersistentVolume>({
  name: 'volume-files',
  component: 'kubelet',
  actor: 'system:terrarium',
  for: PersistentVolumes,
  reconcile({ client }, key) {
    const volume = client.get(PersistentVolumes, key);
    const tree = volume && treeOfVolume(volume);
    for (const change of client.byIndex(FileChanges, 'owner', ownerOfVolume(key.name)))
      if (change.tree !== tree) client.delete(FileChanges, { namespace: '', name: change.metadata.name ?? '' });
  },
});
