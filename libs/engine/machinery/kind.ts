import type { Client, Reader, WriteContext } from './client.js';
import type { FieldError } from './meta/field.js';
import type { FieldSet } from './managedfields/set.js';
import type { KubeObject } from './meta/object.js';
import type { Column } from './meta/table.js';
import type { Millis } from './time/time.js';

export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

export const ALL_VERBS: readonly Verb[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

/** How an object's name must look; messages are upstream's. */
export type NameRule = 'subdomain' | 'label' | 'label1035' | 'pathSegment';

/** A function of one object, typed as a method so that Kind<Pod> is a Kind. */
export type Of<T, R> = { of(object: T): R }['of'];

/** JSON paths of the scale subresource, as a CRD's: '.spec.replicas'. */
export interface ScalePaths {
  readonly spec: string;
  readonly status: string;
  /** Where the selector is: a LabelSelector, a map (ReplicationController) or, for CRDs, a string. */
  readonly selector?: string;
}

export interface ActionRequest<T extends KubeObject = KubeObject> {
  readonly verb: 'get' | 'create' | 'update' | 'patch' | 'delete';
  readonly object: T;
  /** The decoded body (undefined for get). For patch, the patch is already applied to what get returns. */
  readonly body: unknown;
  readonly query: URLSearchParamsLike;
  readonly client: Client;
  readonly context: WriteContext;
  /**
   * Stores the parent as a whole, status included, past the kind's own update rules: the action has checked what it
   * changes.
   */
  store(draft: T): T;
}
export interface URLSearchParamsLike {
  get(name: string): string | null;
}

/**
 * A subresource other than status and scale: pods/binding, pods/eviction, serviceaccounts/token, namespaces/finalize.
 */
export interface Action<T extends KubeObject = KubeObject> {
  readonly verbs: readonly ('get' | 'create' | 'update' | 'patch' | 'delete')[];
  /** What discovery says of it; by default the parent's kind. */
  readonly kind?: { group: string; version: string; kind: string };
  /** Schema definition of the body, e.g. 'io.k8s.api.policy.v1.Eviction'; by default the parent's. */
  readonly body?: string;
  /** Does the work through `client` and returns the body of the answer. */
  handle(request: ActionRequest<T>): unknown;
}

/** A subresource that leads to what runs in the cluster: pods/exec, services/proxy. */
export interface Connection {
  /** What discovery calls its options: 'PodExecOptions'. */
  readonly kind: string;
  readonly verbs: readonly Verb[];
}

/** HTTP of any method, passed on. */
export const proxied = (kind: string): Connection => ({ kind, verbs: ['create', 'delete', 'get', 'patch', 'update'] });
/** A stream that the connection is upgraded to. */
export const streamed = (kind: string): Connection => ({ kind, verbs: ['create', 'get'] });

export interface Subresources<T extends KubeObject = KubeObject> {
  readonly status?: boolean;
  readonly scale?: ScalePaths;
  readonly actions?: Readonly<Record<string, Action<T>>>;
  readonly connects?: Readonly<Record<string, Connection>>;
}

/** '' is the object itself. */
export type Part = '' | 'status';

/**
 * What the only component that writes a part of an object owns of it, read off the object: so that the thousands of
 * pods that
 * controllers make need not be walked at every write.
 */
export interface Attribution<T extends KubeObject = KubeObject> {
  /** The object without what the part's writer did not set; `except` of the paths of the rest. */
  owned(object: T, part: Part): { readonly of: unknown; readonly except?: FieldSet };
  /** Does `owned` say the truth of an object that was sent as `sent`, and that admission made `stored`? */
  holds(sent: T, stored: T): boolean;
  /** Does `owned` say the truth of a status that this manager is the first to write? */
  holdsForStatus(old: T, manager: string): boolean;
}

/**
 * One kind of object: everything that routes, discovery, tables, validation and storage derive from.
 * A CRD compiles to the same value. Hooks get a private draft and may mutate it, but `defaults` must only fill what is
 * missing (drafts made by controllers share subtrees that are complete already).
 */
export interface Kind<T extends KubeObject = KubeObject> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly scope: 'Namespaced' | 'Cluster';
  /** Name in the schema's definitions: 'io.k8s.api.core.v1.Pod'. */
  readonly definition: string;
  /**
   * OpenAPI v3 schema of a kind that is not in the definitions (a CRD's openAPIV3Schema), for the OpenAPI documents.
   */
  readonly schema?: Readonly<Record<string, unknown>>;
  /**
   * By default ALL_VERBS. A kind with only 'create' (SubjectAccessReview) is answered by `evaluate` and never stored.
   */
  readonly verbs?: readonly Verb[];
  readonly nameRule?: NameRule;
  readonly subresources?: Subresources<T>;
  /** Set on a second version of a stored kind: where it is stored, and how to turn one into the other. */
  readonly storedAs?: {
    readonly kind: Kind;
    toStorage(object: T): KubeObject;
    fromStorage(object: KubeObject): T;
    /** What the stored kind's rules are when this version is asked for. Both in the stored form; `old` of an update. */
    validate?(object: KubeObject, old: KubeObject | undefined): FieldError[];
  };
  /**
   * Stored objects in this version, several in one go, where an object may be stored in any (CRDs). Throws ApiError: a
   * conversion webhook fails.
   */
  fromStored?(objects: readonly KubeObject[]): readonly T[];
  /** Field selectors beyond metadata.name and metadata.namespace. */
  readonly fieldSelectors?: Readonly<Record<string, Of<T, string>>>;
  /** What a field selector is told that is not among them, where upstream has words of its own. */
  unsupportedField?(field: string): string;
  /** Secondary indexes, kept by the state: name -> the values that an object is filed under. */
  readonly indexes?: Readonly<Record<string, Of<T, readonly string[]>>>;
  /** Columns of the Table; by default Name and Age. */
  readonly columns?: readonly Column<T>[];
  /** Does the spec have a generation? By default true when the definition has a status subresource. */
  readonly generation?: boolean;
  /** A PUT to a name that does not exist creates it (upstream's AllowCreateOnUpdate). */
  readonly createOnUpdate?: boolean;
  /** A PUT must say which version it replaces (upstream's AllowUnconditionalUpdate is false). */
  readonly needsVersion?: boolean;
  /** Seconds of grace that a delete without options gives; 0 = at once. Only pods differ. */
  gracePeriod?(object: T): number;
  /** A deletion answers with the object that is gone, not with a Status. */
  readonly returnsDeleted?: boolean;
  /**
   * True while something beside metadata.finalizers keeps a deleted object in place (a namespace's spec.finalizers).
   */
  blocksDeletion?(object: T): boolean;
  /** What changes on an object that is marked for deletion and stays (a namespace's phase). */
  prepareForDelete?(draft: T): void;
  /** Fills what upstream defaults. Also called for nested use (a pod template's defaults live in the pod kind). */
  defaults?(draft: T): void;
  /**
   * Resets what a client may not set and allocates what the server gives (ClusterIPs, node ports, generation fields).
   */
  prepareForCreate?(draft: T, context: WriteContext): void;
  prepareForUpdate?(draft: T, old: T, context: WriteContext): void;
  /** Fields of metadata that a status update leaves as they are. */
  readonly statusKeeps?: readonly ('annotations' | 'finalizers' | 'labels' | 'ownerReferences')[];
  prepareForStatusUpdate?(draft: T, old: T, context: WriteContext): void;
  /** Every error at once. Metadata is validated by the API server itself. */
  validate?(object: T, context: WriteContext): FieldError[];
  /** Of new objects alone: what never changes is not looked at again. */
  validateNew?(object: T, context: WriteContext): FieldError[];
  /** Paths of fields that a custom kind's schema does not know and will drop: 'spec.foo'. */
  unknownFields?(object: T): string[];
  /** Beyond `validate` of the new object: immutable fields. */
  validateUpdate?(object: T, old: T, context: WriteContext): FieldError[];
  validateStatusUpdate?(object: T, old: T, context: WriteContext): FieldError[];
  /** What every answer warns of: this version is to go. */
  readonly deprecation?: string;
  /** Warnings for the client (Warning: 299 headers). */
  warnings?(object: T, old: T | undefined): string[];
  /**
   * What a read shows of the object at a time: fills in heartbeats that nobody writes, because an idle cluster writes
   * nothing.
   */
  asOf?(object: T, now: Millis, read: Reader): T;
  /** For create-only review kinds: the answer. */
  evaluate?(object: T, client: Client, context: WriteContext): T;
  /** Without, what components write is walked unless nothing but they could have changed it. */
  readonly attribution?: Attribution<T>;
  /** A kind of Terrarium's own state: never served, discovered or printed. */
  readonly internal?: boolean;
}

/** Types the value; the identity function at run time. */
export const defineKind = <T extends KubeObject>(kind: Kind<T>): Kind<T> => kind;

/** False for kinds of CustomResourceDefinitions and for Terrarium's own: their types are not in Kubernetes' API. */
export const isBuiltIn = (kind: Pick<Kind, 'definition'>): boolean => kind.definition.startsWith('io.k8s.');

/** Where a kind's objects are stored: 'pods', 'deployments.apps'. */
export const storageKey = (
  kind: Pick<Kind, 'group' | 'plural'> & { readonly storedAs?: { readonly kind: Kind } },
): string => {
  const stored = kind.storedAs?.kind ?? kind;
  return stored.group ? `${stored.plural}.${stored.group}` : stored.plural;
};
