import { isObject } from '../machinery/patch.js';
import type { Json } from '../machinery/object.js';

/** A value as Go's %+v prints it: {"spec":{"replicas":"x"}} is 'map[spec:map[replicas:x]]'. */
export function goMap(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(goMap).join(' ')}]`;
  if (isObject(value)) return `map[${Object.keys(value).sort().map((key) => `${key}:${goMap(value[key]!)}`).join(' ')}]`;
  return value === null ? '<nil>' : String(value);
}

const GO_KINDS: Readonly<Record<string, string>> = { number: 'int64', array: 'slice', object: 'map' };

/**
 * A strategic patch's result is converted, not decoded: the same mismatch in the converter's words. Other faults stay.
 * Models apimachinery/pkg/runtime/converter.go fromUnstructured.
 */
export function conversionFault(message: string): string {
  const found = /^json: cannot unmarshal (\S+).* into Go (?:struct field \S+|value) of type (.+)$/.exec(message);
  if (!found) return message;
  const [, json = '', type = ''] = found;
  const given = GO_KINDS[json] ?? json;
  if (/^(u?int\d*|bool|string|float\d+)$/.test(type)) return `unrecognized type: ${type}`;
  if (type.startsWith('[]')) return `cannot restore slice from ${given}`;
  if (type.startsWith('map[')) return `cannot restore map from ${given}`;
  return `cannot restore struct from: ${given}`;
}
