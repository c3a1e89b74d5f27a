import { GoInt, GoObject, isMap, isNil, NO_VALUE, typeName } from '../../../go-template/values.js';
import { copyDeep, putField, type Values } from '../../chart/values.js';
import { isSame } from './same.js';
import { fail, type FunctionTable, isEmpty, textValue, typed } from './typed.js';

const own = (map: Values, field: string): unknown => (Object.hasOwn(map, field) ? map[field] : undefined);

function dict(...pairs: readonly unknown[]): Values {
  const map: Values = {};
  for (let i = 0; i < pairs.length; i += 2)
    putField(map, textValue(pairs[i]), i + 1 < pairs.length ? pairs[i + 1] : '');
  return map;
}

/** Models mergo: what is empty in the target is taken from the source; `overwrites`: whatever the source has. */
function mergeInto(target: Values, source: Values, overwrites: boolean): Values {
  for (const [field, value] of Object.entries(source)) {
    const was = own(target, field);
    if (isMap(was) && isMap(value)) mergeInto(was, value, overwrites);
    else if (was === undefined || (overwrites ? !isNil(value) : isEmpty(was))) putField(target, field, copyDeep(value));
  }
  return target;
}

const merge =
  (overwrites: boolean) =>
  (target: Values, ...sources: readonly Values[]): Values =>
    sources.reduce<Values>((into, source) => mergeInto(into, source, overwrites), target);

/** `dig "a" "b" DEFAULT MAP`. */
function dig(...args: readonly unknown[]): unknown {
  if (args.length < 3) fail('dig needs at least three arguments');
  const [map, otherwise] = [args.at(-1), args.at(-2)];
  let found: unknown = map;
  for (const name of args.slice(0, -2)) {
    if (!isMap(found))
      return fail(`interface conversion: interface {} is ${typeName(found)}, not map[string]interface {}`);
    if (!Object.hasOwn(found, textValue(name))) return otherwise;
    found = found[textValue(name)];
  }
  return found;
}

const pick = (map: Values, isWanted: (name: string) => boolean): Values => {
  const picked: Values = {};
  for (const [name, value] of Object.entries(map)) if (isWanted(name)) putField(picked, name, value);
  return picked;
};

const namesOf = (names: readonly unknown[]): string[] => names.flat().map(textValue);

/** Functions of sprig's dict.go, defaults.go and reflect.go. */
export const MAPS: FunctionTable = {
  dict: typed('a*', dict),
  get: typed('ms', (map: Values, name: string) => own(map, name) ?? ''),
  set: typed('msa', (map: Values, name: string, value: unknown) => {
    putField(map, name, value);
    return map;
  }),
  unset: typed('ms', (map: Values, name: string) => {
    delete map[name];
    return map;
  }),
  hasKey: typed('ms', (map: Values, name: string) => Object.hasOwn(map, name)),
  keys: typed('m*', (...maps: readonly Values[]) => maps.flatMap((map) => Object.keys(map))),
  values: typed('m', (map: Values) => Object.values(map)),
  pluck: typed('sm*', (name: string, ...maps: readonly Values[]) =>
    maps.filter((map) => Object.hasOwn(map, name)).map((map) => map[name]),
  ),
  pick: typed('ma*', (map: Values, ...names: readonly unknown[]) => pick(map, (name) => namesOf(names).includes(name))),
  omit: typed('ma*', (map: Values, ...names: readonly unknown[]) =>
    pick(map, (name) => !namesOf(names).includes(name)),
  ),
  merge: typed('mm*', merge(false)),
  mustMerge: typed('mm*', merge(false)),
  mergeOverwrite: typed('mm*', merge(true)),
  mustMergeOverwrite: typed('mm*', merge(true)),
  deepCopy: typed('a', copyDeep),
  mustDeepCopy: typed('a', copyDeep),
  dig: typed('a*', dig),
  default: typed('aa*', (otherwise: unknown, ...given: readonly unknown[]) =>
    given.length === 0 || isEmpty(given[0]) ? otherwise : given[0],
  ),
  empty: typed('a', isEmpty),
  coalesce: typed('a*', (...values: readonly unknown[]) => values.find((value) => !isEmpty(value)) ?? null),
  all: typed('a*', (...values: readonly unknown[]) => values.every((value) => !isEmpty(value))),
  any: typed('a*', (...values: readonly unknown[]) => values.some((value) => !isEmpty(value))),
  ternary: typed('aab', (yes: unknown, no: unknown, which: boolean) => (which ? yes : no)),
  kindOf: typed('a', kindOf),
  kindIs: typed('sa', (kind: string, value: unknown) => kindOf(value) === kind),
  typeOf: typed('a', (value: unknown) => typeName(value)),
  typeIs: typed('sa', (type: string, value: unknown) => typeName(value) === type),
  typeIsLike: typed('sa', (type: string, value: unknown) => [type, `*${type}`].includes(typeName(value))),
  deepEqual: typed('aa', (a: unknown, b: unknown) => isSame(a, b)),
};

function kindOf(value: unknown): string {
  if (isNil(value) || value === NO_VALUE) return 'invalid';
  if (value instanceof GoInt) return value.type;
  if (value instanceof GoObject) return 'struct';
  if (Array.isArray(value)) return 'slice';
  if (isMap(value)) return 'map';
  return typeof value === 'number' ? 'float64' : typeof value === 'boolean' ? 'bool' : 'string';
}
