import type { PodDisruptionBudget, PodDisruptionBudgetSpec } from '../../../api/policy_v1.js';
import { invalidValue, notSupported, Path, type FieldError } from '../../../machinery/meta/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { notNegative, validateLabelSelector } from '../../../machinery/meta/validation.js';
import { validateConditions } from '../../conditions.js';
import { ageColumn, column, nameColumn, text } from '../../columns.js';
import { validateNotMoreThan100Percent, validatePositiveIntOrPercent } from '../../int-or-percent.js';

const EVICTION_POLICIES = ['AlwaysAllow', 'IfHealthyBudget'];
const countOrPercent = (value: number | string | undefined): string => String(value ?? 'N/A');

/** Models pkg/registry/policy/poddisruptionbudget. */
export const kind = defineKind<PodDisruptionBudget>({
  group: 'policy',
  version: 'v1',
  kind: 'PodDisruptionBudget',
  plural: 'poddisruptionbudgets',
  singular: 'poddisruptionbudget',
  shortNames: ['pdb'],
  scope: 'Namespaced',
  needsVersion: true,
  definition: 'io.k8s.api.policy.v1.PodDisruptionBudget',
  subresources: { status: true },
  columns: [
    nameColumn,
    text('Min Available', (b) => countOrPercent(b.spec.minAvailable)),
    text('Max Unavailable', (b) => countOrPercent(b.spec.maxUnavailable)),
    column('Allowed Disruptions', 'integer', (b) => b.status.disruptionsAllowed ?? 0),
    ageColumn,
  ],
  prepareForCreate(draft) {
    draft.status = { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 };
  },
  prepareForUpdate(draft, old) {
    draft.status = old.status;
  },
  prepareForStatusUpdate(draft, old) {
    draft.spec = old.spec;
  },
  validate: validateSpec,
  validateStatusUpdate: ({ status }) => [
    ...validateConditions(status.conditions, Path.of('status', 'conditions')),
    ...(['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'] as const).flatMap((field) =>
      notNegative(Path.of('status', field), status[field]),
    ),
  ],
});

/** Models pkg/apis/policy/validation ValidatePodDisruptionBudgetSpec. */
function validateSpec({ spec }: PodDisruptionBudget): FieldError[] {
  const path = Path.of('spec');
  const errors: FieldError[] = [];
  if (spec.minAvailable !== undefined && spec.maxUnavailable !== undefined) {
    errors.push(invalidValue(path, toInternal(spec), 'minAvailable and maxUnavailable cannot be both set'));
  }
  for (const field of ['minAvailable', 'maxUnavailable'] as const) {
    const value = spec[field];
    if (value === undefined) continue;
    errors.push(
      ...validatePositiveIntOrPercent(value, path.child(field)),
      ...validateNotMoreThan100Percent(value, path.child(field)),
    );
  }
  errors.push(...validateLabelSelector(spec.selector, path.child('selector')));
  const policy = spec.unhealthyPodEvictionPolicy;
  if (policy !== undefined && !EVICTION_POLICIES.includes(policy))
    errors.push(notSupported(path.child('unhealthyPodEvictionPolicy'), policy, EVICTION_POLICIES));
  return errors;
}

/** The form in which upstream prints its internal type, whose fields have no JSON tags. */
const toInternal = (spec: PodDisruptionBudgetSpec): object => ({
  MinAvailable: spec.minAvailable ?? null,
  Selector: spec.selector ?? null,
  MaxUnavailable: spec.maxUnavailable ?? null,
  UnhealthyPodEvictionPolicy: spec.unhealthyPodEvictionPolicy ?? null,
});
