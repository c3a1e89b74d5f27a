import type { DeleteOptions } from '../api/meta_v1.js';
import type { Auth } from './auth.js';
import type { Kind } from './kind.js';
import type { Key, KubeObject } from './meta/object.js';
import type { Random } from './random.js';
import type { Millis } from './time/time.js';

/** Reads of the current state. Objects that come out are shared and must not be mutated. */
export interface Reader {
  get<T extends KubeObject>(kind: Kind<T>, key: Key): T | undefined;
  /** All objects of the kind, or those of one namespace, ordered by namespace and name. */
  list<T extends KubeObject>(kind: Kind<T>, namespace?: string): readonly T[];
  /** Objects that `kind.indexes[index]` (or a component's index) files under `value`; order of insertion. */
  byIndex<T extends KubeObject>(kind: Kind<T>, index: string, value: string): readonly T[];
  /** Every object, of any kind, that names this uid in ownerReferences. */
  dependents(ownerUid: string): readonly KubeObject[];
  readonly revision: number;
}

export interface User {
  readonly name: string;
  readonly groups: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/**
 * What every component holds: reads, and writes that go through the API server (defaults, admission, validation,
 * events).
 */
export interface Client extends Reader {
  /** Throws ApiError 409 AlreadyExists, 422 Invalid, 403 Forbidden. Fills uid, timestamps, generated names. */
  create<T extends KubeObject>(kind: Kind<T>, object: T): T;
  /** Compares metadata.resourceVersion when present (409 Conflict). An update that changes nothing writes nothing. */
  update<T extends KubeObject>(kind: Kind<T>, object: T): T;
  updateStatus<T extends KubeObject>(kind: Kind<T>, object: T): T;
  /** Graceful or immediate as the kind says; honours finalizers, preconditions and propagationPolicy. Throws 404. */
  delete<T extends KubeObject>(kind: Kind<T>, key: Key, options?: DeleteOptions): void;
  /** Calls a named subresource ('binding', 'eviction', 'scale'), as POST/PUT to it would. */
  subresource<T extends KubeObject>(kind: Kind<T>, key: Key, name: string, body: unknown): unknown;
  /** The kind that an apiVersion and kind name (built-in or CRD), for ownerReferences and scale targets. */
  kindFor(apiVersion: string, kind: string): Kind | undefined;
  /** Every kind that is served, one per storage. */
  allKinds(): readonly Kind[];
}

/** What kinds' hooks may see beside the object. */
export interface WriteContext {
  readonly now: Millis;
  readonly random: Random;
  readonly read: Reader;
  readonly user: User;
  readonly auth: Auth;
}
