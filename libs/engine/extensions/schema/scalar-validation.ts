import { invalidValue, Path, tooLong, typeInvalid, type FieldError } from '../../machinery/meta/field.js';
import { compilePattern } from '../../machinery/text/regex.js';
import { hasFormat, isKnownFormat } from './formats.js';
import type { StructuralSchema } from './structural-schema.js';

/** Upstream prints the path of an error without a field so. */
export const NO_PATH = Path.of('<nil>');

/** The type and format that Go sees in a value. */
function goType(value: unknown): readonly [type: string, format: string] {
  if (value === null) return ['null', ''];
  if (Array.isArray(value)) return ['array', ''];
  if (typeof value === 'number')
    return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? ['integer', 'int64'] : ['number', 'float64'];
  return [typeof value, ''];
}

/** The error of a value of another type than the schema's. Models kube-openapi/pkg/validation/validate/type.go. */
export function checkType(schema: StructuralSchema, value: unknown, path: Path, body: string): FieldError[] {
  const wanted = schema['x-kubernetes-int-or-string'] ? ['integer', 'string'] : schema.type ? [schema.type] : [];
  const format = schema.format && isKnownFormat(schema.type, schema.format) ? schema.format : '';
  const mismatch = (expected: string, found: string): FieldError[] => [
    typeInvalid(path, found, `${body} must be of type ${expected}: "${found}"`),
  ];
  if (wanted.length === 0 && !format) return [];
  const [type, actual] = goType(value);
  if (type === 'null') return wanted.length > 0 ? mismatch(wanted.join(','), 'null') : [];
  const fits = wanted.includes(type) || (type === 'integer' && wanted.includes('number'));
  const hasText = type === 'string' || type === 'array';
  if (!hasText && format && !fits && actual !== format) return mismatch(format, actual);
  if (hasText && format && !wanted.includes('number') && !wanted.includes('integer')) return [];
  return fits ? [] : mismatch(wanted.join(','), type);
}

const RANGES: Readonly<Record<string, readonly [number, number]>> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int64: [-(2 ** 63), 2 ** 63],
  float: [-3.4028234663852886e38, 3.4028234663852886e38],
};

/** The error of a number that is out of the range of its type and format. Models IsValueValidAgainstRange. */
function checkRange(schema: StructuralSchema, value: number, path: Path): FieldError[] {
  const known = schema.format && isKnownFormat(schema.type, schema.format) ? schema.format : '';
  const [low, high] = RANGES[known || (schema.type === 'integer' ? 'int64' : '')] ?? [-Infinity, Infinity];
  if (value >= low && value <= high && (schema.type !== 'integer' || Number.isInteger(value))) return [];
  return [
    invalidValue(
      NO_PATH,
      '',
      `Checked value must be of type ${schema.type} ${known ? `with format ${known}` : '(default format)'} in ${path.toString()}`,
    ),
  ];
}

/** The errors of a number. Models kube-openapi/pkg/validation/validate/validator.go numberValidator. */
export function checkNumber(schema: StructuralSchema, value: number, path: Path, body: string): FieldError[] {
  const { minimum, maximum, multipleOf } = schema;
  const errors = checkRange(schema, value, path);
  errors.push(...checkMultiple(multipleOf, value, path, body));
  if (minimum !== undefined && (schema.exclusiveMinimum ? value <= minimum : value < minimum)) {
    errors.push(
      invalidValue(
        path,
        value,
        `${body} should be greater than ${schema.exclusiveMinimum ? '' : 'or equal to '}${minimum}`,
      ),
    );
  }
  if (maximum !== undefined && (schema.exclusiveMaximum ? value >= maximum : value > maximum)) {
    errors.push(
      invalidValue(
        path,
        value,
        `${body} should be less than ${schema.exclusiveMaximum ? '' : 'or equal to '}${maximum}`,
      ),
    );
  }
  return errors;
}

/** Upstream truncates the factor of an integer to an integer. */
function checkMultiple(factor: number | undefined, value: number, path: Path, body: string): FieldError[] {
  if (factor === undefined) return [];
  const of = Number.isInteger(value) ? Math.trunc(factor) : factor;
  if (of <= 0)
    return [invalidValue(path, of, `factor MultipleOf declared for ${path.toString()} must be positive: ${of}`)];
  return isMultiple(value, of) ? [] : [invalidValue(path, value, `${body} should be a multiple of ${of}`)];
}

const isMultiple = (value: number, of: number): boolean => Number.isInteger(Number((value / of).toPrecision(12)));

/** The errors of a text: of its length and pattern, then of its format. Models stringValidator and format.go. */
export function checkText(schema: StructuralSchema, value: string, path: Path, body: string): FieldError[] {
  const { type, format } = schema;
  const errors = checkTextLimits(schema, value, path, body);
  if (format !== undefined && isKnownFormat(type, format) && !hasFormat(value, format))
    errors.push(typeInvalid(path, value, `${body} must be of type ${format}: ${JSON.stringify(value)}`));
  return errors;
}

/** The first error alone. */
function checkTextLimits(
  { minLength, maxLength, pattern }: StructuralSchema,
  value: string,
  path: Path,
  body: string,
): FieldError[] {
  const length = minLength === undefined && maxLength === undefined ? 0 : [...value].length;
  if (maxLength !== undefined && length > maxLength) return [tooLong(path, maxLength)];
  if (minLength !== undefined && length < minLength)
    return [invalidValue(path, value, `${body} should be at least ${minLength} chars long`)];
  return pattern !== undefined && compilePattern(pattern)?.test(value) === false
    ? [invalidValue(path, value, `${body} should match '${pattern}'`)]
    : [];
}
