/** Models ValidatePersistentVolume of pkg/apis/core/validation. */
import type { PersistentVolume, PersistentVolumeSpec } from '../../../api/core_v1.js';
import { deepEqual } from '../../../machinery/equal.js';
import { forbiddenField, invalidValue, notSupported, Path, required, type FieldError } from '../../../machinery/field.js';
import { compareQuantity, isQuantity } from '../../../machinery/quantity.js';
import { immutable, invalidEach, isDNS1123Subdomain } from '../../../machinery/validation.js';
import { validateAccessModes } from '../persistentvolumeclaim/kind.js';
import { validateNodeSelector } from '../pod/kind.js';

const path = Path.of('spec');
const POLICIES = ['Delete', 'Recycle', 'Retain'];
const VOLUME_MODES = ['Block', 'Filesystem'];
const SOURCES = [
  'awsElasticBlockStore', 'azureDisk', 'azureFile', 'cephfs', 'cinder', 'csi', 'fc', 'flexVolume', 'flocker', 'gcePersistentDisk', 'glusterfs', 'hostPath', 'iscsi', 'local',
  'nfs', 'photonPersistentDisk', 'portworxVolume', 'quobyte', 'rbd', 'scaleIO', 'storageos', 'vsphereVolume',
] as const;

export function validateVolume({ spec }: PersistentVolume): FieldError[] {
  const errors: FieldError[] = [];
  const { accessModes = [], capacity = {}, persistentVolumeReclaimPolicy: policy } = spec;
  if (accessModes.length === 0) errors.push(required(path.child('accessModes')));
  errors.push(...validateAccessModes(accessModes, path.child('accessModes')));
  const storage = capacity['storage'];
  if (Object.keys(capacity).length === 0) errors.push(required(path.child('capacity')));
  if (storage === undefined || Object.keys(capacity).length > 1) errors.push(notSupported(path.child('capacity'), capacity, ['storage']));
  for (const [name, amount] of Object.entries(capacity)) {
    if (!isQuantity(amount) || compareQuantity(amount, '0') <= 0) errors.push(invalidValue(path.child('capacity').key(name), amount, 'must be greater than zero'));
  }
  if (policy && !POLICIES.includes(policy)) errors.push(notSupported(path.child('persistentVolumeReclaimPolicy'), policy, POLICIES));
  if (spec.nodeAffinity?.required) validateNodeSelector(spec.nodeAffinity.required.nodeSelectorTerms, path.child('nodeAffinity', 'required'), errors);
  errors.push(...validateSource(spec));
  if (spec.storageClassName) errors.push(...invalidEach(path.child('storageClassName'), spec.storageClassName, isDNS1123Subdomain(spec.storageClassName)));
  if (spec.volumeMode !== undefined && !VOLUME_MODES.includes(spec.volumeMode)) errors.push(notSupported(path.child('volumeMode'), spec.volumeMode, VOLUME_MODES));
  return errors;
}

function validateSource(spec: PersistentVolumeSpec): FieldError[] {
  const [first, ...more] = SOURCES.filter((source) => spec[source] !== undefined);
  if (!first) return [required(path, 'must specify a volume type')];
  const errors = more.map((source) => forbiddenField(path.child(source), 'may not specify more than 1 volume type'));
  if (spec.hostPath) {
    if (!spec.hostPath.path) errors.push(required(path.child('hostPath', 'path')));
    else if (spec.hostPath.path.split('/').includes('..')) errors.push(invalidValue(path.child('hostPath', 'path'), spec.hostPath.path, "must not contain '..'"));
    if (spec.hostPath.path === '/' && spec.persistentVolumeReclaimPolicy === 'Recycle') errors.push(forbiddenField(path.child('persistentVolumeReclaimPolicy'), "may not be 'recycle' for a hostPath mount of '/'"));
  }
  if (spec.nfs) {
    if (!spec.nfs.server) errors.push(required(path.child('nfs', 'server')));
    if (!spec.nfs.path) errors.push(required(path.child('nfs', 'path')));
    else if (!spec.nfs.path.startsWith('/')) errors.push(invalidValue(path.child('nfs', 'path'), spec.nfs.path, 'must be an absolute path'));
  }
  if (spec.local) {
    if (!spec.local.path) errors.push(required(path.child('local', 'path')));
    if (!spec.nodeAffinity) errors.push(required(path.child('nodeAffinity'), 'Local volume requires node affinity'));
  }
  if (spec.csi) {
    if (!spec.csi.driver) errors.push(required(path.child('csi', 'driver')));
    if (!spec.csi.volumeHandle) errors.push(required(path.child('csi', 'volumeHandle')));
  }
  return errors;
}

export function validateVolumeUpdate(next: PersistentVolume, old: PersistentVolume): FieldError[] {
  const source = (spec: PersistentVolumeSpec): unknown => Object.fromEntries(SOURCES.map((name) => [name, spec[name]]));
  const errors = deepEqual(source(next.spec), source(old.spec)) ? [] : [forbiddenField(path.child('persistentvolumesource'), 'spec.persistentvolumesource is immutable after creation')];
  errors.push(...immutable(path.child('volumeMode'), next.spec.volumeMode, next.spec.volumeMode === old.spec.volumeMode));
  if (old.spec.nodeAffinity) errors.push(...immutable(path.child('nodeAffinity'), next.spec.nodeAffinity, deepEqual(next.spec.nodeAffinity, old.spec.nodeAffinity)));
  return errors;
}
