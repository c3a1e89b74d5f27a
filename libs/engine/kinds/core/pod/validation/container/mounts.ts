/** Mounts and devices. Models ValidateVolumeMounts and ValidateVolumeDevices of pkg/apis/core/validation. */
import type { Container, Volume, VolumeMount } from '../../../../../api/core_v1.js';
import {
  forbiddenField,
  invalidValue,
  notFoundValue,
  notSupported,
  required,
  type FieldError,
  type Path,
} from '../../../../../machinery/meta/field.js';
import { validateLocalDescendingPath } from '../../../local-paths.js';

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None'];
const RECURSIVE = ['Disabled', 'Enabled', 'IfPossible'];

export function validateMounts(
  container: Container,
  volumes: ReadonlyMap<string, Volume>,
  path: Path,
  errors: FieldError[],
): void {
  const paths = new Set<string>();
  const devices = container.volumeDevices ?? [];
  container.volumeMounts?.forEach((mount, i) => {
    const { name = '', mountPath = '', subPath, subPathExpr, mountPropagation } = mount;
    const at = (field: string): Path => path.index(i).child(field);
    if (!name) errors.push(required(at('name')));
    if (!volumes.has(name)) errors.push(notFoundValue(at('name'), name));
    if (!mountPath) errors.push(required(at('mountPath')));
    if (paths.has(mountPath)) errors.push(invalidValue(at('mountPath'), mountPath, 'must be unique'));
    paths.add(mountPath);
    if (devices.some((d) => d.name === name))
      errors.push(invalidValue(at('name'), name, 'must not already exist in volumeDevices'));
    if (devices.some((d) => d.devicePath === mountPath))
      errors.push(invalidValue(at('mountPath'), mountPath, 'must not already exist as a path in volumeDevices'));
    // Upstream's paths lack the index of the mount here.
    if (subPath) validateLocalDescendingPath(subPath, path.child('subPath'), errors);
    if (subPathExpr) {
      if (subPath)
        errors.push(invalidValue(at('subPathExpr'), subPathExpr, 'subPathExpr and subPath are mutually exclusive'));
      validateLocalDescendingPath(subPathExpr, path.child('subPathExpr'), errors);
    }
    if (mountPropagation !== undefined)
      validatePropagation(mountPropagation, container, path.child('mountPropagation'), errors);
    validateRecursive(mount, path.child('recursiveReadOnly'), errors);
  });
}

function validatePropagation(mode: string, container: Container, path: Path, errors: FieldError[]): void {
  if (!PROPAGATIONS.includes(mode)) errors.push(notSupported(path, mode, PROPAGATIONS));
  else if (mode === 'Bidirectional' && !container.securityContext?.privileged)
    errors.push(forbiddenField(path, 'Bidirectional mount propagation is available only to privileged containers'));
}

function validateRecursive(
  { recursiveReadOnly, readOnly, mountPropagation }: VolumeMount,
  path: Path,
  errors: FieldError[],
): void {
  if (recursiveReadOnly === undefined || recursiveReadOnly === 'Disabled') return;
  if (!RECURSIVE.includes(recursiveReadOnly)) return void errors.push(notSupported(path, recursiveReadOnly, RECURSIVE));
  if (!readOnly) errors.push(forbiddenField(path, 'may only be specified when readOnly is true'));
  if (mountPropagation !== undefined && mountPropagation !== 'None')
    errors.push(forbiddenField(path, 'may only be specified when mountPropagation is None or not specified'));
}

export function validateDevices(
  container: Container,
  volumes: ReadonlyMap<string, Volume>,
  path: Path,
  errors: FieldError[],
): void {
  const [names, paths] = [new Set<string>(), new Set<string>()];
  const mounts = container.volumeMounts ?? [];
  container.volumeDevices?.forEach(({ name = '', devicePath = '' }, i) => {
    const at = (field: string): Path => path.index(i).child(field);
    const volume = volumes.get(name);
    if (!name) errors.push(required(at('name')));
    if (names.has(name)) errors.push(invalidValue(at('name'), name, 'must be unique'));
    if (volume && !volume.persistentVolumeClaim && !volume.ephemeral)
      errors.push(
        invalidValue(
          at('name'),
          name,
          'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
        ),
      );
    if (!volume) errors.push(notFoundValue(at('name'), name));
    if (!devicePath) errors.push(required(at('devicePath')));
    if (paths.has(devicePath)) errors.push(invalidValue(at('devicePath'), devicePath, 'must be unique'));
    if (devicePath.split('/').includes('..'))
      errors.push(invalidValue(at('devicePath'), devicePath, "can not contain backsteps ('..')"));
    else paths.add(devicePath);
    if (mounts.some((m) => m.name === name))
      errors.push(invalidValue(at('name'), name, 'must not already exist in volumeMounts'));
    if (mounts.some((m) => m.mountPath === devicePath))
      errors.push(invalidValue(at('devicePath'), devicePath, 'must not already exist as a path in volumeMounts'));
    if (name) names.add(name);
  });
}
