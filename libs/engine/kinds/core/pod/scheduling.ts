/** Where a pod may run. Models validateAffinity, ValidateTolerations, validateTopologySpreadConstraints of pkg/apis/core/validation. */
import type { NodeSelectorRequirement, NodeSelectorTerm, PodAffinityTerm, PodSpec, Toleration, TopologySpreadConstraint, WeightedPodAffinityTerm } from '../../../api/core_v1.js';
import { duplicate, forbiddenField, invalidValue, notSupported, required, type FieldError, type Path } from '../../../machinery/field.js';
import { invalidEach, isDNS1123Label, isLabelValue, isQualifiedName, validateLabels, validateLabelSelector } from '../../../machinery/validation.js';

const EFFECTS = ['NoExecute', 'NoSchedule', 'PreferNoSchedule'];
const UNSATISFIABLE = ['DoNotSchedule', 'ScheduleAnyway'];
const INCLUSION = ['Honor', 'Ignore'];
const MAX_WEIGHT = 100;

export function validateScheduling(spec: PodSpec, path: Path, errors: FieldError[]): void {
  if (spec.nodeSelector) errors.push(...validateLabels(spec.nodeSelector, path.child('nodeSelector')));
  if (spec.affinity) validateAffinity(spec, path.child('affinity'), errors);
  if (spec.topologySpreadConstraints) validateSpread(spec.topologySpreadConstraints, path.child('topologySpreadConstraints'), errors);
  if (spec.tolerations) validateTolerations(spec.tolerations, path.child('tolerations'), errors);
  const gates = new Set<string>();
  spec.schedulingGates?.forEach(({ name }, i) => {
    const at = path.child('schedulingGates').index(i);
    errors.push(...invalidEach(at, name, isQualifiedName(name)));
    if (gates.has(name)) errors.push(duplicate(at, name));
    gates.add(name);
  });
}

export function validateTolerations(tolerations: readonly Toleration[], path: Path, errors: FieldError[]): void {
  for (let i = 0; i < tolerations.length; i++) {
    const { key, operator, value, effect, tolerationSeconds } = tolerations[i]!;
    const at = (): Path => path.index(i);
    if (key) for (const message of isQualifiedName(key)) errors.push(invalidValue(at().child('key'), key, message));
    else if (operator !== 'Exists') errors.push(invalidValue(at().child('operator'), operator ?? '', "operator must be Exists when `key` is empty, which means \"match all values and all keys\""));
    if (tolerationSeconds !== undefined && effect !== 'NoExecute') errors.push(invalidValue(at().child('effect'), effect ?? '', "effect must be 'NoExecute' when `tolerationSeconds` is set"));
    if (!operator || operator === 'Equal') errors.push(...invalidEach(at().child('operator'), value ?? '', isLabelValue(value ?? '')));
    else if (operator === 'Exists') {
      if (value) errors.push(invalidValue(at().child('operator'), `{"key":${JSON.stringify(key)}}`, "value must be empty when `operator` is 'Exists'"));
    } else errors.push(notSupported(at().child('operator'), operator, ['Equal', 'Exists']));
    if (effect && !EFFECTS.includes(effect)) errors.push(notSupported(at().child('effect'), effect, EFFECTS));
  }
}

function validateAffinity({ affinity }: PodSpec, path: Path, errors: FieldError[]): void {
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity!;
  if (nodeAffinity) validateNodeAffinity(nodeAffinity, path.child('nodeAffinity'), errors);
  for (const [field, pods] of [['podAffinity', podAffinity], ['podAntiAffinity', podAntiAffinity]] as const) {
    const at = path.child(field);
    pods?.requiredDuringSchedulingIgnoredDuringExecution?.forEach((term, i) => validatePodTerm(term, at.child('requiredDuringSchedulingIgnoredDuringExecution').index(i), errors));
    pods?.preferredDuringSchedulingIgnoredDuringExecution?.forEach((term, i) => validateWeighted(term, at.child('preferredDuringSchedulingIgnoredDuringExecution').index(i), errors));
  }
}

function validateNodeAffinity(affinity: NonNullable<NonNullable<PodSpec['affinity']>['nodeAffinity']>, path: Path, errors: FieldError[]): void {
  const { requiredDuringSchedulingIgnoredDuringExecution: needed, preferredDuringSchedulingIgnoredDuringExecution: preferred } = affinity;
  if (needed) validateNodeSelector(needed.nodeSelectorTerms, path.child('requiredDuringSchedulingIgnoredDuringExecution'), errors);
  preferred?.forEach(({ weight, preference }, i) => {
    const at = path.child('preferredDuringSchedulingIgnoredDuringExecution').index(i);
    if (weight < 1 || weight > MAX_WEIGHT) errors.push(invalidValue(at.child('weight'), weight, 'must be in the range 1-100'));
    validateNodeTerm(preference, at.child('preference'), errors);
  });
}

