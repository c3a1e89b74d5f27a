import type { KubeObject } from '../../machinery/meta/object.js';
import { compareKeys } from './history.js';
import { SortedObjects } from './sorted-objects.js';

/** The values under which an index files an object, as client-go's IndexFunc. */
export type IndexFunc = (object: KubeObject) => readonly string[];

/** Sees every object's step from old to next, undone steps included, so that a cache can follow the state exactly. */
export type Observer = (old: KubeObject | undefined, next: KubeObject | undefined) => void;

const NO_VALUES: readonly string[] = [];
const NO_OBJECTS: readonly KubeObject[] = [];

/** What one value of an index names. */
interface Filed {
  readonly objects: Map<string, KubeObject>;
  /** Of two or more that were asked for. */
  sorted?: SortedObjects;
}

/**
 * Objects by the values that an index function gives them, in the order of their keys: a process that has just loaded a
 * cluster goes through them as the one that had seen them come. Models client-go/tools/cache thread_safe_store.go.
 */
export class Index {
  private readonly filed = new Map<string, Filed>();

  constructor(private readonly indexFunc: IndexFunc) {}

  get(value: string): readonly KubeObject[] {
    const filed = this.filed.get(value);
    if (!filed) return NO_OBJECTS;
    const { objects } = filed;
    if (objects.size === 1) return [...objects.values()];
    filed.sorted ??= new SortedObjects(() => objects.values(), compareIdentities);
    return filed.sorted.list;
  }

  /** Moves an object from where its old state was filed to where the next one belongs. */
  update(old: KubeObject | undefined, next: KubeObject | undefined): void {
    const oldValues = old ? this.indexFunc(old) : NO_VALUES;
    const values = next ? this.indexFunc(next) : NO_VALUES;
    if (oldValues.length > 0) {
      const id = identityOf(old!);
      const kept = next && identityOf(next) === id ? values : NO_VALUES;
      for (const value of oldValues) if (!kept.includes(value)) this.delete(value, id);
    }
    if (values.length === 0) return;
    const id = identityOf(next!);
    for (const value of values) this.set(value, id, next!);
  }

  private set(value: string, id: string, object: KubeObject): void {
    let filed = this.filed.get(value);
    if (!filed) this.filed.set(value, (filed = { objects: new Map() }));
    filed.sorted?.replace(filed.objects.get(id), object);
    filed.objects.set(id, object);
  }

  private delete(value: string, id: string): void {
    const filed = this.filed.get(value);
    if (!filed) return;
    filed.sorted?.replace(filed.objects.get(id), undefined);
    filed.objects.delete(id);
    if (filed.objects.size === 0) this.filed.delete(value);
  }
}

/** The uid, a string that is there already; the names of an object that has none. */
const identityOf = ({ metadata: { uid, namespace = '', name = '' } }: KubeObject): string =>
  uid ?? `${namespace}/${name}`;

/** Objects of different kinds may have the same names. */
function compareIdentities(a: KubeObject, b: KubeObject): number {
  const [one, other] = [identityOf(a), identityOf(b)];
  return compareKeys(a, b) || (one < other ? -1 : one > other ? 1 : 0);
}

/** The objects of one resource, with its indexes. */
export class ObjectTable {
  readonly observers: Observer[] = [];
  readonly indexes = new Map<string, Index>();
  private readonly namespaces = new Map<string, Map<string, KubeObject>>();
  private total = 0;
  private readonly sorted = new SortedObjects(() => this.objects());
  private readonly sortedByNamespace = new Map<string, SortedObjects>();

  get(namespace: string, name: string): KubeObject | undefined {
    return this.namespaces.get(namespace)?.get(name);
  }

  *objects(): Iterable<KubeObject> {
    for (const inNamespace of this.namespaces.values()) yield* inNamespace.values();
  }

  /** How many there are, in all namespaces unless one is given. */
  count(namespace: string | undefined): number {
    return namespace === undefined ? this.total : (this.namespaces.get(namespace)?.size ?? 0);
  }

  /** In the order of keys; the list is kept until an object changes. */
  list(namespace: string | undefined): readonly KubeObject[] {
    if (namespace === undefined) return this.sorted.list;
    if (!this.namespaces.has(namespace)) return NO_OBJECTS;
    let sorted = this.sortedByNamespace.get(namespace);
    if (!sorted) {
      sorted = new SortedObjects(() => this.namespaces.get(namespace)?.values() ?? NO_OBJECTS);
      this.sortedByNamespace.set(namespace, sorted);
    }
    return sorted.list;
  }

  addIndex(name: string, indexFunc: IndexFunc): void {
    const index = new Index(indexFunc);
    for (const object of this.objects()) index.update(undefined, object);
    this.indexes.set(name, index);
  }

  replace(namespace: string, name: string, old: KubeObject | undefined, next: KubeObject | undefined): void {
    this.sorted.replace(old, next);
    this.sortedByNamespace.get(namespace)?.replace(old, next);
    this.total += (next ? 1 : 0) - (old ? 1 : 0);
    if (next) this.set(namespace, name, next);
    else this.delete(namespace, name);
    for (const index of this.indexes.values()) index.update(old, next);
    for (const observe of this.observers) observe(old, next);
  }

  private set(namespace: string, name: string, object: KubeObject): void {
    let inNamespace = this.namespaces.get(namespace);
    if (!inNamespace) this.namespaces.set(namespace, (inNamespace = new Map()));
    inNamespace.set(name, object);
  }

  private delete(namespace: string, name: string): void {
    const inNamespace = this.namespaces.get(namespace);
    inNamespace?.delete(name);
    if (inNamespace?.size !== 0) return;
    this.namespaces.delete(namespace);
    this.sortedByNamespace.delete(namespace);
  }
}
