/** Annotations of pods that have a meaning. Models ValidatePodSpecificAnnotations of pkg/apis/core/validation. */
import type { PodSpec } from '../../../../api/core_v1.js';
import { invalidValue, type FieldError, type Path } from '../../../../machinery/meta/field.js';
import { validateLocalDescendingPath } from '../../local-paths.js';
import { visitContainersWithPath } from '../visit-containers.js';
import { MIRROR_ANNOTATION } from '../mirror.js';

const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';
const SECCOMP_POD = 'seccomp.security.alpha.kubernetes.io/pod';
const SECCOMP_CONTAINER = 'container.seccomp.security.alpha.kubernetes.io/';
const APPARMOR = 'container.apparmor.security.beta.kubernetes.io/';
const LOCALHOST = 'localhost/';
const SECCOMP_PROFILES = ['runtime/default', 'docker/default', 'unconfined'];
const APPARMOR_PROFILES = ['', 'runtime/default', 'unconfined'];
const MAX_INT32 = 2147483647;

export function validatePodAnnotations(
  annotations: Readonly<Record<string, string>> | undefined,
  spec: PodSpec,
  path: Path,
): FieldError[] {
  const errors: FieldError[] = [];
  if (!annotations) return errors;
  const mirror = annotations[MIRROR_ANNOTATION];
  if (mirror !== undefined && !spec.nodeName)
    errors.push(
      invalidValue(path.key(MIRROR_ANNOTATION), mirror, 'must set spec.nodeName if mirror pod annotation is set'),
    );
  const cost = annotations[DELETION_COST];
  if (cost !== undefined && !isInt32(cost))
    errors.push(invalidValue(path.key(DELETION_COST), cost, 'must be a 32bit integer'));
  for (const [key, profile] of Object.entries(annotations)) {
    if (key === SECCOMP_POD || key.startsWith(SECCOMP_CONTAINER)) validateSeccomp(profile, path.child(key), errors);
  }
  for (const [key, profile] of Object.entries(annotations))
    if (key.startsWith(APPARMOR)) validateAppArmor(key.slice(APPARMOR.length), profile, spec, path.key(key), errors);
  return errors;
}

const isInt32 = (text: string): boolean => /^(0|-?[1-9]\d{0,9})$/.test(text) && Math.abs(Number(text)) <= MAX_INT32;

function validateSeccomp(profile: string, at: Path, errors: FieldError[]): void {
  if (SECCOMP_PROFILES.includes(profile)) return;
  if (profile.startsWith(LOCALHOST)) validateLocalDescendingPath(profile.slice(LOCALHOST.length), at, errors);
  else errors.push(invalidValue(at, profile, 'must be a valid seccomp profile'));
}

function validateAppArmor(name: string, profile: string, spec: PodSpec, at: Path, errors: FieldError[]): void {
  let found = false;
  visitContainersWithPath(spec, at, (container) => {
    found ||= container.name === name;
  });
  if (!found) errors.push(invalidValue(at, name, 'container not found'));
  if (!APPARMOR_PROFILES.includes(profile) && !profile.startsWith(LOCALHOST))
    errors.push(invalidValue(at, profile, `invalid AppArmor profile name: ${JSON.stringify(profile)}`));
}
