import type { Kind } from '../../machinery/kind.js';

/** A manager of fields, the version of the resource that it writes, and the subresource that it writes through. */
export interface FieldManager {
  readonly manager: string;
  readonly kind: Kind;
  /** '' for the object itself. */
  readonly subresource: string;
}

/** Who owns the fields that a write changes. */
export type FieldOwner =
  /** The field manager of an API request. */
  | ({ readonly type: 'manager' } & FieldManager)
  /** The component that writes, under its program's name. Its entries may be deferred: runtime/managed-fields.ts. */
  | { readonly type: 'component' }
  /** No one: the write is not tracked (a Binding), or the draft already carries the managedFields to store (apply). */
  | { readonly type: 'none' };

export const COMPONENT_OWNER: FieldOwner = Object.freeze({ type: 'component' });
export const NO_OWNER: FieldOwner = Object.freeze({ type: 'none' });
