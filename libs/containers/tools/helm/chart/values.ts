import type { Plain } from '../../../../engine/kernel/process/program.js';
import { GoInt, GoObject, isMap } from '../../go-template/values.js';
import { HelmFailure } from '../failure.js';
import { type Chart, dependenciesOf, nameOf, type PlainMap } from './chart.js';

/** Values while a command works: integers of --set are GoInt. */
export type Values = Record<string, unknown>;

type Warn = (line: string) => void;

/** Puts an own field, whatever its name is. */
export function putField(map: Values, field: string, value: unknown): void {
  Object.defineProperty(map, field, { value, writable: true, enumerable: true, configurable: true });
}

const own = (map: Values, field: string): unknown => (Object.hasOwn(map, field) ? map[field] : undefined);

export function copyDeep<T>(value: T): T {
  if (Array.isArray(value)) return value.map((one: unknown) => copyDeep(one)) as T;
  if (!isMap(value)) return value;
  const copy: Values = {};
  for (const [field, one] of Object.entries(value)) putField(copy, field, copyDeep(one));
  return copy as T;
}

/** Values as they are stored. */
export function plainOf(value: unknown): Plain {
  if (value instanceof GoInt) return value.value;
  if (value instanceof GoObject) return plainOf(value.fields);
  if (Array.isArray(value)) return value.map(plainOf);
  if (isMap(value)) {
    const copy: PlainMap = {};
    for (const [field, one] of Object.entries(value)) putField(copy, field, plainOf(one));
    return copy;
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

/** A later file of -f over an earlier one. Models pkg/cli/values mergeMaps. */
export function mergeMaps(a: Values, b: Values): Values {
  const merged = { ...a };
  for (const [field, value] of Object.entries(b)) {
    const was = own(merged, field);
    putField(merged, field, isMap(value) && isMap(was) ? mergeMaps(was, value) : value);
  }
  return merged;
}

/**
 * What a chart's templates see: what was given over the chart's own values, and so for each chart within. Models
 * pkg/chartutil CoalesceValues.
 */
export function coalesceValues(chart: Chart, given: Values, warn: Warn): Values {
  return coalesce(chart, copyDeep(given), nameOf(chart), warn);
}

function coalesce(chart: Chart, target: Values, prefix: string, warn: Warn): Values {
  for (const [field, value] of Object.entries(copyDeep(chart.values) as Values)) {
    if (!Object.hasOwn(target, field)) putField(target, field, value);
    else if (target[field] === null) delete target[field];
    else if (isMap(target[field])) {
      const merges = chart.dependencies.some((one) => nameOf(one) === field);
      if (isMap(value)) coalesceTables(target[field], value, `${prefix}.${field}`, merges, warn);
      else if (value !== null) warn(`warning: skipped value for ${prefix}.${field}: Not a table.`);
    }
  }
  for (const inner of chart.dependencies) {
    const name = nameOf(inner);
    if (!Object.hasOwn(target, name)) putField(target, name, {});
    const values = target[name];
    if (!isMap(values)) throw new HelmFailure(`type mismatch on ${name}: %!t(${String(values)})`);
    passGlobals(values, target);
    coalesce(inner, values, `${prefix}.${name}`, warn);
  }
  return target;
}

/** `global` of a chart is known to the charts within. */
function passGlobals(target: Values, source: Values): void {
  const from = own(source, 'global') ?? {};
  const into = own(target, 'global') ?? {};
  if (!isMap(from) || !isMap(into)) return;
  for (const [field, value] of Object.entries(from)) {
    const was = own(into, field);
    if (isMap(value)) {
      const copy = copyDeep(value) as Values;
      if (was !== undefined && !isMap(was)) continue;
      if (isMap(was)) coalesceTables(copy, was, field, true, () => undefined);
      putField(into, field, copy);
    } else if (!isMap(was)) putField(into, field, value);
  }
  putField(target, 'global', into);
}

/** `target` has the last word; a null of its own takes the field away, unless `merges`. */
export function coalesceTables(target: Values, source: Values, prefix: string, merges: boolean, warn: Warn): Values {
  for (const [field, value] of Object.entries(source)) {
    const full = prefix === '' ? field : `${prefix}.${field}`;
    if (!Object.hasOwn(target, field)) putField(target, field, value);
    else if (target[field] === null && !merges) delete target[field];
    else if (isMap(value)) {
      if (isMap(target[field])) coalesceTables(target[field], value, full, merges, warn);
      else warn(`warning: cannot overwrite table with non table for ${full} (${JSON.stringify(value)})`);
    } else if (isMap(target[field]) && value !== null)
      warn(`warning: destination for ${full} is a table. Ignoring non-table value (${JSON.stringify(value)})`);
  }
  return target;
}

/** A value by its path with dots; undefined: there is none. */
export function valueAt(values: Values, path: string): unknown {
  return path.split('.').reduce<unknown>((found, part) => (isMap(found) ? own(found, part) : undefined), values);
}

/**
 * Takes the charts within away that their condition or tags switch off, and names them by their alias. Models
 * pkg/chartutil ProcessDependencies, without import-values.
 */
export function processDependencies(chart: Chart, given: Values): void {
  const listed = dependenciesOf(chart);
  const values = coalesceTables(copyDeep(given), copyDeep(chart.values) as Values, '', true, () => undefined);
  const tags = own(values, 'tags');
  const kept: Chart[] = [];
  for (const one of listed) {
    const found = chart.dependencies.find((inner) => nameOf(inner) === one.name);
    if (!found) continue;
    const states = one.tags
      .map((tag) => (isMap(tags) ? own(tags, tag) : undefined))
      .filter((state) => state !== undefined);
    let isOn = states.length === 0 || states.includes(true);
    for (const path of one.condition.split(',').map((part) => part.trim())) {
      const value = path === '' ? undefined : valueAt(values, path);
      if (typeof value !== 'boolean') continue;
      isOn = value;
      break;
    }
    if (isOn) kept.push(one.alias === '' ? found : { ...found, metadata: { ...found.metadata, name: one.alias } });
  }
  const unlisted = chart.dependencies.filter((inner) => !listed.some(({ name }) => name === nameOf(inner)));
  chart.dependencies = [...kept, ...unlisted];
  for (const inner of chart.dependencies) {
    const below = own(values, nameOf(inner));
    processDependencies(inner, isMap(below) ? below : {});
  }
}
