import type { ObjectMeta, OwnerReference, LabelSelector } from '../../api/meta_v1.js';

export type { ObjectMeta, OwnerReference, LabelSelector };

/** Any Kubernetes object, in its wire (JSON) shape. Objects in the state are never mutated: copy what you change. */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}

/** An object whose fields beyond the metadata are not known at compile time. */
export interface Unstructured extends KubeObject {
  [field: string]: unknown;
}

export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

/** Whether a JSON value is an object: neither null nor an array. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names an object within one resource; `namespace` is '' for cluster-scoped ones. */
export interface Key {
  readonly namespace: string;
  readonly name: string;
}

export const keyOf = (object: KubeObject): Key => ({
  namespace: object.metadata.namespace ?? '',
  name: object.metadata.name ?? '',
});

/** 'namespace/name', or 'name' alone: client-go's MetaNamespaceKeyFunc. */
export const keyText = (key: Key): string => (key.namespace ? `${key.namespace}/${key.name}` : key.name);

/** The owner that controls this object, as metav1.GetControllerOf. */
export const controllerOf = (object: KubeObject): OwnerReference | undefined =>
  object.metadata.ownerReferences?.find((r) => r.controller);

export const apiVersionOf = (group: string, version: string): string => (group ? `${group}/${version}` : version);

/** 'apps/v1' -> ['apps', 'v1']; 'v1' -> ['', 'v1']. */
export function splitApiVersion(apiVersion: string): [group: string, version: string] {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
}

/** An entry of a table by a name from outside, which may be 'constructor'. */
export const own = <T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  table && Object.hasOwn(table, name) ? table[name] : undefined;
