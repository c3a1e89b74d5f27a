import { required, tooLong, type FieldError, type Path } from '../machinery/meta/field.js';
import { invalidEach, isDNS1123Subdomain } from '../machinery/meta/validation.js';

const MAX_DRIVER_NAME = 63;

/** Models pkg/apis/core/validation ValidateCSIDriverName. */
export function validateCSIDriverName(path: Path, name: string | undefined): FieldError[] {
  if (!name) return [required(path)];
  const errors = name.length > MAX_DRIVER_NAME ? [tooLong(path, MAX_DRIVER_NAME)] : [];
  return [...errors, ...invalidEach(path, name, isDNS1123Subdomain(name.toLowerCase()))];
}
