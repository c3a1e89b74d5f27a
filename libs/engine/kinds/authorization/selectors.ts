import type {
  FieldSelectorAttributes,
  LabelSelectorAttributes,
  ResourceAttributes,
} from '../../api/authorization_v1.js';
import { forbiddenField, invalidValue, Path, required, type FieldError } from '../../machinery/meta/field.js';
import { parseFieldSelector, parseLabelSelector } from '../../machinery/selectors/selectors.js';
import { invalidEach, isLabelValue, isQualifiedName } from '../../machinery/meta/validation.js';

type Attributes = FieldSelectorAttributes | LabelSelectorAttributes;
const PATH = Path.of('spec', 'resourceAttributes');
const FIELD_OPERATORS: ReadonlyMap<string, string> = new Map([
  ['In', '='],
  ['NotIn', '!='],
]);

/**
 * Models pkg/apis/authorization/validation validateResourceAttributes: operators that nobody knows yet are let pass.
 */
export const validateSelectors = ({ fieldSelector, labelSelector }: ResourceAttributes): FieldError[] => [
  ...validateSelector(
    fieldSelector,
    PATH.child('fieldSelector'),
    (key, path) => (key ? [] : [required(path, 'must be specified')]),
    () => [],
  ),
  ...validateSelector(
    labelSelector,
    PATH.child('labelSelector'),
    (key, path) => invalidEach(path, key, isQualifiedName(key)),
    isLabelValue,
  ),
];

function validateSelector(
  selector: Attributes | undefined,
  path: Path,
  checkKey: (key: string, path: Path) => FieldError[],
  checkValue: (value: string) => string[],
): FieldError[] {
  if (!selector) return [];
  const { rawSelector, requirements = [] } = selector;
  const errors: FieldError[] = [];
  if (rawSelector && requirements.length)
    errors.push(
      invalidValue(path.child('rawSelector'), rawSelector, 'may not specified at the same time as requirements'),
    );
  if (!rawSelector && !requirements.length)
    errors.push(
      required(path.child('requirements'), `when ${path} is specified, requirements or rawSelector is required`),
    );
  requirements.forEach(({ key, operator, values }, i) => {
    const at = path.child('requirements').index(i);
    if ((operator === 'In' || operator === 'NotIn') && !values?.length)
      errors.push(required(at.child('values'), "must be specified when `operator` is 'In' or 'NotIn'"));
    if ((operator === 'Exists' || operator === 'DoesNotExist') && values?.length)
      errors.push(
        forbiddenField(at.child('values'), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
      );
    errors.push(...checkKey(key, at.child('key')));
    values?.forEach((value, j) => errors.push(...invalidEach(at.child('values').index(j), value, checkValue(value))));
  });
  return errors;
}

/**
 * What an authorizer sees of a field selector, as text; what it cannot be told of is left out. Models
 * pkg/registry/authorization/util fieldSelectorAsSelector.
 */
export function fieldSelectorText(selector: FieldSelectorAttributes | undefined): {
  readonly text: string;
  readonly ignored: boolean;
} {
  if (!selector) return { text: '', ignored: false };
  if (selector.rawSelector)
    return parses(() => parseFieldSelector(selector.rawSelector!))
      ? { text: selector.rawSelector, ignored: false }
      : { text: '', ignored: true };
  const { requirements = [] } = selector;
  const known = requirements.filter(({ operator, values }) => FIELD_OPERATORS.has(operator) && values?.length === 1);
  return {
    text: known.map(({ key, operator, values }) => `${key}${FIELD_OPERATORS.get(operator)}${values![0]}`).join(','),
    ignored: known.length < requirements.length,
  };
}

/** What could not be told to the authorizer, in upstream's words. Models BuildEvaluationError. */
export function selectorErrors({ fieldSelector, labelSelector }: ResourceAttributes): string {
  const field = fieldSelectorText(fieldSelector);
  const labels =
    labelSelector?.rawSelector !== undefined &&
    labelSelector.rawSelector !== '' &&
    !parses(() => parseLabelSelector(labelSelector.rawSelector!));
  return [
    ...(field.ignored
      ? [`spec.resourceAttributes.fieldSelector ${field.text ? 'partially ' : ''}ignored due to parse error`]
      : []),
    ...(labels ? ['spec.resourceAttributes.labelSelector ignored due to parse error'] : []),
  ].join('; ');
}

function parses(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch {
    return false;
  }
}
