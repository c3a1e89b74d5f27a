/** Security contexts. Models ValidateSecurityContext and validatePodSpecSecurityContext of pkg/apis/core/validation. */
import type {
  AppArmorProfile,
  PodSecurityContext,
  PodSpec,
  SeccompProfile,
  SecurityContext,
} from '../../../../../api/core_v1.js';
import {
  duplicate,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  tooLong,
  type FieldError,
  type Path,
} from '../../../../../machinery/meta/field.js';
import { between } from '../../../../../machinery/meta/validation.js';
import { validateOptionalEnum } from '../../../../field-validation.js';
import { toInternalForm } from '../../../../internal-form.js';
import { validateLocalDescendingPath } from '../../../local-paths.js';
import { visitContainersWithPath } from '../../visit-containers.js';
import { validateWindowsSecurityContextOptions } from '../windows-options.js';

const MAX_ID = 2147483647;
const MAX_PROFILE_PATH = 4095;
const MAX_SYSCTL = 253;
const PROFILES = ['Localhost', 'RuntimeDefault', 'Unconfined'];
const PROC_MOUNTS = ['Default', 'Unmasked'];
const FS_GROUP_POLICIES = ['Always', 'OnRootMismatch'];
const GROUPS_POLICIES = ['Merge', 'Strict'];
const SELINUX_POLICIES = ['Recursive'];
const SYSCTL_FORMAT = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';
const SYSCTL = new RegExp(SYSCTL_FORMAT);

export function validateContainerSecurity(
  context: SecurityContext,
  hostUsers: boolean,
  path: Path,
  errors: FieldError[],
): void {
  const { procMount, allowPrivilegeEscalation, privileged, capabilities } = context;
  validateId(context.runAsUser, path.child('runAsUser'), errors);
  validateId(context.runAsGroup, path.child('runAsGroup'), errors);
  if (procMount !== undefined && !PROC_MOUNTS.includes(procMount))
    errors.push(notSupported(path.child('procMount'), procMount, PROC_MOUNTS));
  if (hostUsers && procMount === 'Unmasked')
    errors.push(invalidValue(path.child('procMount'), procMount, '`hostUsers` must be false to use `Unmasked`'));
  validateSeccomp(context.seccompProfile, path.child('seccompProfile'), errors);
  if (allowPrivilegeEscalation === false) {
    const refuse = (why: string): number =>
      errors.push(
        invalidValue(
          path,
          toInternalForm('SecurityContext', context),
          `cannot set \`allowPrivilegeEscalation\` to false and ${why}`,
        ),
      );
    if (privileged) refuse('`privileged` to true');
    for (const capability of capabilities?.add ?? [])
      if (capability === 'CAP_SYS_ADMIN') refuse('`capabilities.Add` CAP_SYS_ADMIN');
  }
  validateWindowsSecurityContextOptions(context.windowsOptions, path.child('windowsOptions'), errors);
  validateAppArmor(context.appArmorProfile, path.child('appArmorProfile'), errors);
}

function validateId(id: number | undefined, path: Path, errors: FieldError[]): void {
  if (id !== undefined && (id < 0 || id > MAX_ID)) errors.push(invalidValue(path, id, between(0, MAX_ID)));
}

function validateSeccomp(profile: SeccompProfile | undefined, path: Path, errors: FieldError[]): void {
  if (!profile) return;
  const { type = '', localhostProfile } = profile;
  const at = path.child('localhostProfile');
  if (!type) errors.push(required(path.child('type'), 'type is required when seccompProfile is set'));
  else if (!PROFILES.includes(type)) errors.push(notSupported(path.child('type'), type, PROFILES));
  if (type !== 'Localhost') {
    if (localhostProfile !== undefined)
      errors.push(
        invalidValue(at, toInternalForm('SeccompProfile', profile), 'can only be set when seccomp type is Localhost'),
      );
  } else if (localhostProfile === undefined) errors.push(required(at, 'must be set when seccomp type is Localhost'));
  else validateLocalDescendingPath(localhostProfile, at, errors);
}

