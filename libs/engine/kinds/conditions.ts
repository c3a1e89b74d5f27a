import type { Condition } from '../api/meta_v1.js';
import {
  duplicate,
  invalidValue,
  notSupported,
  required,
  tooLong,
  type FieldError,
  type Path,
} from '../machinery/meta/field.js';
import { invalidEach, isQualifiedName } from '../machinery/meta/validation.js';
import { validateEach } from './field-validation.js';

const STATUSES = ['False', 'True', 'Unknown'];
const MAX_REASON = 1024;
const MAX_MESSAGE = 32 * 1024;
const REASON = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';
const REASON_PATTERN = new RegExp(`^${REASON}$`);
const BAD_REASON = `a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '${REASON}')`;

/** Models apimachinery/pkg/apis/meta/v1/validation ValidateConditions. */
export function validateConditions(conditions: readonly Condition[] | undefined, path: Path): FieldError[] {
  const seen = new Set<string>();
  return validateEach(conditions, path, (condition, at) => {
    const repeated = seen.has(condition.type) ? [duplicate(at.child('type'), condition.type)] : [];
    seen.add(condition.type);
    return [...repeated, ...validateCondition(condition, at)];
  });
}

function validateCondition(
  { type = '', status = '', observedGeneration = 0, lastTransitionTime, reason, message = '' }: Condition,
  path: Path,
): FieldError[] {
  const errors = invalidEach(path.child('type'), type, isQualifiedName(type));
  if (!STATUSES.includes(status)) errors.push(notSupported(path.child('status'), status, STATUSES));
  if (observedGeneration < 0)
    errors.push(
      invalidValue(path.child('observedGeneration'), observedGeneration, 'must be greater than or equal to zero'),
    );
  if (!lastTransitionTime) errors.push(required(path.child('lastTransitionTime')));
  if (!reason) errors.push(required(path.child('reason')));
  else {
    if (!REASON_PATTERN.test(reason)) errors.push(invalidValue(path.child('reason'), reason, BAD_REASON));
    if (reason.length > MAX_REASON) errors.push(tooLong(path.child('reason'), MAX_REASON));
  }
  if (message.length > MAX_MESSAGE) errors.push(tooLong(path.child('message'), MAX_MESSAGE));
  return errors;
}
