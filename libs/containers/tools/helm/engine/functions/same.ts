import { GoInt, isMap, isNil } from '../../../go-template/values.js';

const MAX_DEPTH = 100;

/** Models reflect.DeepEqual, for what templates hold. */
export function isSame(a: unknown, b: unknown, depth = 0): boolean {
  if (isNil(a) || isNil(b)) return isNil(a) && isNil(b);
  if (a instanceof GoInt || b instanceof GoInt)
    return a instanceof GoInt && b instanceof GoInt && a.value === b.value && a.type === b.type;
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((one, i) => isSame(one, b[i], depth + 1));
  if (!isMap(a)) return a === b;
  if (!isMap(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isSame(a[name], b[name], depth + 1))
  );
}
