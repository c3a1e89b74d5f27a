import type { Kind } from '../machinery/kind.js';
import type { Unstructured } from '../machinery/meta/object.js';
import type { AdmissionRequest } from '../runtime/admission.js';

/** Only the server sets these fields: policies and webhooks cannot change them. */
const SYSTEM_FIELDS = [
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'generation',
  'resourceVersion',
  'namespace',
  'managedFields',
] as const;

/**
 * Replaces the request's object with what a policy or webhook has made of it, defaults it and asks for validation. Its
 * type, name and system metadata stay.
 */
export function replaceDraft(request: AdmissionRequest, next: Unstructured): void {
  const draft = request.object as Unstructured;
  const { apiVersion, kind, metadata } = draft;
  for (const field of Object.keys(draft)) if (!(field in next)) delete draft[field];
  Object.assign(draft, next, { apiVersion, kind });
  if (request.bodyType) return;
  draft.metadata = { ...next.metadata };
  for (const field of SYSTEM_FIELDS) copyField(draft.metadata, metadata, field);
  if (!draft.metadata.name || request.operation !== 'CREATE') draft.metadata.name = metadata.name;
  (request.kind as Kind<Unstructured>).defaults?.(draft);
  request.revalidate();
}

function copyField<K extends keyof Unstructured['metadata']>(
  to: Unstructured['metadata'],
  from: Unstructured['metadata'],
  field: K,
): void {
  if (from[field] === undefined) delete to[field];
  else to[field] = from[field];
}
