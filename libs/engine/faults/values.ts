import { parseDuration } from '../machinery/cel/values.js';
import { invalidValue, notSupported, required, type FieldError, type Path } from '../machinery/meta/field.js';
import type { Millis } from '../machinery/time/time.js';

/** One parameter of a type of fault. Without a default it has to be given. */
export type Parameter = { readonly about: string } & (
  | { readonly type: 'duration'; readonly default?: string; readonly isSigned?: boolean }
  | { readonly type: 'percent'; readonly default?: number }
  | { readonly type: 'integer'; readonly min: number; readonly max: number; readonly default?: number }
  | { readonly type: 'choice'; readonly of: readonly string[]; readonly default?: string }
  | { readonly type: 'text'; readonly default?: string }
  | { readonly type: 'boolean'; readonly default: boolean }
);
export type Parameters = Readonly<Record<string, Parameter>>;

/** A duration of a fault: Go's, of a year at most. */
export const MAX_SPAN: Millis = 366 * 24 * 3_600_000;
const MAX_TEXT = 1_024;

/** ms of '1h30m', '250ms', '-5m'; undefined: it is none. */
export function readSpan(text: unknown): Millis | undefined {
  if (typeof text !== 'string' || text.length > 40) return undefined;
  const found = parseDuration(text);
  const ms = found === undefined ? NaN : Number(found.nanos / 1_000_000n);
  return Math.abs(ms) <= MAX_SPAN ? ms : undefined;
}

/** Reads parameters that were validated, with their defaults. */
export class Values {
  constructor(
    private readonly rules: Parameters,
    private readonly given: Readonly<Record<string, unknown>> = {},
  ) {}

  private of(name: string): unknown {
    return this.given[name] ?? this.rules[name]?.default;
  }

  ms(name: string): Millis {
    return readSpan(this.of(name)) ?? 0;
  }

  number(name: string): number {
    return Number(this.of(name) ?? 0);
  }

  text<T extends string>(name: string): T {
    return String(this.of(name) ?? '') as T;
  }

  is(name: string): boolean {
    return this.of(name) === true;
  }
}

export function validateValues(rules: Parameters, given: Readonly<Record<string, unknown>>, path: Path): FieldError[] {
  const unknown = Object.keys(given)
    .filter((name) => rules[name] === undefined)
    .map((name) => notSupported(path, name, Object.keys(rules)));
  const wrong = Object.entries(rules).flatMap(([name, rule]) => validateValue(rule, given[name], path.child(name)));
  return [...unknown, ...wrong];
}

function validateValue(rule: Parameter, value: unknown, path: Path): FieldError[] {
  if (value === undefined) return rule.default === undefined ? [required(path)] : [];
  const wrong = (detail: string): FieldError[] => [invalidValue(path, value, detail)];
  const isWhole = (min: number, max: number): boolean =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
  switch (rule.type) {
    case 'duration': {
      const span = readSpan(value);
      if (span === undefined) return wrong('must be a duration such as "30s" or "1h30m"');
      return span < 0 && !rule.isSigned ? wrong('must be greater than or equal to 0') : [];
    }
    case 'percent':
      return typeof value === 'number' && value >= 0 && value <= 100 ? [] : wrong('must be a number of 0 to 100');
    case 'integer':
      return isWhole(rule.min, rule.max) ? [] : wrong(`must be between ${rule.min} and ${rule.max}, inclusive`);
    case 'choice':
      return rule.of.includes(value as string) ? [] : [notSupported(path, value, rule.of)];
    case 'text':
      return typeof value === 'string' && value.length <= MAX_TEXT ? [] : wrong('must be a text');
    case 'boolean':
      return typeof value === 'boolean' ? [] : wrong('must be true or false');
  }
}
