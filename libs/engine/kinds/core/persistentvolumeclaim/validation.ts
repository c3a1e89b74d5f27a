/** Models ValidatePersistentVolumeClaim of pkg/apis/core/validation. */
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from '../../../api/core_v1.js';
import { deepEqual } from '../../../machinery/equal.js';
import { forbiddenField, invalidValue, notSupported, Path, required, type FieldError } from '../../../machinery/field.js';
import { compareQuantity, isQuantity } from '../../../machinery/quantity.js';
import { immutable, invalidEach, isDNS1123Subdomain, validateLabelSelector } from '../../../machinery/validation.js';

const spec = Path.of('spec');
const MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const VOLUME_MODES = ['Block', 'Filesystem'];
const POSITIVE = 'must be greater than zero';
const IMMUTABLE_SPEC = 'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

export const validateClaim = (claim: PersistentVolumeClaim): FieldError[] => validateClaimSpec(claim.spec, spec);

export function validateClaimSpec(claim: PersistentVolumeClaimSpec, path: Path): FieldError[] {
  const { accessModes = [], resources, volumeMode, storageClassName, dataSource, dataSourceRef } = claim;
  const errors = accessModes.length ? [] : [required(path.child('accessModes'), 'at least 1 access mode is required')];
  errors.push(...validateLabelSelector(claim.selector, path.child('selector')), ...validateAccessModes(accessModes, path.child('accessModes')));
  const storage = resources?.requests?.['storage'];
  if (storage === undefined) errors.push(required(path.child('resources').key('storage')));
  else if (!isQuantity(storage) || compareQuantity(storage, '0') <= 0) errors.push(invalidValue(path.child('resources').key('storage'), storage, POSITIVE));
  if (storageClassName) errors.push(...invalidEach(path.child('storageClassName'), storageClassName, isDNS1123Subdomain(storageClassName)));
  if (volumeMode !== undefined && !VOLUME_MODES.includes(volumeMode)) errors.push(notSupported(path.child('volumeMode'), volumeMode, VOLUME_MODES));
  for (const [field, source] of [['dataSource', dataSource], ['dataSourceRef', dataSourceRef]] as const) {
    if (!source) continue;
    if (!source.name) errors.push(required(path.child(field, 'name')));
    if (!source.kind) errors.push(required(path.child(field, 'kind')));
    if (!source.apiGroup && source.kind !== 'PersistentVolumeClaim') errors.push(invalidValue(path.child(field), source.kind, 'must be \'PersistentVolumeClaim\' when referencing the default apiGroup'));
  }
  return errors;
}

export function validateAccessModes(modes: readonly string[], path: Path): FieldError[] {
  const errors = modes.flatMap((mode) => (MODES.includes(mode) ? [] : [notSupported(path, mode, MODES)]));
  if (modes.includes('ReadWriteOncePod') && modes.length > 1) errors.push(forbiddenField(path, 'may not use ReadWriteOncePod with other access modes'));
  return errors;
}

export function validateClaimUpdate(next: PersistentVolumeClaim, old: PersistentVolumeClaim): FieldError[] {
  const errors: FieldError[] = [];
  const [a, b] = [next.spec, old.spec];
  const munged: PersistentVolumeClaimSpec = { ...a, volumeName: b.volumeName ? a.volumeName : undefined, storageClassName: b.storageClassName === undefined ? undefined : a.storageClassName };
  if (old.status.phase === 'Bound') {
    const storage = b.resources?.requests?.['storage'];
    munged.resources = { ...a.resources, requests: { ...a.resources?.requests, ...(storage === undefined ? {} : { storage }) } };
    munged.volumeAttributesClassName = b.volumeAttributesClassName;
  }
  if (!deepEqual(munged, { ...b, volumeName: b.volumeName || undefined })) errors.push(forbiddenField(spec, IMMUTABLE_SPEC));
  const [size, was] = [a.resources?.requests?.['storage'], b.resources?.requests?.['storage']];
  if (size !== undefined && was !== undefined && compareQuantity(size, was) < 0) {
    const capacity = old.status.capacity?.['storage'] ?? '0';
    if (compareQuantity(size, capacity) <= 0) errors.push(forbiddenField(spec.child('resources', 'requests', 'storage'), 'field can not be less than status.capacity'));
  }
  return [...errors, ...immutable(Path.of('volumeMode'), a.volumeMode, a.volumeMode === b.volumeMode)];
}
