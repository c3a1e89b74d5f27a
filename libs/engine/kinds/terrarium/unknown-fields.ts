import { invalidValue, type FieldError, type Path } from '../../machinery/meta/field.js';

/** These kinds have no schema that would prune what they do not know. */
export const unknownFields = (object: object, known: readonly string[], path: Path): FieldError[] =>
  Object.keys(object)
    .filter((field) => !known.includes(field))
    .map((field) => invalidValue(path, field, 'unknown field'));
