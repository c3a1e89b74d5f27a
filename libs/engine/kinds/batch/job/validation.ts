/** Models pkg/apis/batch/validation. */
import type { Job, JobSpec, JobTemplateSpec, PodFailurePolicyRule } from '../../../api/batch_v1.js';
import { deepEqual } from '../../../machinery/equal.js';
import { invalidValue, notSupported, Path, required, tooMany, type FieldError } from '../../../machinery/field.js';
import { matchesLabelSelector } from '../../../machinery/selectors.js';
import { immutable, notNegative, validateLabelSelector } from '../../../machinery/validation.js';
import { validatePodTemplate } from '../../core/pod/kind.js';

const spec = Path.of('spec');
const MAX_INDEXED_PARALLELISM = 100_000;
const MAX_FAILURE_RULES = 20;
const MAX_EXIT_CODES = 255;
const MODES = ['Indexed', 'NonIndexed'];
const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const COUNTS = ['parallelism', 'completions', 'activeDeadlineSeconds', 'backoffLimit', 'ttlSecondsAfterFinished', 'backoffLimitPerIndex', 'maxFailedIndexes'] as const;

export function validateJob(job: Job): FieldError[] {
  const errors = validateJobSpec(job.spec, spec);
  const labels = job.spec.template.metadata?.labels;
  if (!job.spec.selector) errors.push(required(spec.child('selector')));
  else {
    errors.push(...validateLabelSelector(job.spec.selector, spec.child('selector')));
    if (!matchesLabelSelector(job.spec.selector, labels)) {
      errors.push(invalidValue(spec.child('template', 'metadata', 'labels'), labels ?? {}, '`selector` does not match template `labels`'));
    }
  }
  return errors;
}

/** A CronJob's template: its jobs' selectors are generated. */
export function validateJobTemplateSpec(template: JobTemplateSpec, path: Path): FieldError[] {
  const job = template.spec ?? { template: {} };
  const errors = validateJobSpec(job, path.child('spec'));
  if (job.selector) errors.push(invalidValue(path.child('spec', 'selector'), job.selector, '`selector` will be auto-generated'));
  if (job.manualSelector) errors.push(notSupported(path.child('spec', 'manualSelector'), true, ['nil', 'false']));
  return errors;
}

function validateJobSpec(job: JobSpec, path: Path): FieldError[] {
  const errors = COUNTS.flatMap((field) => notNegative(path.child(field), job[field]));
  errors.push(...validateIndexed(job, path), ...validateFailurePolicy(job, path));
  errors.push(...validatePodTemplate(job.template, path.child('template')));
  const policy = job.template.spec?.restartPolicy;
  const at = path.child('template', 'spec', 'restartPolicy');
  // 'Always' is what a pod gets by default: most often the field was left out.
  if (policy === 'Always' || !policy) errors.push(required(at, 'valid values: "OnFailure", "Never"'));
  else if (policy !== 'OnFailure' && policy !== 'Never') errors.push(notSupported(at, policy, ['OnFailure', 'Never']));
  else if (policy !== 'Never' && job.podFailurePolicy) errors.push(invalidValue(at, policy, 'only "Never" is supported when podFailurePolicy is specified'));
  return errors;
}

function validateIndexed(job: JobSpec, path: Path): FieldError[] {
  const errors: FieldError[] = [];
  const mode = job.completionMode ?? 'NonIndexed';
  if (!MODES.includes(mode)) errors.push(notSupported(path.child('completionMode'), mode, MODES));
  if (mode === 'Indexed') {
    if (job.completions === undefined) errors.push(required(path.child('completions'), 'when completion mode is Indexed'));
    if ((job.parallelism ?? 0) > MAX_INDEXED_PARALLELISM) {
      errors.push(invalidValue(path.child('parallelism'), job.parallelism, `must be less than or equal to ${MAX_INDEXED_PARALLELISM} when completion mode is Indexed`));
    }
  } else {
    if (job.backoffLimitPerIndex !== undefined) errors.push(invalidValue(path.child('backoffLimitPerIndex'), job.backoffLimitPerIndex, 'requires indexed completion mode'));
    if (job.maxFailedIndexes !== undefined) errors.push(invalidValue(path.child('maxFailedIndexes'), job.maxFailedIndexes, 'requires indexed completion mode'));
    if (job.successPolicy) errors.push(invalidValue(path.child('successPolicy'), job.successPolicy, 'requires indexed completion mode'));
  }
  if (job.maxFailedIndexes !== undefined) {
    if (job.backoffLimitPerIndex === undefined) errors.push(required(path.child('backoffLimitPerIndex'), 'when maxFailedIndexes is specified'));
    if (job.completions !== undefined && job.maxFailedIndexes > job.completions) {
      errors.push(invalidValue(path.child('maxFailedIndexes'), job.maxFailedIndexes, 'must be less than or equal to completions'));
    }
  }
  return errors;
}

