import type { FieldSet } from './managedfields/set.js';
import type { FieldError } from './meta/field.js';
import type { KubeObject } from './meta/object.js';
import type { Column } from './meta/table.js';
import type { Reader, Writer } from './reader.js';
import type { Of, Resource } from './resource.js';
import type { Subresources } from './requests/subresources.js';
import type { Millis } from './time/time.js';
import type { Verb } from './requests/verbs.js';
import type { WriteContext } from './write-context.js';

export type { Of, Resource } from './resource.js';
export * from './requests/subresources.js';
export * from './requests/verbs.js';
export type { WriteContext } from './write-context.js';

/** The rule that names of objects follow; the messages are upstream's. */
export type NameRule = 'subdomain' | 'label' | 'label1035' | 'pathSegment';

/**
 * One kind of object. Routes, discovery, OpenAPI, tables, validation, storage and GraphQL derive from this value; a
 * CRD compiles to the same value at run time. Models the REST strategies of pkg/registry and the printers of
 * pkg/printers/internalversion.
 *
 * A write calls the hooks in this order: `defaults`; after mutating admission `prepareForCreate` or `prepareForUpdate`,
 * then `validate` with `validateNew` or `validateUpdate`, then `warnings`. A `prepareFor` hook gets a draft of its
 * own and may change it. `defaults` only fills what is missing, since drafts of controllers share subtrees that are
 * complete already. Hooks return field errors where a field is at fault, and throw ApiError where none is.
 */
export interface Kind<T extends KubeObject = KubeObject> extends Resource<T> {
  readonly singular: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** Name in the schema's definitions: 'io.k8s.api.core.v1.Pod'. */
  readonly definition: string;
  /** OpenAPI v3 schema of a kind that is not in the definitions: a CRD's openAPIV3Schema. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** By default ALL_VERBS. Objects of a kind with 'create' alone are answered by `evaluate` and never stored. */
  readonly verbs?: readonly Verb[];
  /** By default 'subdomain'. */
  readonly nameRule?: NameRule;
  readonly subresources?: Subresources<T>;

  // ---- versions ----

  /** Of a further version of a stored kind: the kind that is stored, and the conversion to and from it. */
  readonly storedAs?: {
    readonly kind: Kind;
    toStorage(object: T): KubeObject;
    fromStorage(object: KubeObject): T;
    /** Replaces the stored kind's rules for requests in this version. Both objects are in the stored version. */
    validate?(object: KubeObject, old: KubeObject | undefined): FieldError[];
  };
  /** Converts stored objects of any version to this one (CRDs). Throws ApiError when a conversion webhook fails. */
  fromStored?(objects: readonly KubeObject[]): readonly T[];
  /** The warning of every response when this version is deprecated. */
  readonly deprecation?: string;

  // ---- reads ----

  /** Field selectors beyond metadata.name and metadata.namespace. */
  readonly fieldSelectors?: Readonly<Record<string, Of<T, string>>>;
  /** The message for a field selector that the kind does not have, where it is not upstream's usual one. */
  unsupportedField?(field: string): string;
  /** Columns of the Table; by default Name and Age. */
  readonly columns?: readonly Column<T>[];
  /** The object as a read at `now` shows it: with heartbeats, which an idle cluster does not write. */
  asOf?(object: T, now: Millis, read: Reader): T;

  // ---- writes ----

