/** Models pkg/apis/batch/validation. */
import type {
  Job,
  JobSpec,
  JobTemplateSpec,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyRule,
  SuccessPolicyRule,
} from '../../../api/batch_v1.js';
import type { Container, PodSpec } from '../../../api/core_v1.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import {
  duplicate,
  invalidField,
  invalidValue,
  notSupported,
  Path,
  required,
  tooLong,
  tooMany,
  type FieldError,
} from '../../../machinery/meta/field.js';
import { matchesLabelSelector } from '../../../machinery/selectors/selectors.js';
import {
  immutable,
  invalidEach,
  isDNS1123Label,
  isDNS1123Subdomain,
  isQualifiedName,
  notNegative,
  validateLabelSelector,
} from '../../../machinery/meta/validation.js';
import { toInternalForm } from '../../internal-form.js';
import { templateLabelsMismatch, validatePodTemplate } from '../../core/pod/kind.js';
import { countIndexes } from './indexes.js';

const spec = Path.of('spec');
const MAX_INDEXED = 100_000;
const MAX_OF_MANY = 10_000;
const MAX_RULES = 20;
const MAX_EXIT_CODES = 255;
const MAX_MANAGED_BY = 63;
const MAX_INDEXES_TEXT = 64 * 1024;
const MODES = ['NonIndexed', 'Indexed'];
const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const STATUSES = ['False', 'True', 'Unknown'];
const OPERATORS = ['In', 'NotIn'];
const REPLACEMENTS = ['Failed', 'TerminatingOrFailed'];
const COUNTS = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
] as const;
const HTTP_PATH = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/;

export function validateJob(job: Job): FieldError[] {
  const { selector, template, completions = 0, completionMode } = job.spec;
  const errors = validateJobSpec(job.spec, spec);
  if (!selector) errors.push(required(spec.child('selector')));
  else {
    const faults = validateLabelSelector(selector, spec.child('selector'));
    errors.push(...faults);
    if (faults.length === 0 && !matchesLabelSelector(selector, template.metadata?.labels))
      errors.push(templateLabelsMismatch(template, spec));
  }
  if (completionMode !== 'Indexed' || completions <= 0) return errors;
  const hostname = `${job.metadata.name}-${completions - 1}`;
  return isDNS1123Label(hostname).length
    ? [
        ...errors,
        invalidValue(
          Path.of('metadata', 'name'),
          job.metadata.name,
          `will not able to create pod with invalid DNS label: ${hostname}`,
        ),
      ]
    : errors;
}

/** A CronJob's template: its jobs' selectors are generated. */
export function validateJobTemplateSpec(template: JobTemplateSpec, path: Path): FieldError[] {
  const job = template.spec ?? { template: {} };
  const errors = validateJobSpec(job, path.child('spec'));
  if (job.selector)
    errors.push(invalidValue(path.child('spec', 'selector'), job.selector, '`selector` will be auto-generated'));
  if (job.manualSelector) errors.push(notSupported(path.child('spec', 'manualSelector'), true, ['nil', 'false']));
  return errors;
}

function validateJobSpec(job: JobSpec, path: Path): FieldError[] {
  const errors = COUNTS.flatMap((field) => notNegative(path.child(field), job[field]));
  if (job.maxFailedIndexes !== undefined && job.backoffLimitPerIndex === undefined)
    errors.push(required(path.child('backoffLimitPerIndex'), 'when maxFailedIndexes is specified'));
  errors.push(
    ...validateManagedBy(job.managedBy, path.child('managedBy')),
    ...validateMode(job, path),
    ...validateFailurePolicy(job, path),
    ...validateSuccessPolicy(job, path.child('successPolicy')),
  );
  const replacement = job.podReplacementPolicy;
  const allowed = job.podFailurePolicy ? ['Failed'] : REPLACEMENTS;
  if (replacement !== undefined && !allowed.includes(replacement))
    errors.push(notSupported(path.child('podReplacementPolicy'), replacement, allowed));
  errors.push(...validatePodTemplate(job.template, path.child('template')));
  const policy = job.template.spec?.restartPolicy;
  const at = path.child('template', 'spec', 'restartPolicy');
  // 'Always' is what a pod gets by default: most often the field was left out.
  if (policy === 'Always' || !policy) errors.push(required(at, 'valid values: "OnFailure", "Never"'));
  else if (policy !== 'OnFailure' && policy !== 'Never') errors.push(notSupported(at, policy, ['OnFailure', 'Never']));
  else if (policy !== 'Never' && job.podFailurePolicy)
    errors.push(invalidValue(at, policy, 'only "Never" is supported when podFailurePolicy is specified'));
  return errors;
}

