/** Models ValidatePersistentVolumeClaim of pkg/apis/core/validation. */
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec, TypedObjectReference } from '../../../api/core_v1.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import {
  forbiddenField,
  invalidValue,
  notSupported,
  Path,
  required,
  type FieldError,
} from '../../../machinery/meta/field.js';
import { compareQuantity, isQuantity, milliValue, quantityValue } from '../../../machinery/quantity/quantity.js';
import {
  immutable,
  invalidEach,
  isDNS1123Label,
  isDNS1123Subdomain,
  isQualifiedName,
  validateLabelSelector,
} from '../../../machinery/meta/validation.js';
import { diffInternalForms, toInternalForm } from '../../internal-form.js';
import { isNativeResource, validateResourceQuantityValue } from '../resource-names.js';

const spec = Path.of('spec');
const status = Path.of('status');
const MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const VOLUME_MODES = ['Block', 'Filesystem'];
const POSITIVE = 'must be greater than zero';
const IMMUTABLE_SPEC =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
const CLASS = 'volume.beta.kubernetes.io/storage-class';
const RESIZES = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
].sort();

export const validateClaim = (claim: PersistentVolumeClaim): FieldError[] => validateClaimSpec(claim.spec, spec);

export function validateClaimSpec(claim: PersistentVolumeClaimSpec, path: Path): FieldError[] {
  const { accessModes = [], resources, volumeMode, storageClassName, volumeAttributesClassName } = claim;
  const errors = accessModes.length ? [] : [required(path.child('accessModes'), 'at least 1 access mode is required')];
  errors.push(
    ...validateLabelSelector(claim.selector, path.child('selector')),
    ...validateAccessModes(accessModes, path.child('accessModes')),
  );
  const storage = resources?.requests?.['storage'];
  const at = path.child('resources').key('storage');
  if (storage === undefined) errors.push(required(at));
  else if (!isQuantity(storage) || compareQuantity(storage, '0') <= 0) errors.push(invalidValue(at, storage, POSITIVE));
  if (storageClassName)
    errors.push(...invalidEach(path.child('storageClassName'), storageClassName, isDNS1123Subdomain(storageClassName)));
  if (volumeMode !== undefined && !VOLUME_MODES.includes(volumeMode))
    errors.push(notSupported(path.child('volumeMode'), volumeMode, VOLUME_MODES));
  errors.push(...validateDataSources(claim, path));
  if (volumeAttributesClassName)
    errors.push(
      ...invalidEach(
        path.child('volumeAttributesClassName'),
        volumeAttributesClassName,
        isDNS1123Subdomain(volumeAttributesClassName),
      ),
    );
  return errors;
}

function validateDataSources({ dataSource, dataSourceRef }: PersistentVolumeClaimSpec, path: Path): FieldError[] {
  const errors = [
    ...validateDataSource(dataSource, path.child('dataSource')),
    ...validateDataSource(dataSourceRef, path.child('dataSourceRef')),
  ];
  if (!dataSource || !dataSourceRef) return errors;
  // Upstream prints the path itself as the value: an empty struct.
  if (dataSourceRef.namespace)
    return [...errors, invalidValue(path, {}, 'may not be specified when dataSourceRef.namespace is specified')];
  const same = (['apiGroup', 'kind', 'name'] as const).every(
    (field) => (dataSource[field] ?? undefined) === (dataSourceRef[field] ?? undefined),
  );
  return same ? errors : [...errors, invalidValue(path, {}, 'must match dataSourceRef')];
}

