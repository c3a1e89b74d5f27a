import type { FieldError } from '../../../machinery/meta/field.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import { invalid } from '../../../machinery/meta/status.js';
import { validateObjectMeta, validateObjectMetaUpdate } from '../rest/object-meta.js';
import type { CreateWrite, UpdateWrite, Write } from '../write.js';

/** Throws 422 with every error of a new object. */
export function validateCreate(write: CreateWrite): void {
  const { kind, draft, context } = write;
  if (!needsValidation(write)) return;
  refuseInvalid(write, [
    ...validateObjectMeta(kind, draft),
    ...validateSpec(write),
    ...(kind.validateNew?.(draft, context) ?? []),
  ]);
}

/** Throws 422 with every error of an update. */
export function validateUpdate(write: UpdateWrite): void {
  const { kind, draft, old, context } = write;
  if (!needsValidation(write)) return;
  const metadataErrors = validateObjectMetaUpdate(kind, draft, old);
  refuseInvalid(write, [
    ...metadataErrors,
    ...validateSpec(write, old),
    ...(kind.validateUpdate?.(draft, old, context) ?? []),
  ]);
}

/** Throws 422 with every error of an update of the status. */
export function validateStatusUpdate(write: UpdateWrite): void {
  const { kind, draft, old, context } = write;
  if (!needsValidation(write)) return;
  const metadataErrors = validateObjectMetaUpdate(kind, draft, old);
  refuseInvalid(write, [...metadataErrors, ...(kind.validateStatusUpdate?.(draft, old, context) ?? [])]);
}

const needsValidation = ({ options, changedByAdmission }: Write): boolean => options.validate || changedByAdmission;

/** The rules of the kind; those of the request's version where that has rules of its own. */
function validateSpec(
  { kind, requestKind, draft, context }: CreateWrite | UpdateWrite,
  old?: KubeObject,
): FieldError[] {
  const { storedAs } = requestKind;
  return storedAs?.validate ? storedAs.validate(draft, old) : (kind.validate?.(draft, context) ?? []);
}

function refuseInvalid({ kind, draft }: CreateWrite | UpdateWrite, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid(kind, draft.metadata.name ?? '', errors);
}
