import type { AdmissionPlugin } from '../../runtime/admission.js';
import { own } from '../../machinery/meta/object.js';

const FINALIZERS: Readonly<Record<string, string>> = {
  PersistentVolume: 'kubernetes.io/pv-protection',
  PersistentVolumeClaim: 'kubernetes.io/pvc-protection',
};

/**
 * Adds the finalizers that keep volumes and claims while they are in use. Models
 * plugin/pkg/admission/storage/storageobjectinuseprotection.
 */
export const plugin: AdmissionPlugin = {
  name: 'StorageObjectInUseProtection',
  resources: ['persistentvolumeclaims', 'persistentvolumes'],
  mutate({ operation, subresource, object }) {
    if (operation !== 'CREATE' || subresource || !object) return;
    const finalizer = own(FINALIZERS, object.kind);
    const { finalizers = [] } = object.metadata;
    if (finalizer && !finalizers.includes(finalizer)) object.metadata.finalizers = [...finalizers, finalizer];
  },
};