  /** Fills the fields that upstream defaults. Kinds that embed this one call it too (a pod template's pod). */
  defaults?(draft: T): void;
  /** Resets what a client may not set, and allocates what the server gives: cluster IPs, node ports. */
  prepareForCreate?(draft: T, context: WriteContext): void;
  prepareForUpdate?(draft: T, old: T, context: WriteContext): void;
  prepareForStatusUpdate?(draft: T, old: T, context: WriteContext): void;
  /** Fields of metadata that a status update leaves as they are stored. */
  readonly statusKeeps?: readonly ('annotations' | 'finalizers' | 'labels' | 'ownerReferences')[];
  /** Whether metadata.generation counts changes of the spec; by default when there is a status subresource. */
  readonly generation?: boolean | 'with-status';
  /** A PUT to a name that does not exist creates the object. Models AllowCreateOnUpdate. */
  readonly createOnUpdate?: boolean;
  /** A PUT must have a resourceVersion. Models AllowUnconditionalUpdate returning false. */
  readonly needsVersion?: boolean;
  /** Returns every field error of the object, new or updated. The API server validates its metadata. */
  validate?(object: T, context: WriteContext): FieldError[];
  /** Returns errors in fields that cannot change after creation, beyond `validate`. */
  validateNew?(object: T, context: WriteContext): FieldError[];
  /** Returns errors in the change, such as of immutable fields, beyond `validate`. */
  validateUpdate?(object: T, old: T, context: WriteContext): FieldError[];
  validateStatusUpdate?(object: T, old: T, context: WriteContext): FieldError[];
  /** Warnings for the client (Warning: 299 headers); `old` of an update. */
  warnings?(object: T, old: T | undefined): string[];
  /** Paths of the fields that a custom resource's schema does not have and that are pruned: 'spec.foo'. */
  unknownFields?(object: T): string[];
  /** Returns the answer to a review, which is not stored (SubjectAccessReview). Throws ApiError. */
  evaluate?(object: T, client: Reader & Writer, context: WriteContext): T;

  // ---- deletion ----

  /**
   * Seconds of grace of a deletion; 0, the default, deletes at once. Only pods have one. `requested`: the client's
   * gracePeriodSeconds. Models RESTGracefulDeleteStrategy.
   */
  gracePeriod?(object: T, requested: number | undefined): number;
  /** Whether a field beside metadata.finalizers keeps a deleted object in place: a namespace's spec.finalizers. */
  blocksDeletion?(object: T): boolean;
  /** Changes an object that is marked for deletion and stays: a namespace's phase. */
  prepareForDelete?(draft: T): void;
  /** What a removed object leaves in Terrarium's own records, in the same commit: a host goes on without its Node. */
  remains?(object: T, read: Reader, now: Millis): Remains | undefined;
  /** A deletion answers with the deleted object instead of a Status. */
  readonly returnsDeleted?: boolean;

  // ---- Terrarium's own ----

  /** Tells managed fields of components' writes without a walk through the object; by default they are walked. */
  readonly attribution?: Attribution<T>;
  /** A kind of Terrarium's own state, which is neither served nor discovered nor printed. */
  readonly internal?: boolean;
}

/** A record that is put where an object was removed. */
export interface Remains {
  readonly kind: Kind;
  readonly object: KubeObject;
}

/** A part of an object that has managed fields of its own: '' is everything but the status. */
export type Part = '' | 'status';

/**
 * The managed fields of the one component that writes a part of an object, computed from the object alone. It spares a
 * walk through each of the thousands of pods that controllers write.
 */
export interface Attribution<T extends KubeObject = KubeObject> {
  /** The value whose fields the part's writer owns, `except` those of this set. */
  owned(object: T, part: Part): { readonly of: unknown; readonly except?: FieldSet };
  /** Whether `owned` is right for an object that was sent as `sent` and that admission made `stored`. */
  holds(sent: T, stored: T): boolean;
  /** Whether `owned` is right for a status of which this manager is the first writer. */
  holdsForStatus(old: T, manager: string): boolean;
}

/** Of a kind whose status is empty at first, and is one controller's from then on. */
export const statusAttribution: Pick<Attribution<KubeObject & { status: object }>, 'owned' | 'holdsForStatus'> = {
  owned: ({ status }) => ({ of: { status } }),
  holdsForStatus: ({ status }) => Object.keys(status).length === 0,
};

/** Gives a kind its type; returns it as it is. */
export const defineKind = <T extends KubeObject>(kind: Kind<T>): Kind<T> => kind;

/** False for kinds of CustomResourceDefinitions and for Terrarium's own: their types are not in Kubernetes' API. */
export const isBuiltIn = (kind: Pick<Kind, 'definition'>): boolean => kind.definition.startsWith('io.k8s.');

/** Name under which the state files a kind's objects: 'pods', 'deployments.apps'. */
export function storageKey(
  kind: Pick<Kind, 'group' | 'plural'> & { readonly storedAs?: { readonly kind: Kind } },
): string {
  const { group, plural } = kind.storedAs?.kind ?? kind;
  return group ? `${plural}.${group}` : plural;
}
