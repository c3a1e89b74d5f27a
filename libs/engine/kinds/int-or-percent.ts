/** Numbers or percentages of pods: maxUnavailable, maxSurge. Models pkg/apis/apps/validation. */
import { invalidValue, type FieldError, type Path } from '../machinery/meta/field.js';
import { isPercent, notNegative } from '../machinery/meta/validation.js';

type IntOrPercent = number | string;

/** The number, or the percentage's digits; 0 when the text is neither. */
export const getIntOrPercentValue = (value: IntOrPercent): number =>
  typeof value === 'number' ? value : Number(value.replace('%', '')) || 0;

export const validatePositiveIntOrPercent = (value: IntOrPercent, path: Path): FieldError[] =>
  typeof value === 'number' ? notNegative(path, value) : isPercent(value).map((m) => invalidValue(path, value, m));

/** Models IsNotMoreThan100Percent. */
export const validateNotMoreThan100Percent = (value: IntOrPercent, path: Path): FieldError[] =>
  typeof value === 'string' && isPercent(value).length === 0 && getIntOrPercentValue(value) > 100
    ? [invalidValue(path, value, 'must not be greater than 100%')]
    : [];