function validateAppArmor(profile: AppArmorProfile | undefined, path: Path, errors: FieldError[]): void {
  if (!profile) return;
  const { type = '', localhostProfile } = profile;
  const at = path.child('localhostProfile');
  if (!type) errors.push(required(path.child('type'), 'type is required when appArmorProfile is set'));
  else if (!PROFILES.includes(type)) errors.push(notSupported(path.child('type'), type, PROFILES));
  else if (type !== 'Localhost') {
    if (localhostProfile !== undefined)
      errors.push(invalidValue(at, localhostProfile, 'can only be set when AppArmor type is Localhost'));
  } else if (!localhostProfile) errors.push(required(at, 'must be set when AppArmor type is Localhost'));
  else {
    if (localhostProfile.trim() !== localhostProfile)
      errors.push(invalidValue(at, localhostProfile, 'must not be padded with whitespace'));
    if (localhostProfile.length > MAX_PROFILE_PATH) errors.push(tooLong(at, MAX_PROFILE_PATH));
  }
}

export function validatePodSecurity(spec: PodSpec, path: Path, errors: FieldError[]): void {
  const context = spec.securityContext;
  const at = path.child('securityContext');
  if (context)
    for (const field of ['fsGroup', 'runAsUser', 'runAsGroup'] as const)
      validateId(context[field], at.child(field), errors);
  context?.supplementalGroups?.forEach((group, i) =>
    validateId(group, at.child('supplementalGroups').index(i), errors),
  );
  if (spec.shareProcessNamespace && spec.hostPID)
    errors.push(
      invalidValue(at.child('shareProcessNamespace'), true, 'ShareProcessNamespace and HostPID cannot both be enabled'),
    );
  if (!context) return;
  validateSysctls(spec, context, at.child('sysctls'), errors);
  errors.push(...validateOptionalEnum(at.child('fsGroupChangePolicy'), context.fsGroupChangePolicy, FS_GROUP_POLICIES));
  validateSeccomp(context.seccompProfile, at.child('seccompProfile'), errors);
  validateWindowsSecurityContextOptions(context.windowsOptions, at.child('windowsOptions'), errors);
  validateAppArmor(context.appArmorProfile, at.child('appArmorProfile'), errors);
  errors.push(
    ...validateOptionalEnum(at.child('supplementalGroupsPolicy'), context.supplementalGroupsPolicy, GROUPS_POLICIES),
  );
  errors.push(...validateOptionalEnum(at.child('seLinuxChangePolicy'), context.seLinuxChangePolicy, SELINUX_POLICIES));
}

function validateSysctls(spec: PodSpec, context: PodSecurityContext, path: Path, errors: FieldError[]): void {
  const names = new Set<string>();
  context.sysctls?.forEach(({ name = '' }, i) => {
    const at = path.index(i).child('name');
    if (!name) errors.push(required(at));
    else if (name.length > MAX_SYSCTL || !SYSCTL.test(name))
      errors.push(
        invalidValue(at, name, `must have at most ${MAX_SYSCTL} characters and match regex ${SYSCTL_FORMAT}`),
      );
    else if (names.has(name)) errors.push(duplicate(at, name));
    names.add(name);
    const dotted = name.replaceAll('/', '.');
    if (spec.hostNetwork && dotted.startsWith('net.'))
      errors.push(invalidValue(at, name, "may not be specified when 'hostNetwork' is true"));
    else if (spec.hostIPC && /^(kernel\.(shm|msg|sem)|fs\.mqueue\.)/.test(dotted))
      errors.push(invalidValue(at, name, "may not be specified when 'hostIPC' is true"));
  });
}

/** A pod with its own user namespace cannot use the host's other namespaces. */
export function validateHostUsers(spec: PodSpec, path: Path, errors: FieldError[]): void {
  if (spec.hostUsers !== false) return;
  const refuse = (at: Path): number => errors.push(forbiddenField(at, 'when `hostUsers` is false'));
  if (spec.hostNetwork) refuse(path.child('hostNetwork'));
  if (spec.hostPID) refuse(path.child('HostPID'));
  if (spec.hostIPC) refuse(path.child('HostIPC'));
  visitContainersWithPath(
    spec,
    path,
    (container, at) => container.volumeDevices?.length && refuse(at.child('volumeDevices')),
  );
}
