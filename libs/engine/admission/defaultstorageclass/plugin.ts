import type { PersistentVolumeClaim } from '../../api/core_v1.js';
import { kind as StorageClasses } from '../../kinds/storage/storageclass/kind.js';
import type { AdmissionPlugin } from '../../runtime/admission.js';
import { findDefaultClass } from '../default-class.js';

const IS_DEFAULT = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'];
const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';

/**
 * Gives a PersistentVolumeClaim without a class the default StorageClass. Models
 * plugin/pkg/admission/storage/storageclass/setdefault.
 */
export const plugin: AdmissionPlugin = {
  name: 'DefaultStorageClass',
  resources: ['persistentvolumeclaims'],
  mutate({ operation, subresource, object, client }) {
    if (operation !== 'CREATE' || subresource) return;
    const claim = object as PersistentVolumeClaim;
    if (claim.spec.storageClassName !== undefined || claim.metadata.annotations?.[CLASS_ANNOTATION] !== undefined)
      return;
    const storageClass = findDefaultClass(client.list(StorageClasses), IS_DEFAULT);
    if (storageClass) claim.spec = { ...claim.spec, storageClassName: storageClass.metadata.name };
  },
};
