/**
 * What parts of a shared device's capacity can be asked for. Models validateRequestPolicy of
 * pkg/apis/resource/validation.
 */
import type { CapacityRequestPolicy, CapacityRequestPolicyRange } from '../../../api/resource_v1.js';
import { forbiddenField, invalidValue, required, type FieldError, type Path } from '../../../machinery/meta/field.js';
import { addQuantities, compareQuantity, quantityValue } from '../../../machinery/quantity/quantity.js';
import { validateList, validateUnique } from './bounded-list.js';

const MAX_OPTIONS = 10;
const more = (a: string, b: string): boolean => compareQuantity(a, b) > 0;

export function validateRequestPolicy(capacity: string, policy: CapacityRequestPolicy, path: Path): FieldError[] {
  const { validValues: values, validRange: range, default: usual } = policy;
  if (values?.length && range)
    return [
      forbiddenField(
        path,
        'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time',
      ),
    ];
  if (!values?.length && !range) return [];
  const field = values?.length ? 'validValues' : 'validRange';
  if (!usual) return [required(path.child('default'), `required when ${field} is defined`)];
  return range
    ? validateRange(usual, capacity, range, path.child(field))
    : validateValues(usual, capacity, values ?? [], path.child(field));
}

function validateValues(usual: string, capacity: string, values: readonly string[], path: Path): FieldError[] {
  const errors = values.flatMap((value, i) =>
    i > 0 && more(values[i - 1]!, value)
      ? [invalidValue(path.index(i), value, 'values must be sorted in ascending order')]
      : [],
  );
  const larger = (value: string, at: Path): FieldError[] =>
    more(value, capacity) ? [invalidValue(at, value, `option is larger than capacity value: ${capacity}`)] : [];
  errors.push(...validateList(values, MAX_OPTIONS, path, larger));
  if (values.length <= MAX_OPTIONS)
    errors.push(...validateUnique(values, path, (value) => String(quantityValue(value))));
  const known = values.length <= MAX_OPTIONS && values.some((value) => compareQuantity(value, usual) === 0);
  return known
    ? errors
    : [...errors, invalidValue(path, usual, 'default value is not valid according to the requestPolicy')];
}

function validateRange(
  usual: string,
  capacity: string,
  { min, max, step }: CapacityRequestPolicyRange,
  path: Path,
): FieldError[] {
  if (!min) return [required(path.child('min'), 'required when validRange is defined')];
  const errors: FieldError[] = [];
  const refuse = (field: string, value: string, why: string): unknown =>
    errors.push(invalidValue(path.child(field), value, why));
  if (more(min, capacity)) refuse('min', min, `min is larger than capacity value: ${capacity}`);
  if (more(min, usual)) refuse('min', usual, `default is less than min: ${min}`);
  if (max) {
    if (more(min, max)) refuse('max', min, `min is larger than max: ${max}`);
    if (more(max, capacity)) refuse('max', max, `max is larger than capacity value: ${capacity}`);
    if (more(usual, max)) refuse('max', usual, `default is more than max: ${max}`);
  }
  if (!step) return errors;
  const one = addQuantities(min, step);
  if (more(one, capacity)) refuse('step', step, `one step ${one} is larger than capacity value: ${capacity}`);
  for (const value of max ? [usual, max] : [usual]) {
    if ((quantityValue(value) - quantityValue(min)) % quantityValue(step) !== 0)
      refuse('step', value, `value is not a multiple of a given step (${step}) from (${min})`);
  }
  return errors;
}
