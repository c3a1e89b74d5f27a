/**
 * File paths in volumes and mounts. Models validateLocalDescendingPath and ValidateLocalNonReservedPath of
 * pkg/apis/core/validation.
 */
import { invalidValue, type FieldError, type Path } from '../../machinery/meta/field.js';

export function validatePathNoBacksteps(text: string, path: Path, errors: FieldError[]): void {
  if (text.split('/').includes('..')) errors.push(invalidValue(path, text, "must not contain '..'"));
}

/** A relative path without '..'. */
export function validateLocalDescendingPath(text: string, path: Path, errors: FieldError[]): void {
  if (text.startsWith('/')) errors.push(invalidValue(path, text, 'must be a relative path'));
  validatePathNoBacksteps(text, path, errors);
}

/** A relative path that does not begin like the kubelet's own '..data'. */
export function validateLocalNonReservedPath(text: string, path: Path, errors: FieldError[]): void {
  validateLocalDescendingPath(text, path, errors);
  if (text.startsWith('..') && !text.startsWith('../'))
    errors.push(invalidValue(path, text, "must not start with '..'"));
}
