/**
 * Gates, tolerations, affinity and spread constraints. Models validateAffinity, ValidateTolerations,
 * validateTopologySpreadConstraints of pkg/apis/core/validation.
 */
import type {
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodAffinityTerm,
  PodSpec,
  Toleration,
  TopologySpreadConstraint,
  WeightedPodAffinityTerm,
} from '../../../../api/core_v1.js';
import {
  duplicate,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  type FieldError,
  type Path,
} from '../../../../machinery/meta/field.js';
import type { LabelSelector } from '../../../../machinery/meta/object.js';
import {
  invalidEach,
  isDNS1123Label,
  isDNS1123Subdomain,
  isLabelValue,
  isQualifiedName,
  validateLabelSelector,
} from '../../../../machinery/meta/validation.js';

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];
const OPERATORS = ['Equal', 'Exists'];
const COMPARISONS = ['Lt', 'Gt'];
const UNSATISFIABLE = ['DoNotSchedule', 'ScheduleAnyway'];
const INCLUSION = ['Honor', 'Ignore'];
const MAX_WEIGHT = 100;
const POSITIVE = 'must be greater than zero';

export function validateGates(spec: PodSpec, path: Path, errors: FieldError[]): void {
  spec.readinessGates?.forEach(({ conditionType: type = '' }, i) =>
    errors.push(
      ...invalidEach(path.child('readinessGates').index(i).child('conditionType'), type, isQualifiedName(type)),
    ),
  );
  const gates = new Set<string>();
  spec.schedulingGates?.forEach(({ name = '' }, i) => {
    const at = path.child('schedulingGates').index(i);
    errors.push(...invalidEach(at, name, isQualifiedName(name)));
    if (gates.has(name)) errors.push(duplicate(at, name));
    gates.add(name);
  });
}

