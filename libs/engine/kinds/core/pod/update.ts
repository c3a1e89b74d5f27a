/** What may change on a pod. Models ValidatePodUpdate and ValidatePodStatusUpdate of pkg/apis/core/validation. */
import type { Container, ContainerStatus, Pod, PodSpec, Toleration } from '../../../api/core_v1.js';
import { deepEqual } from '../../../machinery/equal.js';
import { forbiddenField, invalidValue, Path, required, type FieldError } from '../../../machinery/field.js';
import { between, immutable } from '../../../machinery/validation.js';

const spec = Path.of('spec');
const MAX_INT32 = 2147483647;
const UPDATABLE = [
  '`spec.containers[*].image`', '`spec.initContainers[*].image`', '`spec.activeDeadlineSeconds`', '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
];

export function validatePodUpdate(pod: Pod, old: Pod): FieldError[] {
  const [next, was] = [pod.spec, old.spec];
  const errors: FieldError[] = [];
  for (const field of ['containers', 'initContainers'] as const) {
    if ((next[field]?.length ?? 0) !== (was[field]?.length ?? 0)) return [...errors, forbiddenField(spec.child(field), 'pod updates may not add or remove containers')];
    next[field]?.forEach((c, i) => c.image || errors.push(required(spec.child(field).index(i).child('image'))));
  }
  errors.push(...validateDeadline(next.activeDeadlineSeconds, was.activeDeadlineSeconds));
  errors.push(...validateTolerationsUpdate(next.tolerations ?? [], was.tolerations ?? []));
  next.schedulingGates?.forEach((gate, i) => {
    if (!was.schedulingGates?.some((g) => g.name === gate.name)) errors.push(forbiddenField(spec.child('schedulingGates').index(i), 'only deletion is allowed, but found new scheduling gate \'' + gate.name + '\''));
  });
  const munged = withUpdatable(next, was);
  if (!deepEqual(munged, was)) errors.push(forbiddenField(spec, `pod updates may not change fields other than ${UPDATABLE.join(',')}\n${specDiff(munged, was)}`));
  return errors;
}

function validateDeadline(next: number | undefined, was: number | undefined): FieldError[] {
  const at = spec.child('activeDeadlineSeconds');
  if (next === undefined) return was === undefined ? [] : [invalidValue(at, next, 'must not update from a positive integer to nil value')];
  if (next < 0 || next > MAX_INT32) return [invalidValue(at, next, between(0, MAX_INT32))];
  return was !== undefined && was < next ? [invalidValue(at, next, 'must be less than or equal to previous value')] : [];
}

function validateTolerationsUpdate(next: readonly Toleration[], was: readonly Toleration[]): FieldError[] {
  const kept = (t: Toleration): boolean => next.some((n) => deepEqual({ ...n, tolerationSeconds: 0 }, { ...t, tolerationSeconds: 0 }));
  return was.every(kept) ? [] : [forbiddenField(spec.child('tolerations'), 'existing toleration can not be modified except its tolerationSeconds')];
}

/** The new spec with everything that may change taken from the old one. */
function withUpdatable(next: PodSpec, was: PodSpec): PodSpec {
  const images = (now: readonly Container[] | undefined, before: readonly Container[] | undefined): Container[] | undefined => now?.map((c, i) => ({ ...c, image: before?.[i]?.image }));
  const munged: PodSpec = {
    ...next,
    containers: images(next.containers, was.containers) ?? [],
    initContainers: images(next.initContainers, was.initContainers),
    activeDeadlineSeconds: was.activeDeadlineSeconds,
    schedulingGates: was.schedulingGates,
    tolerations: was.tolerations,
  };
  if ((was.terminationGracePeriodSeconds ?? 0) < 0 && next.terminationGracePeriodSeconds === 1) munged.terminationGracePeriodSeconds = was.terminationGracePeriodSeconds;
  // A gated pod may still be narrowed down to fewer nodes.
  if (was.schedulingGates?.length) {
    const added = Object.entries(was.nodeSelector ?? {}).every(([k, v]) => next.nodeSelector?.[k] === v);
    if (added) munged.nodeSelector = was.nodeSelector;
  }
  return munged;
}

/** Like the diff that upstream prints: the fields that differ, old and new. */
function specDiff(next: PodSpec, was: PodSpec): string {
  const [a, b] = [was as unknown as Record<string, unknown>, next as unknown as Record<string, unknown>];
  const fields = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((f) => !deepEqual(a[f], b[f]));
  const line = (sign: string, field: string, value: unknown): string => `${sign} \t${field}: ${value === undefined ? 'nil' : JSON.stringify(value)},\n`;
  return `  core.PodSpec{\n${fields.map((f) => line('-', f, a[f]) + line('+', f, b[f])).join('')}  }\n`;
}

export function validatePodStatusUpdate(pod: Pod, old: Pod): FieldError[] {
  const path = Path.of('status');
  const errors = immutable(path.child('qosClass'), pod.status.qosClass ?? '', pod.status.qosClass === old.status.qosClass);
  const always = old.spec.restartPolicy === 'Always';
  if (!always) validateTransitions(pod.status.containerStatuses, old.status.containerStatuses, path.child('containerStatuses'), old.spec.restartPolicy, errors);
  validateTransitions(pod.status.ephemeralContainerStatuses, old.status.ephemeralContainerStatuses, path.child('ephemeralContainerStatuses'), 'Never', errors);
  return errors;
}

/** A container that ended for good stays ended. */
function validateTransitions(next: readonly ContainerStatus[] | undefined, was: readonly ContainerStatus[] | undefined, path: Path, policy: string | undefined, errors: FieldError[]): void {
  was?.forEach((before, i) => {
    const { terminated } = before.state ?? {};
    if (!terminated || (terminated.exitCode !== 0 && policy === 'OnFailure')) return;
    const after = next?.find((s) => s.name === before.name);
    if (after && !after.state?.terminated) errors.push(forbiddenField(path.index(i).child('state'), 'may not be transitioned to non-terminated state'));
  });
}
