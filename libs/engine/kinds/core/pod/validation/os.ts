/**
 * Fields that only one operating system has. Models validateOS, validateLinux and validateWindows of
 * pkg/apis/core/validation.
 */
import type { PodSpec } from '../../../../api/core_v1.js';
import {
  forbiddenField,
  notSupported,
  required,
  type FieldError,
  type Path,
} from '../../../../machinery/meta/field.js';
import { visitContainersWithPath } from '../visit-containers.js';

const POD_CONTEXT = [
  'fsGroup',
  'fsGroupChangePolicy',
  'sysctls',
  'shareProcessNamespace',
  'runAsUser',
  'runAsGroup',
  'supplementalGroups',
  'supplementalGroupsPolicy',
  'seLinuxChangePolicy',
] as const;
const CONTAINER_CONTEXT = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
] as const;

export function validateOS(spec: PodSpec, path: Path, errors: FieldError[]): void {
  if (!spec.os) return;
  if (spec.os.name === 'linux') validateLinux(spec, path, errors);
  else if (spec.os.name === 'windows') validateWindows(spec, path, errors);
  else if (spec.os.name) errors.push(notSupported(path.child('os'), spec.os.name, ['linux', 'windows']));
  else errors.push(required(path.child('os', 'name')));
}

function validateLinux(spec: PodSpec, path: Path, errors: FieldError[]): void {
  const refuse = (at: Path): number =>
    errors.push(
      forbiddenField(at.child('securityContext', 'windowsOptions'), 'windows options cannot be set for a linux pod'),
    );
  if (spec.securityContext?.windowsOptions) refuse(path);
  visitContainersWithPath(spec, path, (container, at) => container.securityContext?.windowsOptions && refuse(at));
}

function validateWindows(spec: PodSpec, path: Path, errors: FieldError[]): void {
  const refuse = (at: Path): number => errors.push(forbiddenField(at, 'cannot be set for a windows pod'));
  const context = spec.securityContext;
  const at = path.child('securityContext');
  for (const field of ['appArmorProfile', 'seLinuxOptions'] as const) if (context?.[field]) refuse(at.child(field));
  if (spec.hostUsers !== undefined) refuse(path.child('hostUsers'));
  for (const field of ['hostPID', 'hostIPC'] as const) if (spec[field]) refuse(path.child(field));
  if (context?.seccompProfile) refuse(at.child('seccompProfile'));
  for (const field of POD_CONTEXT) {
    if (field === 'shareProcessNamespace') {
      if (spec.shareProcessNamespace !== undefined) refuse(path.child(field));
    } else if (context?.[field] !== undefined) refuse(at.child(field));
  }
  visitContainersWithPath(spec, path, (container, own) => {
    for (const field of CONTAINER_CONTEXT)
      if (container.securityContext?.[field] !== undefined) refuse(own.child('securityContext', field));
  });
}
