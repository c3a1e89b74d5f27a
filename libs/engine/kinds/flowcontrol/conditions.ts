import { duplicate, required, type FieldError, type Path } from '../../machinery/meta/field.js';
import { validateEach } from '../field-validation.js';

/** Of both kinds' statuses. */
export function validateConditionTypes(conditions: readonly { type?: string }[] | undefined, path: Path): FieldError[] {
  const seen = new Set<string>();
  return validateEach(conditions, path, ({ type = '' }, at) => {
    const repeated = seen.has(type) ? [duplicate(at.child('type'), type)] : [];
    seen.add(type);
    return type ? repeated : [...repeated, required(at.child('type'))];
  });
}
