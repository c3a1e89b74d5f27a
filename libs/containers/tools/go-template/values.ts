/** An integer of Go's: an int of the template itself, or an int64 of data. A plain number is a float64. */
export class GoInt {
  constructor(
    readonly value: number,
    readonly type: 'int' | 'int64' = 'int',
  ) {}
}

/** A value of Go's own with fields and methods, as helm's .Files. */
export class GoObject {
  constructor(
    /** Go's name of its type, for messages. */
    readonly type: string,
    readonly fields: Readonly<Record<string, unknown>>,
    readonly methods: Readonly<Record<string, (args: readonly unknown[]) => unknown>> = {},
    /** What is printed of it. */
    readonly text?: string,
  ) {}
}

export const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof GoInt) &&
  !(value instanceof GoObject);

export const isNil = (value: unknown): boolean => value === null || value === undefined || value === NO_VALUE;

/** What a map has no entry for. */
export const NO_VALUE = Symbol('no value');

/** As Go's %v prints it. */
export function printValue(value: unknown): string {
  if (value === NO_VALUE) return '<no value>';
  if (value === null || value === undefined) return '<nil>';
  if (value instanceof GoInt) return String(value.value);
  if (value instanceof GoObject) return value.text ?? printValue(value.fields);
  if (typeof value === 'number') return printFloat(value);
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
  if (value instanceof GoInt) return value.type;
  if (value instanceof GoObject) return value.type;
  if (Array.isArray(value)) return '[]interface {}';
  if (isMap(value)) return 'map[string]interface {}';
  if (typeof value === 'number') return 'float64';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' ? 'string' : '<nil>';
}

/** Of an integer; undefined for anything else. */
export const intOf = (value: unknown): number | undefined => (value instanceof GoInt ? value.value : undefined);

/** JSON as kubectl decodes it: whole numbers are int64. */
export function withInts(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? new GoInt(value, 'int64') : value;
  if (Array.isArray(value)) return value.map(withInts);
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withInts(one)]));
}

/** Models text/template IsTrue. */
export function isTrue(value: unknown): boolean {
  if (value === NO_VALUE || value === null || value === undefined || value === '' || value === 0 || value === false)
    return false;
  if (value instanceof GoInt) return value.value !== 0;
  if (Array.isArray(value)) return value.length > 0;
  return isMap(value) ? Object.keys(value).length > 0 : true;
}
