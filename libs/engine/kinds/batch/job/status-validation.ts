/** What a status of a job may say. Models validateJobStatus of pkg/apis/batch/validation. */
import type { Job } from '../../../api/batch_v1.js';
import {
  duplicate,
  invalidField,
  invalidValue,
  Path,
  required,
  type FieldError,
} from '../../../machinery/meta/field.js';
import { notNegative } from '../../../machinery/meta/validation.js';
import { countIndexes } from './indexes.js';

const path = Path.of('status');
const COUNTS = ['active', 'succeeded', 'failed', 'ready', 'terminating'] as const;

export function validateJobStatus(job: Job): FieldError[] {
  const { status, spec } = job;
  const errors = [
    ...COUNTS.flatMap((field) => notNegative(path.child(field), status[field])),
    ...validateUncounted(job),
  ];
  const is = (type: string): boolean => status.conditions?.some((c) => c.type === type && c.status === 'True') ?? false;
  const conditions = (why: string): unknown => errors.push(invalidField(path.child('conditions'), why));
  const [complete, failed, met, target] = [is('Complete'), is('Failed'), is('SuccessCriteriaMet'), is('FailureTarget')];
  const finished = complete || failed;
  const {
    completionTime,
    startTime,
    active = 0,
    ready = 0,
    terminating = 0,
    uncountedTerminatedPods: uncounted,
  } = status;
  if (complete && failed) conditions('cannot set Complete=True and Failed=true conditions');
  if (complete && target) conditions('cannot set Complete=True and FailureTarget=true conditions');
  if (completionTime !== undefined && !complete)
    errors.push(
      invalidValue(
        path.child('completionTime'),
        completionTime,
        'cannot set completionTime when there is no Complete=True condition',
      ),
    );
  if (completionTime === undefined && complete)
    errors.push(required(path.child('completionTime'), 'completionTime is required for Complete jobs'));
  if (completionTime !== undefined && startTime !== undefined && Date.parse(completionTime) < Date.parse(startTime))
    errors.push(invalidValue(path.child('completionTime'), completionTime, 'must be equal to or after `startTime`'));
  if (failed && !target) conditions('cannot set Failed=True condition without the FailureTarget=true condition');
  if (complete && !met) conditions('cannot set Complete=True condition without the SuccessCriteriaMet=true condition');
  if (active > 0 && finished)
    errors.push(invalidValue(path.child('active'), active, 'active>0 is invalid for finished job'));
  if (startTime === undefined && finished)
    errors.push(required(path.child('startTime'), 'startTime is required for finished job'));
  if (finished && (uncounted?.failed?.length || uncounted?.succeeded?.length)) {
    errors.push(
      invalidValue(
        path.child('uncountedTerminatedPods'),
        { Succeeded: uncounted.succeeded ?? null, Failed: uncounted.failed ?? null },
        'must be empty for finished job',
      ),
    );
  }
  errors.push(...validateIndexes(job));
  if (terminating > 0 && finished)
    errors.push(invalidValue(path.child('terminating'), terminating, 'terminating>0 is invalid for finished job'));
  if (ready > active) errors.push(invalidValue(path.child('ready'), ready, 'cannot set more ready pods than active'));
  if (met && failed) conditions('cannot set SuccessCriteriaMet=True and Failed=true conditions');
  if (met && target) conditions('cannot set SuccessCriteriaMet=True and FailureTarget=true conditions');
  if (spec.successPolicy && !met && complete)
    conditions('cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True');
  return errors;
}

function validateUncounted({ status }: Job): FieldError[] {
  const seen = new Set<string>();
  return (['succeeded', 'failed'] as const).flatMap((field) =>
    (status.uncountedTerminatedPods?.[field] ?? []).flatMap((uid, i) => {
      const at = path.child('uncountedTerminatedPods', field).index(i);
      if (uid === '') return [invalidValue(at, uid, 'must not be empty')];
      if (seen.has(uid)) return [duplicate(at, uid)];
      seen.add(uid);
      return [];
    }),
  );
}

function validateIndexes({ spec, status }: Job): FieldError[] {
  const errors: FieldError[] = [];
  const { completedIndexes = '', failedIndexes } = status;
  const check = (field: string, text: string): void => {
    const fault = spec.completions === undefined ? 0 : countIndexes(text, spec.completions);
    if (typeof fault === 'string')
      errors.push(invalidValue(path.child(field), text, `error parsing ${field}: ${fault}`));
  };
  check('completedIndexes', completedIndexes);
  if (failedIndexes !== undefined && spec.backoffLimitPerIndex !== undefined) check('failedIndexes', failedIndexes);
  if (completedIndexes && spec.completionMode !== 'Indexed')
    errors.push(
      invalidValue(
        path.child('completedIndexes'),
        completedIndexes,
        'cannot set non-empty completedIndexes when non-indexed completion mode',
      ),
    );
  if (failedIndexes !== undefined && spec.backoffLimitPerIndex === undefined)
    errors.push(
      invalidValue(
        path.child('failedIndexes'),
        failedIndexes,
        'cannot set non-null failedIndexes when backoffLimitPerIndex is null',
      ),
    );
  return errors;
}