function validateDataSource(source: TypedObjectReference | undefined, path: Path): FieldError[] {
  if (!source) return [];
  const { name, kind = '', apiGroup, namespace } = source;
  const errors = name ? [] : [required(path.child('name'))];
  if (!kind) errors.push(required(path.child('kind')));
  if (!apiGroup && kind !== 'PersistentVolumeClaim')
    errors.push(invalidValue(path, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup"));
  if (apiGroup) errors.push(...invalidEach(path.child('apiGroup'), apiGroup, isDNS1123Subdomain(apiGroup)));
  if (namespace) errors.push(...invalidEach(path.child('namespace'), namespace, isDNS1123Label(namespace)));
  return errors;
}

export function validateAccessModes(modes: readonly string[], path: Path): FieldError[] {
  const errors = modes.flatMap((mode) => (MODES.includes(mode) ? [] : [notSupported(path, mode, MODES)]));
  const others = modes.some((mode) => mode !== 'ReadWriteOncePod' && MODES.includes(mode));
  if (modes.includes('ReadWriteOncePod') && others)
    errors.push(forbiddenField(path, 'may not use ReadWriteOncePod with other access modes'));
  return errors;
}

export function validateClaimUpdate(next: PersistentVolumeClaim, old: PersistentVolumeClaim): FieldError[] {
  const errors: FieldError[] = [];
  const [a, b] = [next.spec, old.spec];
  const [oldClass, newClass] = [old.metadata.annotations?.[CLASS], next.metadata.annotations?.[CLASS]];
  const munged: PersistentVolumeClaimSpec = { ...a };
  const was: PersistentVolumeClaimSpec = b.volumeName ? b : { ...b, volumeName: a.volumeName };
  const upgraded = b.storageClassName === undefined && a.storageClassName !== undefined;
  const fromAnnotation =
    upgraded && oldClass === a.storageClassName && (newClass === undefined || newClass === oldClass);
  if (!fromAnnotation && (newClass ?? '') !== (oldClass ?? ''))
    errors.push(...immutable(Path.of('metadata', 'annotations', CLASS), newClass ?? '', false));
  if (upgraded && (oldClass === undefined || oldClass === a.storageClassName)) munged.storageClassName = undefined;
  if (old.status.phase === 'Bound') {
    if (a.resources?.requests)
      munged.resources = {
        ...a.resources,
        requests: { ...a.resources.requests, storage: b.resources?.requests?.['storage'] ?? '0' },
      };
    munged.volumeAttributesClassName = b.volumeAttributesClassName;
  }
  if (
    !deepEqual(toInternalForm('PersistentVolumeClaimSpec', munged), toInternalForm('PersistentVolumeClaimSpec', was))
  ) {
    errors.push(
      forbiddenField(spec, `${IMMUTABLE_SPEC}\n${diffInternalForms('PersistentVolumeClaimSpec', was, munged)}`),
    );
  }
  const [size, before] = [sizeOf(a), sizeOf(b)];
  if (compareQuantity(size, before) < 0 && compareQuantity(size, old.status.capacity?.['storage'] ?? '0') <= 0) {
    errors.push(
      forbiddenField(spec.child('resources', 'requests', 'storage'), 'field can not be less than status.capacity'),
    );
  }
  return [
    ...errors,
    ...immutable(Path.of('volumeMode'), a.volumeMode, a.volumeMode === b.volumeMode),
    ...validateAttributesUpdate(a.volumeAttributesClassName, old),
  ];
}

function sizeOf({ resources }: PersistentVolumeClaimSpec): string {
  const size = resources?.requests?.['storage'];
  return size !== undefined && isQuantity(size) ? size : '0';
}

/** A VolumeAttributesClass that is in effect cannot be removed. */
function validateAttributesUpdate(name: string | undefined, old: PersistentVolumeClaim): FieldError[] {
  if (name === old.spec.volumeAttributesClassName || name || old.status.currentVolumeAttributesClassName === undefined)
    return [];
  return [
    forbiddenField(
      spec.child('volumeAttributesClassName'),
      `update to ${name === undefined ? 'nil' : 'empty string'} is forbidden when status.currentVolumeAttributesClassName is not nil`,
    ),
  ];
}

/** Models ValidatePersistentVolumeClaimStatusUpdate. */
export function validateClaimStatusUpdate({ status: next }: PersistentVolumeClaim): FieldError[] {
  const errors: FieldError[] = [];
  for (const [name, amount] of Object.entries(next.capacity ?? {}))
    errors.push(...validateBasic(amount, status.child('capacity').key(name)));
  const states = status.child('allocatedResourceStatuses');
  for (const [name, state] of Object.entries(next.allocatedResourceStatuses ?? {})) {
    errors.push(...validateResourceKey(name, states));
    if (!RESIZES.includes(state)) errors.push(notSupported(states, name, RESIZES));
  }
  const amounts = status.child('allocatedResources');
  for (const [name, amount] of Object.entries(next.allocatedResources ?? {})) {
    const wrong = validateResourceKey(name, amounts);
    const basic = wrong.length ? wrong : validateBasic(amount, amounts.key(name));
    errors.push(...(basic.length ? basic : validateResourceQuantityValue('storage', amount, amounts.key(name))));
  }
  return errors;
}

const validateBasic = (amount: string, path: Path): FieldError[] =>
  isQuantity(amount) && compareQuantity(amount, '0') < 0
    ? [invalidValue(path, quantityValue(amount), 'must be a valid resource quantity')]
    : [];

function validateResourceKey(name: string, path: Path): FieldError[] {
  const messages = isQualifiedName(name);
  if (messages.length > 0) return invalidEach(path, name, messages);
  return isNativeResource(name) && name !== 'storage' ? [notSupported(path, name, ['storage'])] : [];
}

/** Models pkg/api/persistentvolumeclaim GetWarningsForPersistentVolumeClaim. */
export function claimWarnings({ metadata, spec: claim }: PersistentVolumeClaim): string[] {
  const old =
    metadata.annotations?.[CLASS] === undefined
      ? []
      : [
          `${Path.of('metadata', 'annotations').key(CLASS)}: deprecated since v1.8; use "storageClassName" attribute instead`,
        ];
  return [...old, ...claimSpecWarnings(claim, spec)];
}

export function claimSpecWarnings(claim: PersistentVolumeClaimSpec, path: Path): string[] {
  return (['requests', 'limits'] as const).flatMap((field) => {
    const amount = claim.resources?.[field]?.['storage'];
    if (amount === undefined || !isQuantity(amount) || milliValue(amount) % 1000 === 0) return [];
    return [
      `${path.child('resources', field).key('storage')}: fractional byte value ${JSON.stringify(amount)} is invalid, must be an integer`,
    ];
  });
}
