/** Security contexts. Models ValidateSecurityContext and validatePodSpecSecurityContext of pkg/apis/core/validation. */
import type { PodSpec, SeccompProfile, SecurityContext, AppArmorProfile } from '../../../api/core_v1.js';
import { invalidValue, notSupported, required, type FieldError, type Path } from '../../../machinery/field.js';
import { between } from '../../../machinery/validation.js';

const MAX_ID = 2147483647;
const PROFILES = ['Localhost', 'RuntimeDefault', 'Unconfined'];
const PROC_MOUNTS = ['Default', 'Unmasked'];
const SYSCTL = /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*([a-z0-9]([-_a-z0-9]*[a-z0-9])?)$/;

export function validateContainerSecurity(context: SecurityContext, path: Path, errors: FieldError[]): void {
  validateId(context.runAsUser, path.child('runAsUser'), errors);
  validateId(context.runAsGroup, path.child('runAsGroup'), errors);
  validateProfile(context.seccompProfile, path.child('seccompProfile'), errors);
  validateProfile(context.appArmorProfile, path.child('appArmorProfile'), errors);
  if (context.procMount !== undefined && !PROC_MOUNTS.includes(context.procMount)) errors.push(notSupported(path.child('procMount'), context.procMount, PROC_MOUNTS));
  if (context.allowPrivilegeEscalation !== false) return;
  if (context.privileged) errors.push(invalidValue(path, context, 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true'));
  if (context.capabilities?.add?.includes('SYS_ADMIN') || context.capabilities?.add?.includes('CAP_SYS_ADMIN')) {
    errors.push(invalidValue(path, context, 'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN'));
  }
}

function validateId(id: number | undefined, path: Path, errors: FieldError[]): void {
  if (id !== undefined && (id < 0 || id > MAX_ID)) errors.push(invalidValue(path, id, between(0, MAX_ID)));
}

function validateProfile(profile: SeccompProfile | AppArmorProfile | undefined, path: Path, errors: FieldError[]): void {
  if (!profile) return;
  if (!profile.type) errors.push(required(path.child('type'), 'type is required when seccompProfile is set'));
  else if (!PROFILES.includes(profile.type)) errors.push(notSupported(path.child('type'), profile.type, PROFILES));
  if (profile.type === 'Localhost' && !profile.localhostProfile) errors.push(required(path.child('localhostProfile'), 'must be set when profile type is Localhost'));
  if (profile.type !== 'Localhost' && profile.localhostProfile !== undefined) {
    errors.push(invalidValue(path.child('localhostProfile'), profile.localhostProfile, 'can only be set when seccomp profile type is Localhost'));
  }
}

export function validatePodSecurity(spec: PodSpec, path: Path, errors: FieldError[]): void {
  const context = spec.securityContext;
  if (!context) return;
  const at = path.child('securityContext');
  for (const field of ['fsGroup', 'runAsUser', 'runAsGroup'] as const) validateId(context[field], at.child(field), errors);
  context.supplementalGroups?.forEach((group, i) => validateId(group, at.child('supplementalGroups').index(i), errors));
  if (spec.shareProcessNamespace && spec.hostPID) errors.push(invalidValue(path.child('shareProcessNamespace'), true, 'ShareProcessNamespace and HostPID cannot both be enabled'));
  validateProfile(context.seccompProfile, at.child('seccompProfile'), errors);
  validateProfile(context.appArmorProfile, at.child('appArmorProfile'), errors);
  const { fsGroupChangePolicy: policy } = context;
  if (policy !== undefined && policy !== 'Always' && policy !== 'OnRootMismatch') errors.push(notSupported(at.child('fsGroupChangePolicy'), policy, ['Always', 'OnRootMismatch']));
  const names = new Set<string>();
  context.sysctls?.forEach(({ name }, i) => {
    const sysctl = at.child('sysctls').index(i).child('name');
    if (!name) errors.push(required(sysctl));
    else if (!SYSCTL.test(name)) errors.push(invalidValue(sysctl, name, `must have at most 253 characters and match regex ${SYSCTL.source.slice(1, -1)}`));
    else if (names.has(name)) errors.push(invalidValue(sysctl, name, 'must be unique'));
    names.add(name);
  });
}
