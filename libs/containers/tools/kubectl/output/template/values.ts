import { isMap } from '../../kustomize/resource.js';

/** An int of Go's: of the template itself. Whole numbers of JSON are int64, which equal it. */
export class GoInt {
  constructor(readonly value: number) {}
}

/** What a map has no entry for. */
export const NO_VALUE = Symbol('no value');

/** As Go's %v prints it. */
export function printValue(value: unknown): string {
  if (value === NO_VALUE) return '<no value>';
  if (value === null || value === undefined) return '<nil>';
  if (value instanceof GoInt) return String(value.value);
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : printFloat(value);
  if (Array.isArray(value)) return `[${value.map(printValue).join(' ')}]`;
  if (!isMap(value)) return String(value as string);
  const keys = Object.keys(value).sort();
  return `map[${keys.map((key) => `${key}:${printValue(value[key])}`).join(' ')}]`;
}

/** %g of a float64: an exponent from a million on. */
export function printFloat(value: number): string {
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (value === 0 || (power >= -4 && power < 21 && (power < 6 || digits.replace(/[-.]/g, '').length > 21)))
    return String(value);
  const sign = power < 0 ? '-' : '+';
  return power >= 6 || power < -4 ? `${digits}e${sign}${String(Math.abs(power)).padStart(2, '0')}` : String(value);
}

/** Go's name of a type, as messages have it. */
export function typeName(value: unknown): string {
  if (value instanceof GoInt) return 'int';
  if (Array.isArray(value)) return '[]interface {}';
  if (isMap(value)) return 'map[string]interface {}';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' ? 'string' : '<nil>';
}

/** A whole number, of either kind. */
export function intOf(value: unknown): number | undefined {
  if (value instanceof GoInt) return value.value;
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined;
}

/** Models text/template IsTrue. */
export function isTrue(value: unknown): boolean {
  if (value === NO_VALUE || value === null || value === undefined || value === '' || value === 0 || value === false)
    return false;
  if (value instanceof GoInt) return value.value !== 0;
  if (Array.isArray(value)) return value.length > 0;
  return isMap(value) ? Object.keys(value).length > 0 : true;
}
