import type { Kind } from '../machinery/kind.js';
import type { Unstructured } from '../machinery/meta/object.js';
import type { AdmissionRequest } from '../runtime/admission.js';

/** What only the server sets. */
const SYSTEM = [
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'generation',
  'resourceVersion',
  'namespace',
  'managedFields',
] as const;

/** Fills the request's draft with what a policy or webhook has made of it; what the object is cannot change. */
export function replaceDraft(request: AdmissionRequest, next: Unstructured): void {
  const draft = request.object as Unstructured;
  const { apiVersion, kind, metadata } = draft;
  for (const field of Object.keys(draft)) if (!(field in next)) delete draft[field];
  Object.assign(draft, next, { apiVersion, kind });
  if (request.bodyType) return;
  draft.metadata = { ...next.metadata };
  for (const field of SYSTEM) carry(draft.metadata, metadata, field);
  if (!draft.metadata.name || request.operation !== 'CREATE') draft.metadata.name = metadata.name;
  (request.kind as Kind<Unstructured>).defaults?.(draft);
  request.revalidate();
}

function carry<K extends keyof Unstructured['metadata']>(
  to: Unstructured['metadata'],
  from: Unstructured['metadata'],
  field: K,
): void {
  if (from[field] === undefined) delete to[field];
  else to[field] = from[field];
}