/** 'example.com/controller'. Models IsDomainPrefixedPath. */
function validateManagedBy(name: string | undefined, at: Path): FieldError[] {
  if (name === undefined) return [];
  if (name === '') return [required(at)];
  const slash = name.indexOf('/');
  const [host, rest] = [name.slice(0, slash), name.slice(slash + 1)];
  const tooMuch = name.length > MAX_MANAGED_BY ? [tooLong(at, MAX_MANAGED_BY)] : [];
  if (slash < 1 || !rest)
    return [invalidValue(at, name, 'must be a domain-prefixed path (such as "acme.io/foo")'), ...tooMuch];
  const errors = invalidEach(at, host, isDNS1123Subdomain(host));
  if (!HTTP_PATH.test(rest))
    errors.push(
      invalidValue(at, rest, `Invalid path (regex used for validation is '${HTTP_PATH.source.slice(1, -1)}')`),
    );
  return [...errors, ...tooMuch];
}

function validateMode(job: JobSpec, path: Path): FieldError[] {
  const {
    completionMode: mode,
    completions,
    parallelism = 0,
    maxFailedIndexes: failed,
    backoffLimitPerIndex: perIndex,
  } = job;
  const errors: FieldError[] = [];
  const over = (field: 'parallelism' | 'maxFailedIndexes', max: number, why: string): void => {
    if ((job[field] ?? 0) > max)
      errors.push(invalidValue(path.child(field), job[field], `must be less than or equal to ${max}${why}`));
  };
  if (mode !== undefined && !MODES.includes(mode)) errors.push(notSupported(path.child('completionMode'), mode, MODES));
  if (mode === 'Indexed') {
    if (completions === undefined) errors.push(required(path.child('completions'), 'when completion mode is Indexed'));
    over('parallelism', MAX_INDEXED, ' when completion mode is Indexed');
    if (completions !== undefined && failed !== undefined && failed > completions)
      errors.push(invalidValue(path.child('maxFailedIndexes'), failed, 'must be less than or equal to completions'));
    over('maxFailedIndexes', MAX_INDEXED, '');
    if ((completions ?? 0) > MAX_INDEXED && perIndex !== undefined) {
      const why = ` when completions are above ${MAX_INDEXED} and used with backoff limit per index`;
      if (failed === undefined)
        errors.push(
          required(path.child('maxFailedIndexes'), `must be specified when completions is above ${MAX_INDEXED}`),
        );
      if (parallelism > 0) over('parallelism', MAX_OF_MANY, why);
      over('maxFailedIndexes', MAX_OF_MANY, why);
    }
  } else if (mode === undefined || mode === 'NonIndexed') {
    if (perIndex !== undefined)
      errors.push(invalidValue(path.child('backoffLimitPerIndex'), perIndex, 'requires indexed completion mode'));
    if (failed !== undefined)
      errors.push(invalidValue(path.child('maxFailedIndexes'), failed, 'requires indexed completion mode'));
  }
  return errors;
}

function validateFailurePolicy(job: JobSpec, path: Path): FieldError[] {
  if (!job.podFailurePolicy) return [];
  const { rules = [] } = job.podFailurePolicy;
  const at = path.child('podFailurePolicy', 'rules');
  const errors = rules.length > MAX_RULES ? [tooMany(at, rules.length, MAX_RULES)] : [];
  const containers = new Set(
    [...(job.template.spec?.containers ?? []), ...(job.template.spec?.initContainers ?? [])].map((c) => c.name),
  );
  return [
    ...errors,
    ...rules.flatMap((rule, i) => validateFailureRule(rule, at.index(i), containers, job.backoffLimitPerIndex)),
  ];
}

