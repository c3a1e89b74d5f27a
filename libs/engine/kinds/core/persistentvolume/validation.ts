/** Models ValidatePersistentVolume of pkg/apis/core/validation. */
import type { CSIPersistentVolumeSource, PersistentVolume, PersistentVolumeSpec } from '../../../api/core_v1.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import {
  forbiddenField,
  invalidValue,
  notSupported,
  Path,
  required,
  type FieldError,
} from '../../../machinery/meta/field.js';
import { compareQuantity, isQuantity, quantityValue } from '../../../machinery/quantity/quantity.js';
import { immutable, invalidEach, isDNS1123Subdomain } from '../../../machinery/meta/validation.js';
import { diffInternalForms, toInternalForm } from '../../internal-form.js';
import { warningsForNodeSelectorTerm } from '../node-labels.js';
import { validateAccessModes } from '../persistentvolumeclaim/kind.js';
import { validateNodeSelector } from '../pod/kind.js';
import { validateOneSource, volumeSources } from '../volume-sources.js';

const path = Path.of('spec');
const POLICIES = ['Delete', 'Recycle', 'Retain'];
const VOLUME_MODES = ['Block', 'Filesystem'];
const CLASS = 'volume.beta.kubernetes.io/storage-class';
const OPTIONS = 'volume.beta.kubernetes.io/mount-options';
const MAX_ISCSI = 64;
const TOO_LONG_ISCSI =
  'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';

/** The order in which upstream validates the sources. */
const ORDER = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'flocker',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'fc',
  'flexVolume',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'scaleIO',
  'local',
  'storageos',
  'csi',
] as const;
const OLD: readonly (readonly [keyof PersistentVolumeSpec, string, string])[] = [
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];

export function validateVolume({ metadata, spec }: PersistentVolume): FieldError[] {
  const errors: FieldError[] = [];
  const { accessModes = [], persistentVolumeReclaimPolicy: policy, storageClassName, volumeMode } = spec;
  if (accessModes.length === 0) errors.push(required(path.child('accessModes')));
  errors.push(...validateAccessModes(accessModes, path.child('accessModes')), ...validateCapacity(spec));
  if (policy && !POLICIES.includes(policy))
    errors.push(notSupported(path.child('persistentVolumeReclaimPolicy'), policy, POLICIES));
  const nodes = spec.nodeAffinity;
  if (nodes?.required)
    validateNodeSelector(nodes.required.nodeSelectorTerms, path.child('nodeAffinity', 'required'), errors);
  else if (nodes)
    errors.push(required(path.child('nodeAffinity', 'required'), 'must specify required node constraints'));
  validateSource(spec, metadata.name ?? '', errors);
  if (policy === 'Recycle' && spec.hostPath?.path && isRoot(spec.hostPath.path))
    errors.push(
      forbiddenField(path.child('persistentVolumeReclaimPolicy'), "may not be 'recycle' for a hostPath mount of '/'"),
    );
  if (storageClassName)
    errors.push(...invalidEach(path.child('storageClassName'), storageClassName, isDNS1123Subdomain(storageClassName)));
  if (volumeMode !== undefined && !VOLUME_MODES.includes(volumeMode))
    errors.push(notSupported(path.child('volumeMode'), volumeMode, VOLUME_MODES));
  return [...errors, ...validateAttributesClass(spec)];
}

function validateCapacity({ capacity }: PersistentVolumeSpec): FieldError[] {
  const at = path.child('capacity');
  const amounts = Object.entries(capacity ?? {});
  const errors = amounts.length === 0 ? [required(at)] : [];
  if (capacity?.['storage'] === undefined || amounts.length > 1)
    errors.push(notSupported(at, capacity ?? null, ['storage']));
  for (const [name, amount] of amounts) {
    if (isQuantity(amount) && compareQuantity(amount, '0') < 0)
      errors.push(invalidValue(at.key(name), quantityValue(amount), 'must be a valid resource quantity'));
    if (!isQuantity(amount) || compareQuantity(amount, '0') <= 0)
      errors.push(invalidValue(at.key(name), amount, 'must be greater than zero'));
  }
  return errors;
}

