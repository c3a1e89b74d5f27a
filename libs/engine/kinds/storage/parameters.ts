import { invalidValue, tooLong, type FieldError, type Path } from '../../machinery/meta/field.js';

const MAX_PARAMETERS = 512;
const MAX_PARAMETER_BYTES = 256 * 1024;

/** Of StorageClasses and VolumeAttributesClasses. Models pkg/apis/storage/validation validateParameters. */
export function validateParameters(parameters: Readonly<Record<string, string>>, path: Path): FieldError[] {
  const entries = Object.entries(parameters);
  if (entries.length > MAX_PARAMETERS) return [tooLong(path, MAX_PARAMETERS)];
  const errors = entries.flatMap(([key]) => (key ? [] : [invalidValue(path, key, 'field can not be empty.')]));
  const size = entries.reduce((sum, [key, value]) => sum + key.length + value.length, 0);
  return size > MAX_PARAMETER_BYTES ? [...errors, tooLong(path, MAX_PARAMETER_BYTES)] : errors;
}