const formatValidValues = (values: readonly string[]): string =>
  `valid values: [${values.map((value) => `"${value}"`).join(' ')}]`;

function validateFailureRule(
  rule: PodFailurePolicyRule,
  path: Path,
  containers: ReadonlySet<string>,
  perIndex: number | undefined,
): FieldError[] {
  const errors: FieldError[] = [];
  const { action, onExitCodes, onPodConditions = [] } = rule;
  if (!action) errors.push(required(path.child('action'), formatValidValues(ACTIONS)));
  else if (!ACTIONS.includes(action)) errors.push(notSupported(path.child('action'), action, ACTIONS));
  else if (action === 'FailIndex' && perIndex === undefined)
    errors.push(invalidValue(path.child('action'), action, 'requires the backoffLimitPerIndex to be set'));
  if (onExitCodes) errors.push(...validateExitCodes(onExitCodes, path.child('onExitCodes'), containers));
  if (onPodConditions.length > MAX_RULES)
    errors.push(tooMany(path.child('onPodConditions'), onPodConditions.length, MAX_RULES));
  onPodConditions.forEach(({ type = '', status }, i) => {
    const at = path.child('onPodConditions').index(i);
    errors.push(...invalidEach(at.child('type'), type, isQualifiedName(type)));
    if (!status) errors.push(required(at.child('status'), formatValidValues(STATUSES)));
    else if (!STATUSES.includes(status)) errors.push(notSupported(at.child('status'), status, STATUSES));
  });
  if (onExitCodes && onPodConditions.length)
    errors.push(invalidField(path, 'specifying both OnExitCodes and OnPodConditions is not supported'));
  if (!onExitCodes && !onPodConditions.length)
    errors.push(invalidField(path, 'specifying one of OnExitCodes and OnPodConditions is required'));
  return errors;
}

function validateExitCodes(
  { operator, containerName, values = [] }: PodFailurePolicyOnExitCodesRequirement,
  path: Path,
  containers: ReadonlySet<string>,
): FieldError[] {
  const errors: FieldError[] = [];
  const at = path.child('values');
  if (!operator) errors.push(required(path.child('operator'), formatValidValues(OPERATORS)));
  else if (!OPERATORS.includes(operator)) errors.push(notSupported(path.child('operator'), operator, OPERATORS));
  if (containerName !== undefined && !containers.has(containerName))
    errors.push(
      invalidValue(
        path.child('containerName'),
        containerName,
        'must be one of the container or initContainer names in the pod template',
      ),
    );
  if (values.length === 0) errors.push(invalidValue(at, null, 'at least one value is required'));
  else if (values.length > MAX_EXIT_CODES) errors.push(tooMany(at, values.length, MAX_EXIT_CODES));
  values.forEach((value, i) => {
    if (operator === 'In' && value === 0)
      errors.push(invalidValue(at.index(i), value, 'must not be 0 for the In operator'));
    if (values.indexOf(value) < i) errors.push(duplicate(at.index(i), value));
  });
  if (values.some((value, i) => i > 0 && value < values[i - 1]!))
    errors.push(invalidValue(at, values, 'must be ordered'));
  return errors;
}

function validateSuccessPolicy(job: JobSpec, path: Path): FieldError[] {
  if (!job.successPolicy) return [];
  if (job.completionMode !== 'Indexed')
    return [invalidValue(path, toInternalForm('SuccessPolicy', job.successPolicy), 'requires indexed completion mode')];
  const { rules = [] } = job.successPolicy;
  const at = path.child('rules');
  const errors =
    rules.length === 0
      ? [required(at, 'at least one rules must be specified when the successPolicy is specified')]
      : [];
  if (rules.length > MAX_RULES) errors.push(tooMany(at, rules.length, MAX_RULES));
  return [...errors, ...rules.flatMap((rule, i) => validateSuccessRule(rule, job.completions ?? 0, at.index(i)))];
}

