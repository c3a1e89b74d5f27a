/** Field errors in upstream's words. Models apimachinery/pkg/util/validation/field/errors.go. */
export type FieldErrorType =
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueDuplicate'
  | 'FieldValueNotFound'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'InternalError';

export interface FieldError {
  readonly type: FieldErrorType;
  readonly field: string;
  /** The text without the path: 'Invalid value: 80800: must be between 1 and 65535, inclusive'. */
  readonly body: string;
  /** 'spec.ports[0].port: Invalid value: ...' */
  readonly message: string;
}

/** A path into an object, as upstream prints it: root('spec').child('ports').index(0). */
export class Path {
  private constructor(private readonly text: string) {}
  static of(...names: string[]): Path {
    return new Path(names.join('.'));
  }
  child(...names: string[]): Path {
    return new Path(this.text ? `${this.text}.${names.join('.')}` : names.join('.'));
  }
  index(i: number): Path {
    return new Path(`${this.text}[${i}]`);
  }
  key(k: string): Path {
    return new Path(`${this.text}[${k}]`);
  }
  toString(): string {
    return this.text;
  }
}

/** A value that is too large to be printed. */
export const OMITTED: unique symbol = Symbol('omitted');

const error = (type: FieldErrorType, path: Path, body: string): FieldError => {
  const field = path.toString();
  return { type, field, body, message: `${field}: ${body}` };
};

export const required = (path: Path, detail = ''): FieldError =>
  error('FieldValueRequired', path, detail ? `Required value: ${detail}` : 'Required value');
export const invalidValue = (path: Path, value: unknown, detail: string): FieldError =>
  error(
    'FieldValueInvalid',
    path,
    value === OMITTED ? `Invalid value: ${detail}` : `Invalid value: ${goValue(value)}: ${detail}`,
  );
export const duplicate = (path: Path, value: unknown): FieldError =>
  error('FieldValueDuplicate', path, value === OMITTED ? 'Duplicate value' : `Duplicate value: ${goValue(value)}`);
export const notFoundValue = (path: Path, value: unknown, detail = ''): FieldError =>
  error('FieldValueNotFound', path, `Not found: ${goValue(value)}${detail && `: ${detail}`}`);
/** 'Invalid value: must be …': the value itself is not worth printing. */
export const invalidField = (path: Path, detail: string): FieldError =>
  error('FieldValueInvalid', path, `Invalid value: ${detail}`);
/** The values are printed in the order given. */
export const notSupported = (path: Path, value: unknown, supported: readonly string[]): FieldError =>
  error(
    'FieldValueNotSupported',
    path,
    `Unsupported value: ${goValue(value)}${supported.length ? `: supported values: ${supported.map((v) => `"${v}"`).join(', ')}` : ''}`,
  );
export const forbiddenField = (path: Path, detail: string): FieldError =>
  error('FieldValueForbidden', path, `Forbidden: ${detail}`);
export const tooLong = (path: Path, max: number): FieldError =>
  error('FieldValueTooLong', path, `Too long: may not be more than ${max} bytes`);
export const tooMany = (path: Path, actual: number, max: number): FieldError =>
  error('FieldValueTooMany', path, `Too many: ${actual}: must have at most ${max} item${max === 1 ? '' : 's'}`);
export const typeInvalid = (path: Path, value: unknown, detail: string): FieldError =>
  error('FieldValueTypeInvalid', path, `Invalid value: ${goValue(value)}: ${detail}`);

/** Go's %q for strings, plain for numbers and booleans, JSON for the rest. */
export function goValue(value: unknown): string {
  if (value === undefined || value === null) return 'null';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return JSON.stringify(value).replace(/[<>&]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`);
}
