/** Models ValidateLimitRange of pkg/apis/core/validation. */
import type { LimitRange, LimitRangeItem } from '../../../api/core_v1.js';
import {
  duplicate,
  forbiddenField,
  invalidValue,
  Path,
  required,
  type FieldError,
} from '../../../machinery/meta/field.js';
import { compareQuantity, milliValue } from '../../../machinery/quantity/quantity.js';
import { invalidEach, isQualifiedName } from '../../../machinery/meta/validation.js';
import { isOvercommitAllowed, validateContainerResourceName, validateResourceName } from '../resource-names.js';

const TYPES = ['Container', 'PersistentVolumeClaim', 'Pod'];
const FIELDS = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;
/** Pairs of fields in ascending order, the field in the error's path, and the field whose value upstream prints. */
const ORDER = [
  ['min', 'max', 'min', 'min'],
  ['min', 'defaultRequest', 'defaultRequest', 'defaultRequest'],
  ['defaultRequest', 'max', 'defaultRequest', 'defaultRequest'],
  ['defaultRequest', 'default', 'defaultRequest', 'defaultRequest'],
  ['min', 'default', 'default', 'min'],
  ['default', 'max', 'default', 'max'],
] as const;
const LABELS = {
  min: 'min value',
  max: 'max value',
  default: 'default value',
  defaultRequest: 'default request value',
  maxLimitRequestRatio: 'ratio',
} as const;

export function validateLimitRange({ spec }: LimitRange): FieldError[] {
  const types = new Set<string>();
  return (spec.limits ?? []).flatMap((item, i) => {
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
  return TYPES.includes(type) || type.includes('/')
    ? []
    : [invalidValue(at, type, 'must be a standard limit type or fully qualified')];
}

function validateItem(item: LimitRangeItem, path: Path): FieldError[] {
  const checkNames = (...fields: readonly (keyof typeof LABELS)[]): FieldError[] =>
    fields.flatMap((field) =>
      Object.keys(item[field] ?? {}).flatMap((name) => validateName(item.type, name, path.child(field).key(name))),
    );
  const errors = checkNames('max', 'min');
  if (item.type === 'Pod') {
    for (const field of ['default', 'defaultRequest'] as const) {
      if (Object.keys(item[field] ?? {}).length)
        errors.push(forbiddenField(path.child(field), "may not be specified when `type` is 'Pod'"));
    }
  } else errors.push(...checkNames('default', 'defaultRequest'));
  if (
    item.type === 'PersistentVolumeClaim' &&
    item.min?.['storage'] === undefined &&
    item.max?.['storage'] === undefined
  ) {
    errors.push(
      required(path.child('limits'), 'either minimum or maximum storage value is required, but neither was provided'),
    );
  }
  errors.push(...checkNames('maxLimitRequestRatio'));
  const amounts = item.type === 'Pod' ? { ...item, default: {}, defaultRequest: {} } : item;
  const names = new Set(FIELDS.flatMap((field) => Object.keys(amounts[field] ?? {})));
  return [
    ...errors,
    ...[...names].flatMap((name) => [
      ...validateOrder(amounts, name, path),
      ...validateRatio(item, name, path),
      ...validateOvercommit(amounts, name, path),
    ]),
  ];
}

const validateName = (type: string, name: string, at: Path): FieldError[] =>
  type === 'Pod' || type === 'Container' ? validateContainerResourceName(name, at) : validateResourceName(name, at);

function validateOrder(item: LimitRangeItem, name: string, path: Path): FieldError[] {
  return ORDER.flatMap(([low, high, at, shown]) => {
    const [a, b] = [item[low]?.[name], item[high]?.[name]];
    if (a === undefined || b === undefined || compareQuantity(a, b) <= 0) return [];
    const label = low === 'defaultRequest' && high === 'default' ? 'default limit value' : LABELS[high];
    return [
      invalidValue(path.child(at).key(name), item[shown]![name], `${LABELS[low]} ${a} is greater than ${label} ${b}`),
    ];
  });
}

function validateRatio(
  { min, max, maxLimitRequestRatio: ratios }: LimitRangeItem,
  name: string,
  path: Path,
): FieldError[] {
  const ratio = ratios?.[name];
  if (ratio === undefined) return [];
  const at = path.child('maxLimitRequestRatio').key(name);
  const errors = compareQuantity(ratio, '1') < 0 ? [invalidValue(at, ratio, `ratio ${ratio} is less than 1`)] : [];
  const [low, high] = [min?.[name], max?.[name]];
  if (low === undefined || high === undefined) return errors;
  const limit = milliValue(high) / milliValue(low);
  return milliValue(ratio) / 1000 > limit
    ? [...errors, invalidValue(at, ratio, `ratio ${ratio} is greater than max/min = ${limit.toFixed(6)}`)]
    : errors;
}

/** The default request of a resource that cannot be overcommitted must equal its default limit. */
function validateOvercommit(item: LimitRangeItem, name: string, path: Path): FieldError[] {
  const [limit, request] = [item.default?.[name], item.defaultRequest?.[name]];
  if (
    isOvercommitAllowed(name) ||
    limit === undefined ||
    request === undefined ||
    compareQuantity(limit, request) === 0
  )
    return [];
  return [
    invalidValue(
      path.child('defaultRequest').key(name),
      request,
      `default value ${limit} must equal to defaultRequest value ${request} in ${name}`,
    ),
  ];
}
