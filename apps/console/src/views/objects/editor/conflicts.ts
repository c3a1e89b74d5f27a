import { parseDocuments } from './check.js';
import type { KubeObject } from '../../../kube/object.js';

/** A field that somebody else has applied. */
export interface Conflict {
  readonly manager: string;
  readonly field: string;
}

interface Cause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** Who owns what a server-side apply would change: the causes of a Status 409. Empty for other refusals. */
export function conflictsOf(details: unknown): Conflict[] {
  const causes = (details as { causes?: readonly Cause[] } | undefined)?.causes ?? [];
  return causes.flatMap(({ reason, message = '', field = '' }) => {
    if (reason !== 'FieldManagerConflict') return [];
    const manager = /^conflict with "([^"]*)"/.exec(message)?.[1];
    return [{ manager: manager ?? message, field }];
  });
}

/** What the server fills in, and an editor need not show. */
export function withoutManaged(object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** What is left of an object when it is applied: nobody may apply what the server fills in. */
export function appliedOf(object: KubeObject): KubeObject {
  const metadata = Object.fromEntries(Object.entries(object.metadata).filter(([field]) => !SERVER_FIELDS.has(field)));
  const { status: _, ...rest } = object;
  return { ...rest, metadata } as unknown as KubeObject;
}

const SERVER_FIELDS: ReadonlySet<string> = new Set([
  'managedFields',
  'resourceVersion',
  'uid',
  'creationTimestamp',
  'generation',
]);

/** The objects of a text. Throws what the parser says. */
export function objectsOf(text: string): KubeObject[] {
  return parseDocuments(text).flatMap((document) => {
    const [error] = document.errors;
    if (error) throw new Error(error.message);
    const object = document.toJS({ maxAliasCount: 100 }) as KubeObject | null;
    return object === null || typeof object !== 'object' ? [] : [object];
  });
}
