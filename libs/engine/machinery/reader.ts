import type { DeleteOptions } from '../api/meta_v1.js';
import type { Key, KubeObject } from './meta/object.js';
import type { Resource } from './resource.js';

/** Reads of the state at one revision. The objects are shared: copy what you change. */
export interface Reader {
  readonly revision: number;
  get<T extends KubeObject>(resource: Resource<T>, key: Key): T | undefined;
  /** The objects of one namespace, by default of all, ordered by namespace and name. */
  list<T extends KubeObject>(resource: Resource<T>, namespace?: string): readonly T[];
  /** The objects that the resource's index, or a component's, files under `value`, in the order of their creation. */
  byIndex<T extends KubeObject>(resource: Resource<T>, index: string, value: string): readonly T[];
  /** The objects of every kind that name this uid in their ownerReferences. */
  dependents(ownerUid: string): readonly KubeObject[];
}

/**
 * Writes through the API server: defaults, admission and validation apply as to a user's request. Every method throws
 * ApiError: 403 Forbidden, 404 NotFound, 409 AlreadyExists or Conflict, 422 Invalid.
 */
export interface Writer {
  /** Stores a new object and returns it with its uid, timestamps, defaults and generated name. */
  create<T extends KubeObject>(resource: Resource<T>, object: T): T;
  /** Replaces an object. A metadata.resourceVersion must be the stored one. No change writes nothing. */
  update<T extends KubeObject>(resource: Resource<T>, object: T): T;
  /** Replaces the status of an object, as `update` does the rest. */
  updateStatus<T extends KubeObject>(resource: Resource<T>, object: T): T;
  /** Deletes at once or gracefully as the kind says; finalizers, preconditions and propagationPolicy apply. */
  delete<T extends KubeObject>(resource: Resource<T>, key: Key, options?: DeleteOptions): void;
  /** Calls a subresource ('binding', 'eviction', 'scale') as a POST or PUT to it does, and returns its answer. */
  subresource<T extends KubeObject>(resource: Resource<T>, key: Key, name: string, body: unknown): unknown;
}
