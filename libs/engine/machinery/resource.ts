import type { KubeObject } from './meta/object.js';

/** A function of one object, typed as a method so that Kind<Pod> is a Kind. */
export type Of<T, R> = { of(object: T): R }['of'];

/** What a Kind says about where its objects are: enough to read and write them. Every Resource is a Kind. */
export interface Resource<T extends KubeObject = KubeObject> {
  /** API group; '' for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope: 'Namespaced' | 'Cluster';
  /** Indexes that the state keeps: name -> the values under which an object is found. */
  readonly indexes?: Readonly<Record<string, Of<T, readonly string[]>>>;
}
