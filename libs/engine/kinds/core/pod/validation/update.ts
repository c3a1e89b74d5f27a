/** Fields of a pod that may change. Models ValidatePodUpdate of pkg/apis/core/validation. */
import type { Container, NodeAffinity, NodeSelectorTerm, Pod, PodSpec, Toleration } from '../../../../api/core_v1.js';
import { deepEqual } from '../../../../machinery/meta/equal.js';
import { forbiddenField, invalidValue, Path, required, type FieldError } from '../../../../machinery/meta/field.js';
import { between } from '../../../../machinery/meta/validation.js';
import { diffInternalForms, toInternalForm } from '../../../internal-form.js';
import { validateTrimmed } from './container/containers.js';
import { validateTolerations } from './scheduling.js';

const spec = Path.of('spec');
const MAX_INT32 = 2147483647;
const UPDATABLE = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
];

export function validatePodUpdate(pod: Pod, old: Pod): FieldError[] {
  const [next, was] = [pod.spec, old.spec];
  const errors: FieldError[] = [];
  for (const field of ['containers', 'initContainers'] as const) {
    if ((next[field]?.length ?? 0) !== (was[field]?.length ?? 0))
      return [...errors, forbiddenField(spec.child(field), 'pod updates may not add or remove containers')];
    next[field]?.forEach((container, i) => {
      if (!container.image) errors.push(required(spec.child(field).index(i).child('image')));
      validateTrimmed(container, spec.child(field).index(i), errors);
    });
  }
  const deadline = validateDeadline(next.activeDeadlineSeconds, was.activeDeadlineSeconds);
  errors.push(...deadline);
  if (deadline.length > 0 && next.activeDeadlineSeconds !== undefined) return errors;
  errors.push(...validateTolerationsUpdate(next.tolerations ?? [], was.tolerations ?? []));
  next.schedulingGates?.forEach(({ name = '' }, i) => {
    if (!was.schedulingGates?.some((g) => g.name === name))
      errors.push(
        forbiddenField(
          spec.child('schedulingGates').index(i).child('name'),
          `only deletion is allowed, but found new scheduling gate '${name}'`,
        ),
      );
  });
  const munged = withUpdatable(next, was, errors);
  if (!deepEqual(toInternalForm('PodSpec', munged), toInternalForm('PodSpec', was)))
    errors.push(
      forbiddenField(
        spec,
        `pod updates may not change fields other than ${UPDATABLE.join(',')}\n${diffInternalForms('PodSpec', was, munged)}`,
      ),
    );
  return errors;
}

function validateDeadline(next: number | undefined, was: number | undefined): FieldError[] {
  const at = spec.child('activeDeadlineSeconds');
  if (next === undefined)
    return was === undefined ? [] : [invalidValue(at, next, 'must not update from a positive integer to nil value')];
  if (next < 0 || next > MAX_INT32) return [invalidValue(at, next, between(0, MAX_INT32))];
  return was !== undefined && was < next
    ? [invalidValue(at, next, 'must be less than or equal to previous value')]
    : [];
}

function validateTolerationsUpdate(next: readonly Toleration[], was: readonly Toleration[]): FieldError[] {
  const at = spec.child('tolerations');
  const kept = (t: Toleration): boolean =>
    next.some((n) => deepEqual({ ...n, tolerationSeconds: 0 }, { ...t, tolerationSeconds: 0 }));
  if (!was.every(kept))
    return [forbiddenField(at, 'existing toleration can not be modified except its tolerationSeconds')];
  const errors: FieldError[] = [];
  validateTolerations(next, at, errors);
  return errors;
}

/** The new spec with all fields that may change taken from the old one: the rest must be equal. */
function withUpdatable(next: PodSpec, was: PodSpec, errors: FieldError[]): PodSpec {
  const images = (
    now: readonly Container[] | undefined,
    before: readonly Container[] | undefined,
  ): Container[] | undefined => now?.map((c, i) => ({ ...c, image: before?.[i]?.image }));
  const munged: PodSpec = {
    ...next,
    containers: images(next.containers, was.containers) ?? [],
    initContainers: images(next.initContainers, was.initContainers),
    activeDeadlineSeconds: was.activeDeadlineSeconds,
    schedulingGates: was.schedulingGates,
    tolerations: was.tolerations,
  };
  if ((was.terminationGracePeriodSeconds ?? 0) < 0 && next.terminationGracePeriodSeconds === 1)
    munged.terminationGracePeriodSeconds = was.terminationGracePeriodSeconds;
  if (was.schedulingGates?.length) narrowGated(munged, was, errors);
  return munged;
}

/** The node selector and affinity of a gated pod may change to allow fewer nodes. */
function narrowGated(munged: PodSpec, was: PodSpec, errors: FieldError[]): void {
  const path = spec.child('nodeSelector');
  for (const [key, value] of Object.entries(was.nodeSelector ?? {})) {
    if (munged.nodeSelector?.[key] !== value) {
      errors.push(
        invalidValue(
          path,
          munged.nodeSelector ?? null,
          'only additions to spec.nodeSelector are allowed (no mutations or deletions)',
        ),
      );
      break;
    }
  }
  munged.nodeSelector = was.nodeSelector;
  const [now, before] = [munged.affinity?.nodeAffinity, was.affinity?.nodeAffinity];
  if (deepEqual(now, before)) return;
  errors.push(...validateNodeAffinityUpdate(now, before, spec.child('affinity', 'nodeAffinity')));
  const { nodeAffinity: _, ...others } = munged.affinity ?? {};
  if (before) munged.affinity = { ...others, nodeAffinity: before };
  else munged.affinity = was.affinity === undefined && Object.keys(others).length === 0 ? undefined : others;
}

/** Each required term may gain expressions. */
function validateNodeAffinityUpdate(
  next: NodeAffinity | undefined,
  was: NodeAffinity | undefined,
  path: Path,
): FieldError[] {
  const field = 'requiredDuringSchedulingIgnoredDuringExecution';
  const at = path.child(field);
  const [terms, before] = [next?.[field]?.nodeSelectorTerms ?? [], was?.[field]?.nodeSelectorTerms ?? []];
  if (!was?.[field]) return [];
  if (before.length > 0 && terms.length !== before.length)
    return [
      invalidValue(
        at.child('nodeSelectorTerms'),
        toInternalForm('[]NodeSelectorTerm', next?.[field]?.nodeSelectorTerms),
        'no additions/deletions to non-empty NodeSelectorTerms list are allowed',
      ),
    ];
  return before.flatMap((term, i) =>
    hasOnlyAdditions(terms[i]!, term)
      ? []
      : [
          invalidValue(
            at.child('nodeSelectorTerms').index(i),
            toInternalForm('NodeSelectorTerm', terms[i]),
            'only additions are allowed (no mutations or deletions)',
          ),
        ],
  );
}

function hasOnlyAdditions(next: NodeSelectorTerm, was: NodeSelectorTerm): boolean {
  const [a, b] = [was.matchExpressions ?? [], next.matchExpressions ?? []];
  const [c, d] = [was.matchFields ?? [], next.matchFields ?? []];
  if (a.length === 0 && c.length === 0 && (b.length > 0 || d.length > 0)) return false;
  const kept = (before: readonly unknown[], now: readonly unknown[]): boolean =>
    before.length <= now.length && before.every((r, i) => deepEqual(r, now[i]));
  return kept(a, b) && kept(c, d);
}
