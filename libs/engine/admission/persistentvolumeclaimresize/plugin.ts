import type { PersistentVolumeClaim } from '../../api/core_v1.js';
import type { StorageClass } from '../../api/storage_v1.js';
import { kind as StorageClasses } from '../../kinds/storage/storageclass/kind.js';
import { compareQuantity } from '../../machinery/quantity/quantity.js';
import type { AdmissionPlugin, AdmissionRequest } from '../../runtime/admission.js';
import { refuseNamed } from '../refuse.js';

const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';

/**
 * Lets a claim grow only when it is bound and its StorageClass allows it. Models
 * plugin/pkg/admission/storage/persistentvolume/resize.
 */
export const plugin: AdmissionPlugin = {
  name: 'PersistentVolumeClaimResize',
  resources: ['persistentvolumeclaims'],
  validate(request) {
    const { operation, subresource } = request;
    if (operation !== 'UPDATE' || subresource) return;
    const [claim, old] = [request.object as PersistentVolumeClaim, request.old as PersistentVolumeClaim];
    if (compareQuantity(sizeOf(claim), sizeOf(old)) <= 0) return;
    if (old.status.phase !== 'Bound') throw refuseNamed(request, 'Only bound persistent volume claims can be expanded');
    if (!allowsResize(request, claim, old))
      throw refuseNamed(
        request,
        'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
      );
  },
};

const sizeOf = ({ spec }: PersistentVolumeClaim): string => spec.resources?.requests?.['storage'] ?? '0';

function allowsResize({ client }: AdmissionRequest, claim: PersistentVolumeClaim, old: PersistentVolumeClaim): boolean {
  const name = classOf(claim);
  if (name === '' || name !== classOf(old)) return false;
  const storageClass = client.get(StorageClasses, { namespace: '', name }) as StorageClass | undefined;
  return storageClass?.allowVolumeExpansion ?? false;
}

/** Models pkg/apis/core/helper GetPersistentVolumeClaimClass. */
const classOf = ({ metadata, spec }: PersistentVolumeClaim): string =>
  metadata.annotations?.[CLASS_ANNOTATION] ?? spec.storageClassName ?? '';