function validateSuccessRule(
  { succeededCount: count, succeededIndexes: indexes }: SuccessPolicyRule,
  completions: number,
  path: Path,
): FieldError[] {
  const errors =
    count === undefined && indexes === undefined
      ? [required(path, 'at least one of succeededCount or succeededIndexes must be specified')]
      : [];
  const at = path.child('succeededIndexes');
  if ((indexes?.length ?? 0) > MAX_INDEXES_TEXT) errors.push(tooLong(at, MAX_INDEXES_TEXT));
  const total = indexes === undefined ? 0 : countIndexes(indexes, completions);
  if (typeof total === 'string') errors.push(invalidValue(at, indexes, `error parsing succeededIndexes: ${total}`));
  if (count === undefined) return errors;
  const own = path.child('succeededCount');
  errors.push(...notNegative(own, count));
  if (count > completions)
    errors.push(
      invalidValue(own, count, `must be less than or equal to ${completions} (the number of specified completions)`),
    );
  const named = typeof total === 'string' ? 0 : total;
  if (indexes !== undefined && count > named)
    errors.push(
      invalidValue(
        own,
        count,
        `must be less than or equal to ${named} (the number of indexes in the specified succeededIndexes field)`,
      ),
    );
  return errors;
}

export function validateJobUpdate(next: Job, old: Job): FieldError[] {
  const [a, b] = [next.spec, old.spec];
  const at = spec.child('completions');
  const errors: FieldError[] = [];
  if (a.completionMode !== 'Indexed') errors.push(...immutable(at, a.completions, a.completions === b.completions));
  else if (a.completions !== b.completions && a.completions !== undefined && a.completions !== a.parallelism)
    errors.push(invalidValue(at, a.completions, 'can only be modified in tandem with spec.parallelism'));
  errors.push(
    ...immutable(
      spec.child('selector'),
      toInternalForm('*LabelSelector', a.selector),
      deepEqual(a.selector, b.selector),
    ),
  );
  errors.push(...validateTemplateUpdate(a.template, old));
  for (const [field, type] of [
    ['completionMode', ''],
    ['podFailurePolicy', '*PodFailurePolicy'],
    ['backoffLimitPerIndex', ''],
    ['managedBy', ''],
    ['successPolicy', '*SuccessPolicy'],
  ] as const) {
    errors.push(
      ...immutable(spec.child(field), type ? toInternalForm(type, a[field]) : a[field], deepEqual(a[field], b[field])),
    );
  }
  return errors;
}

/** Where and how large a suspended job's pods are may change, once the job is known to be suspended and has none. */
function validateTemplateUpdate(template: JobSpec['template'], { spec: was, status }: Job): FieldError[] {
  const at = spec.child('template');
  const suspended =
    was.suspend && !status.active && status.conditions?.some((c) => c.type === 'Suspended' && c.status === 'True');
  if (!suspended)
    return immutable(
      at,
      toInternalForm('PodTemplateSpec', template),
      deepEqual(toInternalForm('PodTemplateSpec', template), toInternalForm('PodTemplateSpec', was.template)),
    );
  const next = template.spec ?? { containers: [] };
  const before = was.template.spec ?? { containers: [] };
  const { nodeSelector, tolerations, schedulingGates } = next;
  const affinity = { ...before.affinity, nodeAffinity: next.affinity?.nodeAffinity };
  const sized = (now: readonly Container[] = [], old: readonly Container[] | undefined): Container[] | undefined =>
    old?.map((c, i) =>
      now.length === old.length && now[i]!.name === c.name ? { ...c, resources: now[i]!.resources } : c,
    );
  const expected: PodSpec = {
    ...before,
    nodeSelector,
    tolerations,
    schedulingGates,
    containers: sized(next.containers, before.containers) ?? [],
    initContainers: sized(next.initContainers, before.initContainers),
    affinity: Object.values(affinity).some((part) => part !== undefined) || next.affinity ? affinity : undefined,
  };
  return immutable(
    at.child('spec'),
    toInternalForm('PodSpec', next),
    deepEqual(toInternalForm('PodSpec', next), toInternalForm('PodSpec', expected)),
  );
}
