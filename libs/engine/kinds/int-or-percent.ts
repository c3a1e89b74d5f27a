/** Numbers or percentages of pods: maxUnavailable, maxSurge. Models IntOrString checks of pkg/apis/apps/validation. */
import { invalidValue, type FieldError, type Path } from '../machinery/meta/field.js';
import { isPercent, notNegative } from '../machinery/meta/validation.js';

/** The number, or the percentage's digits. */
export const getIntOrPercentValue = (value: number | string): number =>
  typeof value === 'number' ? value : Number(value.replace('%', ''));

export const validatePositiveIntOrPercent = (value: number | string, path: Path): FieldError[] =>
  typeof value === 'number' ? notNegative(path, value) : isPercent(value).map((m) => invalidValue(path, value, m));

export const validateNotMoreThan100Percent = (value: number | string, path: Path): FieldError[] =>
  typeof value === 'string' && getIntOrPercentValue(value) > 100
    ? [invalidValue(path, value, 'must not be greater than 100%')]
    : [];
