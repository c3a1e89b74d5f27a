/**
 * File paths in volumes and mounts. Models validateLocalDescendingPath and ValidateLocalNonReservedPath of
 * pkg/apis/core/validation.
 */
import { invalidValue, type FieldError, type Path } from '../../machinery/meta/field.js';

export function backstepFree(text: string, path: Path, errors: FieldError[]): void {
  if (text.split('/').includes('..')) errors.push(invalidValue(path, text, "must not contain '..'"));
}

/** A relative path that never climbs. */
export function descending(text: string, path: Path, errors: FieldError[]): void {
  if (text.startsWith('/')) errors.push(invalidValue(path, text, 'must be a relative path'));
  backstepFree(text, path, errors);
}

/** A relative path beside the kubelet's own '..data'. */
export function notReserved(text: string, path: Path, errors: FieldError[]): void {
  descending(text, path, errors);
  if (text.startsWith('..') && !text.startsWith('../'))
    errors.push(invalidValue(path, text, "must not start with '..'"));
}