function validateSource(spec: PersistentVolumeSpec, name: string, errors: FieldError[]): void {
  const check = (source: string, at: Path): void => {
    if (
      source === 'iscsi' &&
      spec.iscsi?.initiatorName !== undefined &&
      `${name}:${spec.iscsi.targetPortal}`.length > MAX_ISCSI
    )
      errors.push(invalidValue(at.child('targetportal'), spec.iscsi.targetPortal, TOO_LONG_ISCSI));
    volumeSources[source]?.(
      spec[source as keyof PersistentVolumeSpec] as unknown as Record<string, unknown>,
      at,
      errors,
    );
    if (source === 'local' && !spec.nodeAffinity)
      errors.push(required(path.child('nodeAffinity'), 'Local volume requires node affinity'));
  };
  validateOneSource(spec, ORDER, path, check, errors, 'flexVolume');
}

const isRoot = (text: string): boolean =>
  text.startsWith('/') &&
  text
    .split('/')
    .reduce<string[]>(
      (parts, part) => (part === '' || part === '.' ? parts : part === '..' ? parts.slice(0, -1) : [...parts, part]),
      [],
    ).length === 0;

function validateAttributesClass({ volumeAttributesClassName: name, csi }: PersistentVolumeSpec): FieldError[] {
  if (name === undefined) return [];
  const at = path.child('volumeAttributesClassName');
  const errors =
    name === '' ? [required(at, 'an empty string is disallowed')] : invalidEach(at, name, isDNS1123Subdomain(name));
  return csi
    ? errors
    : [...errors, required(path.child('csi'), 'has to be specified when using volumeAttributesClassName')];
}

export function validateVolumeUpdate(next: PersistentVolume, old: PersistentVolume): FieldError[] {
  const errors: FieldError[] = [];
  const [now, was] = [sourceOf(withoutNewSecret(next.spec, old.spec)), sourceOf(old.spec)];
  if (!deepEqual(toInternalForm('PersistentVolumeSource', now), toInternalForm('PersistentVolumeSource', was))) {
    errors.push(
      forbiddenField(
        path.child('persistentvolumesource'),
        `spec.persistentvolumesource is immutable after creation\n${diffInternalForms('PersistentVolumeSource', was, now)}`,
      ),
    );
  }
  errors.push(...immutable(Path.of('volumeMode'), next.spec.volumeMode, next.spec.volumeMode === old.spec.volumeMode));
  if (old.spec.nodeAffinity && !deepEqual(next.spec.nodeAffinity, old.spec.nodeAffinity)) {
    errors.push(
      invalidValue(
        Path.of('nodeAffinity'),
        toInternalForm('*VolumeNodeAffinity', next.spec.nodeAffinity),
        'field is immutable, except for updating from beta label to GA',
      ),
    );
  }
  if (old.spec.volumeAttributesClassName !== undefined && next.spec.volumeAttributesClassName === undefined) {
    errors.push(
      forbiddenField(path.child('volumeAttributesClassName'), 'update from non-nil value to nil is forbidden'),
    );
  }
  return errors;
}

const sourceOf = (spec: PersistentVolumeSpec): Record<string, unknown> =>
  Object.fromEntries(ORDER.map((name) => [name, spec[name]]));

/** The new spec without a controllerExpandSecretRef that the old one lacks: adding it later is allowed. */
function withoutNewSecret(next: PersistentVolumeSpec, old: PersistentVolumeSpec): PersistentVolumeSpec {
  if (!next.csi?.controllerExpandSecretRef || !old.csi || old.csi.controllerExpandSecretRef) return next;
  const { controllerExpandSecretRef: _, ...csi } = next.csi;
  return { ...next, csi: csi as CSIPersistentVolumeSource };
}

/** Models pkg/api/persistentvolume GetWarningsForPersistentVolume. */
export function volumeWarnings({ metadata, spec }: PersistentVolume): string[] {
  const annotations = Path.of('metadata', 'annotations');
  const warnings: string[] = [];
  if (metadata.annotations?.[CLASS] !== undefined)
    warnings.push(`${annotations.key(CLASS)}: deprecated since v1.8; use "storageClassName" attribute instead`);
  if (metadata.annotations?.[OPTIONS] !== undefined)
    warnings.push(`${annotations.key(OPTIONS)}: deprecated since v1.31; use "mountOptions" attribute instead`);
  if (spec.persistentVolumeReclaimPolicy === 'Recycle')
    warnings.push(
      `${path.child('persistentVolumeReclaimPolicy')}: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.`,
    );
  spec.nodeAffinity?.required?.nodeSelectorTerms?.forEach((term, i) =>
    warnings.push(
      ...warningsForNodeSelectorTerm(term, false, path.child('nodeAffinity', 'required', 'nodeSelectorTerms').index(i)),
    ),
  );
  for (const [field, name, message] of OLD)
    if (spec[field] !== undefined) warnings.push(`${path.child(name)}: ${message}`);
  return warnings;
}
