import type { KubeObject, Unstructured } from '../../../machinery/meta/object.js';
import type { CreateWrite, UpdateWrite } from '../write.js';
import { setOrDrop } from './metadata.js';

export function prepareForCreate({ kind, draft, context }: CreateWrite): void {
  kind.prepareForCreate?.(draft, context);
}

export function prepareForUpdate({ kind, draft, old, context }: UpdateWrite): void {
  kind.prepareForUpdate?.(draft, old, context);
}

export function prepareForStatusUpdate({ kind, draft, old, context }: UpdateWrite): void {
  kind.prepareForStatusUpdate?.(draft, old, context);
}

/** An update of an object whose kind has a status subresource leaves the status as it is. */
export function keepStatus({ kind, draft, old }: UpdateWrite): void {
  if (kind.subresources?.status) (draft as Unstructured)['status'] = (old as Unstructured)['status'];
}

export function keepStatusAfterAdmission(write: UpdateWrite): void {
  if (write.changedByAdmission) keepStatus(write);
}

/** An update of the status takes of the rest only the metadata that the kind's status strategy lets through. */
export function keepAllButStatus({ kind, draft, old }: UpdateWrite): void {
  copyAllButStatus(draft, old);
  for (const field of kind.statusKeeps ?? []) setOrDrop(draft.metadata, field, old.metadata[field]);
}

export function keepAllButStatusAfterAdmission(write: UpdateWrite): void {
  if (write.changedByAdmission) keepAllButStatus(write);
}

function copyAllButStatus(draft: KubeObject, old: KubeObject): void {
  const [to, from] = [draft as Unstructured, old as Unstructured];
  for (const field of Object.keys(to)) if (isOutsideStatus(field) && !(field in from)) delete to[field];
  for (const field of Object.keys(from)) if (isOutsideStatus(field)) to[field] = from[field];
}

const isOutsideStatus = (field: string): boolean => field !== 'status' && field !== 'metadata';
