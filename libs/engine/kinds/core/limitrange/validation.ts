/** Models ValidateLimitRange of pkg/apis/core/validation. */
import type { LimitRange, LimitRangeItem } from '../../../api/core_v1.js';
import { duplicate, forbiddenField, invalidValue, Path, required, type FieldError } from '../../../machinery/field.js';
import { compareQuantity, isQuantity } from '../../../machinery/quantity.js';
import { invalidEach, isQualifiedName } from '../../../machinery/validation.js';
import { validateContainerResourceName, validateResourceName } from '../resource-names.js';

const TYPES = ['Container', 'PersistentVolumeClaim', 'Pod'];
const FIELDS = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;
/** Pairs that must be in order. */
const ORDER = [['min', 'max'], ['min', 'defaultRequest'], ['defaultRequest', 'max'], ['defaultRequest', 'default'], ['min', 'default'], ['default', 'max']] as const;
const LABELS = { min: 'min value', max: 'max value', default: 'default value', defaultRequest: 'default request value' } as const;

export function validateLimitRange({ spec }: LimitRange): FieldError[] {
  const types = new Set<string>();
  return spec.limits.flatMap((item, i) => {
    const path = Path.of('spec', 'limits').index(i);
    const errors = validateType(item.type ?? '', path.child('type'));
    if (types.has(item.type)) errors.push(duplicate(path.child('type'), item.type));
    types.add(item.type);
    return [...errors, ...validateItem(item, path)];
  });
}

function validateType(type: string, at: Path): FieldError[] {
  const messages = isQualifiedName(type);
  if (messages.length > 0) return invalidEach(at, type, messages);
  return TYPES.includes(type) || type.includes('/') ? [] : [invalidValue(at, type, 'must be a standard limit type or fully qualified')];
}

function validateItem(item: LimitRangeItem, path: Path): FieldError[] {
  const errors: FieldError[] = [];
  for (const field of FIELDS) {
    for (const [name, amount] of Object.entries(item[field] ?? {})) {
      const at = path.child(field).key(name);
      errors.push(...(item.type === 'Pod' || item.type === 'Container' ? validateContainerResourceName(name, at) : validateResourceName(name, at)));
      if (!isQuantity(amount)) errors.push(invalidValue(path.child(field).key(name), amount, 'must be a quantity'));
    }
  }
  if (errors.length > 0) return errors;
  if (item.type === 'Pod') {
    if (Object.keys(item.default ?? {}).length) errors.push(forbiddenField(path.child('default'), "may not be specified when `type` is 'Pod'"));
    if (Object.keys(item.defaultRequest ?? {}).length) errors.push(forbiddenField(path.child('defaultRequest'), "may not be specified when `type` is 'Pod'"));
  }
  if (item.type === 'PersistentVolumeClaim' && item.min?.['storage'] === undefined && item.max?.['storage'] === undefined) {
    errors.push(required(path.child('limits'), 'either minimum or maximum storage value is required, but neither was provided'));
  }
  for (const [low, high] of ORDER) {
    for (const [name, amount] of Object.entries(item[low] ?? {})) {
      const limit = item[high]?.[name];
      if (limit !== undefined && compareQuantity(amount, limit) > 0) {
        errors.push(invalidValue(path.child(low).key(name), amount, `${LABELS[low]} ${amount} is greater than ${LABELS[high]} ${limit}`));
      }
    }
  }
  for (const [name, ratio] of Object.entries(item.maxLimitRequestRatio ?? {})) {
    if (compareQuantity(ratio, '1') < 0) errors.push(invalidValue(path.child('maxLimitRequestRatio').key(name), ratio, `ratio ${ratio} is less than 1`));
  }
  return errors;
}
