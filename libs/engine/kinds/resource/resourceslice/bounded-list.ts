import { duplicate, type FieldError, type Path } from '../../../machinery/meta/field.js';
import { validateEach } from '../../field-validation.js';
import { atMost } from '../claims.js';

/** At most `most` items, else only that is said. */
export const validateList = <T>(
  items: readonly T[] | undefined,
  most: number,
  path: Path,
  check: (item: T, path: Path) => FieldError[],
): FieldError[] => {
  const many = atMost(items, most, path);
  return many.length > 0 ? many : validateEach(items, path, check);
};

/** The second and every further item of one key. */
export function validateUnique<T>(
  items: readonly T[] | undefined,
  path: Path,
  keyOf: (item: T) => string,
): FieldError[] {
  const seen = new Set<string>();
  return validateEach(items, path, (item, at) => {
    const key = keyOf(item);
    const again = seen.has(key);
    seen.add(key);
    return again ? [duplicate(at, key)] : [];
  });
}
