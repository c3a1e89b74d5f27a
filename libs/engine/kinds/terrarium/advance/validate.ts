import { invalidValue, Path, required, type FieldError } from '../../../machinery/meta/field.js';
import { HOUR, parseTimestamp, type Millis } from '../../../machinery/time/time.js';
import { unknownFields } from '../unknown-fields.js';
import { compileCondition } from './condition.js';
import { parseSpan } from './duration.js';
import type { Advance, AdvanceSpec } from './spec.js';

const FIELDS = ['by', 'to', 'until', 'steps', 'limit', 'pause'];
const WAYS = ['by', 'to', 'until', 'steps'] as const;
export const MAX_SPAN: Millis = 366 * 24 * HOUR;
const MAX_STEPS = 1_000;
const MAX_CONDITION = 4_096;
const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const SPAN = 'must be a duration of more than 0 and at most 8784h, such as 10m';

export function validateAdvance({ spec }: Advance): FieldError[] {
  const path = Path.of('spec');
  const given = WAYS.filter((way) => spec[way] !== undefined);
  if (given.length !== 1) return [required(path, 'exactly one of by, to, until and steps')];
  return [...validateWay(spec, path), ...validateEnd(spec, path), ...unknownFields(spec, FIELDS, path)];
}

function validateWay({ by, to, until, steps }: AdvanceSpec, path: Path): FieldError[] {
  if (by !== undefined) return isSpan(by) ? [] : [invalidValue(path.child('by'), by, SPAN)];
  if (to !== undefined)
    return isTime(to) ? [] : [invalidValue(path.child('to'), to, 'must be a time such as 2026-01-31T09:00:00Z')];
  if (steps !== undefined)
    return Number.isInteger(steps) && steps >= 0 && steps <= MAX_STEPS
      ? []
      : [invalidValue(path.child('steps'), steps, `must be a whole number from 0 to ${MAX_STEPS}`)];
  if (typeof until !== 'string' || until.length > MAX_CONDITION)
    return [invalidValue(path.child('until'), until, `must be an expression of at most ${MAX_CONDITION} characters`)];
  const { error } = compileCondition(until);
  return error === undefined ? [] : [invalidValue(path.child('until'), until, error)];
}

function validateEnd({ until, limit, pause }: AdvanceSpec, path: Path): FieldError[] {
  const errors: FieldError[] = [];
  if (limit !== undefined && !isSpan(limit)) errors.push(invalidValue(path.child('limit'), limit, SPAN));
  if (limit !== undefined && until === undefined)
    errors.push(invalidValue(path.child('limit'), limit, 'may only be set with until'));
  if (pause !== undefined && typeof pause !== 'boolean')
    errors.push(invalidValue(path.child('pause'), pause, 'must be true or false'));
  return errors;
}

function isSpan(text: unknown): boolean {
  const span = typeof text === 'string' ? parseSpan(text) : undefined;
  return span !== undefined && span > 0 && span <= MAX_SPAN;
}

const isTime = (text: unknown): boolean =>
  typeof text === 'string' && RFC3339.test(text) && !Number.isNaN(parseTimestamp(text));
