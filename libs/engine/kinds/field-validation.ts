import { deepEqual } from '../machinery/meta/equal.js';
import { notSupported, required, type FieldError, type Path } from '../machinery/meta/field.js';
import { immutable, invalidEach } from '../machinery/meta/validation.js';

/** The text is required and must satisfy the rule. */
export const validateRequiredText = (
  path: Path,
  value: string | undefined,
  rule: (text: string) => readonly string[] = () => [],
): FieldError[] => (value ? invalidEach(path, value, rule(value)) : [required(path)]);

/** A text that is neither absent nor empty must satisfy the rule. */
export const validateOptionalText = (
  path: Path,
  value: string | undefined,
  rule: (text: string) => readonly string[],
): FieldError[] => (value ? invalidEach(path, value, rule(value)) : []);

/** A text that upstream holds in a pointer: '' must satisfy the rule too. */
export const validateTextPointer = (
  path: Path,
  value: string | null | undefined,
  rule: (text: string) => readonly string[],
): FieldError[] => (value === undefined || value === null ? [] : invalidEach(path, value, rule(value)));

export const validateOptionalEnum = (path: Path, value: string | undefined, allowed: readonly string[]): FieldError[] =>
  value === undefined || allowed.includes(value) ? [] : [notSupported(path, value, allowed)];

export const validateRequiredEnum = (path: Path, value: string | undefined, allowed: readonly string[]): FieldError[] =>
  value ? validateOptionalEnum(path, value, allowed) : [required(path)];

/** Models apimachinery's ValidateImmutableField. */
export const validateImmutableField = (path: Path, value: unknown, old: unknown): FieldError[] =>
  immutable(path, value, deepEqual(value, old));

export const validateEach = <T>(
  items: readonly T[] | undefined,
  path: Path,
  check: (item: T, path: Path) => FieldError[],
): FieldError[] => (items ?? []).flatMap((item, i) => check(item, path.index(i)));