export function validateNodeSelector(terms: readonly NodeSelectorTerm[] | undefined, path: Path, errors: FieldError[]): void {
  const at = path.child('nodeSelectorTerms');
  if (!terms?.length) errors.push(required(at, 'must have at least one node selector term'));
  terms?.forEach((term, i) => validateNodeTerm(term, at.index(i), errors));
}

function validateNodeTerm(term: NodeSelectorTerm, path: Path, errors: FieldError[]): void {
  term.matchExpressions?.forEach((r, i) => validateRequirement(r, path.child('matchExpressions').index(i), errors));
  term.matchFields?.forEach((r, i) => {
    const at = path.child('matchFields').index(i);
    if (r.operator !== 'In' && r.operator !== 'NotIn') errors.push(invalidValue(at.child('operator'), r.operator, 'not a valid selector operator'));
    else if (r.values?.length !== 1) errors.push(required(at.child('values'), "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"));
    if (r.key !== 'metadata.name') errors.push(invalidValue(at.child('key'), r.key, 'not a valid field selector key'));
  });
}

function validateRequirement({ key, operator, values }: NodeSelectorRequirement, path: Path, errors: FieldError[]): void {
  const at = path.child('values');
  if (operator === 'In' || operator === 'NotIn') {
    if (!values?.length) errors.push(required(at, "must be specified when `operator` is 'In' or 'NotIn'"));
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values?.length) errors.push(forbiddenField(at, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
  } else if (operator === 'Gt' || operator === 'Lt') {
    if (values?.length !== 1) errors.push(required(at, "must be specified single value when `operator` is 'Lt' or 'Gt'"));
  } else errors.push(invalidValue(path.child('operator'), operator, 'not a valid selector operator'));
  errors.push(...invalidEach(path.child('key'), key, isQualifiedName(key)));
  values?.forEach((value, i) => errors.push(...invalidEach(at.index(i), value, isLabelValue(value))));
}

function validateWeighted({ weight, podAffinityTerm }: WeightedPodAffinityTerm, path: Path, errors: FieldError[]): void {
  if (weight < 1 || weight > MAX_WEIGHT) errors.push(invalidValue(path.child('weight'), weight, 'must be in the range 1-100'));
  if (podAffinityTerm) validatePodTerm(podAffinityTerm, path.child('podAffinityTerm'), errors);
  else errors.push(required(path.child('podAffinityTerm', 'topologyKey'), 'can not be empty'));
}

function validatePodTerm(term: PodAffinityTerm, path: Path, errors: FieldError[]): void {
  errors.push(...validateLabelSelector(term.labelSelector, path.child('labelSelector')), ...validateLabelSelector(term.namespaceSelector, path.child('namespaceSelector')));
  term.namespaces?.forEach((name) => errors.push(...invalidEach(path.child('namespace'), name, isDNS1123Label(name))));
  if (!term.topologyKey) errors.push(required(path.child('topologyKey'), 'can not be empty'));
  errors.push(...invalidEach(path.child('topologyKey'), term.topologyKey ?? '', isQualifiedName(term.topologyKey ?? '')));
}

function validateSpread(constraints: readonly TopologySpreadConstraint[], path: Path, errors: FieldError[]): void {
  constraints.forEach((constraint, i) => {
    const at = path.index(i);
    const { maxSkew, topologyKey, whenUnsatisfiable, minDomains, labelSelector, matchLabelKeys } = constraint;
    if (!(maxSkew > 0)) errors.push(invalidValue(at.child('maxSkew'), maxSkew ?? 0, 'must be greater than zero'));
    if (!topologyKey) errors.push(required(at.child('topologyKey'), 'can not be empty'));
    else errors.push(...invalidEach(at.child('topologyKey'), topologyKey, isQualifiedName(topologyKey)));
    if (!UNSATISFIABLE.includes(whenUnsatisfiable)) errors.push(notSupported(at.child('whenUnsatisfiable'), whenUnsatisfiable ?? '', UNSATISFIABLE));
    const pair = (c: TopologySpreadConstraint): boolean => c.topologyKey === topologyKey && c.whenUnsatisfiable === whenUnsatisfiable;
    if (constraints.findIndex(pair) < i) errors.push(duplicate(at.child('{topologyKey, whenUnsatisfiable}'), `{${topologyKey}, ${whenUnsatisfiable}}`));
    if (minDomains !== undefined) {
      if (minDomains <= 0) errors.push(invalidValue(at.child('minDomains'), minDomains, 'must be greater than zero'));
      if (whenUnsatisfiable !== 'DoNotSchedule') errors.push(invalidValue(at.child('minDomains'), minDomains, `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`));
    }
    for (const field of ['nodeAffinityPolicy', 'nodeTaintsPolicy'] as const) {
      const policy = constraint[field];
      if (policy !== undefined && !INCLUSION.includes(policy)) errors.push(notSupported(at.child(field), policy, INCLUSION));
    }
    errors.push(...validateLabelSelector(labelSelector, at.child('labelSelector')));
    if (matchLabelKeys?.length && !labelSelector) errors.push(forbiddenField(at.child('matchLabelKeys'), 'must not be specified when labelSelector is not set'));
  });
}