export function validateTolerations(tolerations: readonly Toleration[], path: Path, errors: FieldError[]): void {
  for (let i = 0; i < tolerations.length; i++) {
    const { key, operator = '', value = '', effect = '', tolerationSeconds } = tolerations[i]!;
    const at = (field: string): Path => path.index(i).child(field);
    if (key) for (const message of isQualifiedName(key)) errors.push(invalidValue(at('key'), key, message));
    else if (operator !== 'Exists')
      errors.push(
        invalidValue(
          at('operator'),
          operator,
          'operator must be Exists when `key` is empty, which means "match all values and all keys"',
        ),
      );
    if (tolerationSeconds !== undefined && effect !== 'NoExecute')
      errors.push(invalidValue(at('effect'), effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"));
    if (!operator || operator === 'Equal') {
      const messages = isLabelValue(value);
      if (messages.length > 0) errors.push(invalidValue(at('operator'), value, messages.join(';')));
    } else if (operator === 'Exists') {
      if (value) errors.push(invalidValue(at('operator'), value, "value must be empty when `operator` is 'Exists'"));
    } else
      errors.push(
        notSupported(
          at('operator'),
          operator,
          COMPARISONS.includes(operator) ? [...OPERATORS, ...COMPARISONS] : OPERATORS,
        ),
      );
    if (effect && !EFFECTS.includes(effect)) errors.push(notSupported(at('effect'), effect, EFFECTS));
  }
}

export function validateAffinity({ affinity }: PodSpec, path: Path, errors: FieldError[]): void {
  if (!affinity) return;
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity;
  if (nodeAffinity) validateNodeAffinity(nodeAffinity, path.child('nodeAffinity'), errors);
  for (const [field, pods] of [
    ['podAffinity', podAffinity],
    ['podAntiAffinity', podAntiAffinity],
  ] as const) {
    const at = path.child(field);
    pods?.requiredDuringSchedulingIgnoredDuringExecution?.forEach((term, i) =>
      validatePodAffinityTerm(term, at.child('requiredDuringSchedulingIgnoredDuringExecution').index(i), errors),
    );
    pods?.preferredDuringSchedulingIgnoredDuringExecution?.forEach((term, i) =>
      validateWeightedPodAffinityTerm(
        term,
        at.child('preferredDuringSchedulingIgnoredDuringExecution').index(i),
        errors,
      ),
    );
  }
}

function validateNodeAffinity(
  affinity: NonNullable<NonNullable<PodSpec['affinity']>['nodeAffinity']>,
  path: Path,
  errors: FieldError[],
): void {
  const {
    requiredDuringSchedulingIgnoredDuringExecution: needed,
    preferredDuringSchedulingIgnoredDuringExecution: preferred,
  } = affinity;
  if (needed)
    validateNodeSelector(
      needed.nodeSelectorTerms,
      path.child('requiredDuringSchedulingIgnoredDuringExecution'),
      errors,
    );
  preferred?.forEach(({ weight = 0, preference }, i) => {
    const at = path.child('preferredDuringSchedulingIgnoredDuringExecution').index(i);
    if (weight < 1 || weight > MAX_WEIGHT)
      errors.push(invalidValue(at.child('weight'), weight, 'must be in the range 1-100'));
    validateNodeSelectorTerm(preference ?? {}, false, at.child('preference'), errors);
  });
}

export function validateNodeSelector(
  terms: readonly NodeSelectorTerm[] | undefined,
  path: Path,
  errors: FieldError[],
): void {
  const at = path.child('nodeSelectorTerms');
  if (!terms?.length) errors.push(required(at, 'must have at least one node selector term'));
  terms?.forEach((term, i) => validateNodeSelectorTerm(term, true, at.index(i), errors));
}

/** `strict` refuses values that no label can have. Preferences may name them. */
function validateNodeSelectorTerm(term: NodeSelectorTerm, strict: boolean, path: Path, errors: FieldError[]): void {
  term.matchExpressions?.forEach((r, i) =>
    validateNodeSelectorRequirement(r, strict, path.child('matchExpressions').index(i), errors),
  );
  term.matchFields?.forEach(({ key = '', operator = '', values }, i) => {
    const at = path.child('matchFields').index(i);
    if (operator !== 'In' && operator !== 'NotIn')
      errors.push(invalidValue(at.child('operator'), operator, 'not a valid selector operator'));
    else if (values?.length !== 1)
      errors.push(
        required(
          at.child('values'),
          "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
        ),
      );
    if (key !== 'metadata.name') errors.push(invalidValue(at.child('key'), key, 'not a valid field selector key'));
    else
      values?.forEach((value, j) =>
        errors.push(...invalidEach(at.child('values').index(j), value, isDNS1123Subdomain(value))),
      );
  });
}

function validateNodeSelectorRequirement(
  { key = '', operator = '', values }: NodeSelectorRequirement,
  strict: boolean,
  path: Path,
  errors: FieldError[],
): void {
  const at = path.child('values');
  if (operator === 'In' || operator === 'NotIn') {
    if (!values?.length) errors.push(required(at, "must be specified when `operator` is 'In' or 'NotIn'"));
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values?.length)
      errors.push(forbiddenField(at, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
  } else if (operator === 'Gt' || operator === 'Lt') {
    if (values?.length !== 1)
      errors.push(required(at, "must be specified single value when `operator` is 'Lt' or 'Gt'"));
  } else errors.push(invalidValue(path.child('operator'), operator, 'not a valid selector operator'));
  errors.push(...invalidEach(path.child('key'), key, isQualifiedName(key)));
  if (strict) values?.forEach((value, i) => errors.push(...invalidEach(at.index(i), value, isLabelValue(value))));
}

function validateWeightedPodAffinityTerm(
  { weight = 0, podAffinityTerm }: WeightedPodAffinityTerm,
  path: Path,
  errors: FieldError[],
): void {
  if (weight < 1 || weight > MAX_WEIGHT)
    errors.push(invalidValue(path.child('weight'), weight, 'must be in the range 1-100'));
  validatePodAffinityTerm(podAffinityTerm ?? { topologyKey: '' }, path.child('podAffinityTerm'), errors);
}

function validatePodAffinityTerm(term: PodAffinityTerm, path: Path, errors: FieldError[]): void {
  const { topologyKey = '', labelSelector } = term;
  errors.push(
    ...validateLabelSelector(labelSelector, path.child('labelSelector')),
    ...validateLabelSelector(term.namespaceSelector, path.child('namespaceSelector')),
  );
  term.namespaces?.forEach((name) => errors.push(...invalidEach(path.child('namespace'), name, isDNS1123Label(name))));
  validateMatchLabelKeys(term.matchLabelKeys, term.mismatchLabelKeys, labelSelector, path, errors);
  if (!topologyKey) errors.push(required(path.child('topologyKey'), 'can not be empty'));
  errors.push(...invalidEach(path.child('topologyKey'), topologyKey, isQualifiedName(topologyKey)));
}

/** Models ValidateMatchLabelKeysAndMismatchLabelKeys: `path` is that of the term. */
function validateMatchLabelKeys(
  matched: readonly string[] = [],
  mismatched: readonly string[] = [],
  selector: LabelSelector | undefined,
  path: Path,
  errors: FieldError[],
): void {
  for (const [field, keys] of [
    ['matchLabelKeys', matched],
    ['mismatchLabelKeys', mismatched],
  ] as const) {
    if (keys.length === 0) continue;
    if (selector)
      keys.forEach((key, i) => errors.push(...invalidEach(path.child(field).index(i), key, isQualifiedName(key))));
    else errors.push(forbiddenField(path.child(field), 'must not be specified when labelSelector is not set'));
  }
  const selected = new Set(Object.keys(selector?.matchLabels ?? {}));
  for (const { key } of selector?.matchExpressions ?? []) {
    // Upstream merges each key into the selector once when it writes: a second occurrence is the user's.
    if (matched.includes(key) && selected.has(key))
      errors.push(
        invalidValue(path.index(matched.lastIndexOf(key)), key, 'exists in both matchLabelKeys and labelSelector'),
      );
    selected.add(key);
  }
  matched.forEach((key, i) => {
    if (mismatched.includes(key))
      errors.push(
        invalidValue(path.child('matchLabelKeys').index(i), key, 'exists in both matchLabelKeys and mismatchLabelKeys'),
      );
  });
}

export function validateTopologySpreadConstraints(
  constraints: readonly TopologySpreadConstraint[],
  path: Path,
  errors: FieldError[],
): void {
  constraints.forEach((constraint, i) => {
    const at = path.index(i);
    const { maxSkew = 0, topologyKey = '', whenUnsatisfiable = '', minDomains, labelSelector } = constraint;
    if (maxSkew <= 0) errors.push(invalidValue(at.child('maxSkew'), maxSkew, POSITIVE));
    if (!topologyKey) errors.push(required(at.child('topologyKey'), 'can not be empty'));
    if (!UNSATISFIABLE.includes(whenUnsatisfiable))
      errors.push(notSupported(at.child('whenUnsatisfiable'), whenUnsatisfiable, UNSATISFIABLE));
    const repeated = constraints
      .slice(i + 1)
      .some((c) => (c.topologyKey ?? '') === topologyKey && (c.whenUnsatisfiable ?? '') === whenUnsatisfiable);
    if (repeated)
      errors.push(duplicate(at.child('{topologyKey, whenUnsatisfiable}'), `{${topologyKey}, ${whenUnsatisfiable}}`));
    if (minDomains !== undefined) {
      if (minDomains <= 0) errors.push(invalidValue(at.child('minDomains'), minDomains, POSITIVE));
      if (whenUnsatisfiable !== 'DoNotSchedule')
        errors.push(
          invalidValue(
            at.child('minDomains'),
            minDomains,
            `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`,
          ),
        );
    }
    for (const field of ['nodeAffinityPolicy', 'nodeTaintsPolicy'] as const) {
      const policy = constraint[field];
      if (policy !== undefined && !INCLUSION.includes(policy))
        errors.push(notSupported(at.child(field), policy, INCLUSION));
    }
    validateMatchLabelKeys(constraint.matchLabelKeys, undefined, labelSelector, at, errors);
    errors.push(...validateLabelSelector(labelSelector, at.child('labelSelector')));
  });
}