function validateFailurePolicy(job: JobSpec, path: Path): FieldError[] {
  if (!job.podFailurePolicy) return [];
  const { rules = [] } = job.podFailurePolicy;
  const at = path.child('podFailurePolicy', 'rules');
  const errors = rules.length > MAX_FAILURE_RULES ? [tooMany(at, rules.length, MAX_FAILURE_RULES)] : [];
  const containers = new Set([...(job.template.spec?.containers ?? []), ...(job.template.spec?.initContainers ?? [])].map((c) => c.name));
  return [...errors, ...rules.flatMap((rule, i) => validateFailureRule(rule, at.index(i), containers, job.backoffLimitPerIndex))];
}

function validateFailureRule(rule: PodFailurePolicyRule, path: Path, containers: ReadonlySet<string>, perIndex: number | undefined): FieldError[] {
  const errors: FieldError[] = [];
  if (!rule.action) errors.push(required(path.child('action'), 'valid values: ["Count" "FailIndex" "FailJob" "Ignore"]'));
  else if (!ACTIONS.includes(rule.action)) errors.push(notSupported(path.child('action'), rule.action, ACTIONS));
  else if (rule.action === 'FailIndex' && perIndex === undefined) errors.push(invalidValue(path.child('action'), rule.action, 'requires the backoffLimitPerIndex to be set'));
  const { onExitCodes, onPodConditions } = rule;
  if (onExitCodes && onPodConditions?.length) errors.push(invalidValue(path, '', 'specifying both OnExitCodes and OnPodConditions is not supported'));
  if (!onExitCodes && !onPodConditions?.length) errors.push(invalidValue(path, '', 'specifying one of OnExitCodes and OnPodConditions is required'));
  onPodConditions?.forEach((pattern, i) => {
    if (!['True', 'False', 'Unknown'].includes(pattern.status ?? '')) errors.push(notSupported(path.child('onPodConditions').index(i).child('status'), pattern.status ?? '', ['False', 'True', 'Unknown']));
  });
  if (!onExitCodes) return errors;
  const codes = path.child('onExitCodes');
  if (onExitCodes.operator !== 'In' && onExitCodes.operator !== 'NotIn') errors.push(notSupported(codes.child('operator'), onExitCodes.operator, ['In', 'NotIn']));
  if (onExitCodes.containerName && !containers.has(onExitCodes.containerName)) {
    errors.push(invalidValue(codes.child('containerName'), onExitCodes.containerName, 'must be one of the container or initContainer names in the pod template'));
  }
  const { values = [] } = onExitCodes;
  if (values.length === 0) errors.push(invalidValue(codes.child('values'), values, 'at least one value is required'));
  if (values.length > MAX_EXIT_CODES) errors.push(tooMany(codes.child('values'), values.length, MAX_EXIT_CODES));
  if (onExitCodes.operator === 'In') values.forEach((v, i) => v === 0 && errors.push(invalidValue(codes.child('values').index(i), v, 'must not be 0 for the In operator')));
  if (values.some((v, i) => i > 0 && v <= values[i - 1]!)) errors.push(invalidValue(codes.child('values'), values, 'must be ordered'));
  return errors;
}

export function validateJobUpdate(next: Job, old: Job): FieldError[] {
  const [a, b] = [next.spec, old.spec];
  const elastic = a.completionMode === 'Indexed' && a.completions === a.parallelism;
  const errors = elastic ? [] : immutable(spec.child('completions'), a.completions, a.completions === b.completions);
  errors.push(...immutable(spec.child('selector'), a.selector, deepEqual(a.selector, b.selector)));
  errors.push(...immutable(spec.child('template'), a.template, deepEqual(comparable(next, old), b.template)));
  for (const field of ['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy'] as const) {
    errors.push(...immutable(spec.child(field), a[field], deepEqual(a[field], b[field])));
  }
  return errors;
}

/** The new template as it must equal the old: scheduling directives may change while the job is suspended and never ran. */
function comparable(next: Job, old: Job): JobSpec['template'] {
  const { template } = next.spec;
  if (!old.spec.suspend || old.status.startTime !== undefined || !template.spec) return template;
  const { nodeSelector, tolerations, affinity, schedulingGates } = old.spec.template.spec ?? {};
  const { labels, annotations } = old.spec.template.metadata ?? {};
  return { ...template, metadata: { ...template.metadata, labels, annotations }, spec: { ...template.spec, nodeSelector, tolerations, affinity, schedulingGates } };
}
