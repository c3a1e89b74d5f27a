import type { AppliedChange } from '../../machinery/requests/http.js';
import type { Change } from '../../machinery/change.js';
import type { Reader } from '../../machinery/client.js';
import { storageKey, type Kind } from '../../machinery/kind.js';
import type { Key, KubeObject } from '../../machinery/meta/object.js';
import type { Millis } from '../../machinery/time/time.js';
import { History } from './history.js';
import { ObjectBytes } from './object-bytes.js';
import { Index, ObjectTable, type IndexFunc, type Observer } from './object-table.js';

/** How time runs is no part of what happens in it: names and uids do not follow from these. */
const TIMELESS: ReadonlySet<string> = new Set([
  'advances.terrarium.dev',
  'clocks.terrarium.dev',
  // Nor does it matter whether somebody looks.
  'checks.terrarium.dev',
]);

const ownerUids: IndexFunc = (object) => object.metadata.ownerReferences?.map((r) => r.uid) ?? [];

/** An object, and the resource that it is stored as. */
export interface StoredObject {
  readonly resource: string;
  readonly object: KubeObject;
}

/** A place in the state's history within this process; `rollback` returns to it. */
export interface Mark {
  readonly changes: number;
  readonly revision: number;
  readonly now: Millis;
  readonly created: number;
}

/**
 * The objects of one cluster at one revision: in-memory, mutable, with an undo log since the last commit.
 * Objects are shared with other states and with readers: they are replaced, never mutated.
 */
export class State implements Reader {
  revision: number;
  /** Virtual time of the last step; never goes back except by rollback. */
  now: Millis;
  /** The cluster has used up its space: no object may be created or updated. */
  isSpaceExceeded = false;
  /** Changes so far of what only says how time runs. */
  timelessChanges = 0;
  private readonly tables = new Map<string, ObjectTable>();
  private readonly dependentsByOwner = new Index(ownerUids);
  private pending: AppliedChange[] = [];
  private readonly history = new History();
  private readonly objectBytes = new ObjectBytes();
  private readonly storageKeys = new WeakMap<Kind, string>();
  private readonly tablesByKind = new WeakMap<Kind, ObjectTable>();
  /** Called after each change is applied, local or caught up. */
  onChange: ((change: AppliedChange) => void) | undefined;

  constructor(options: { revision?: number; now?: Millis } = {}) {
    this.revision = options.revision ?? 0;
    this.now = options.now ?? 0;
  }

  /** What chance follows from: the revision, whatever was done with the clock meanwhile. */
  get draws(): number {
    return this.revision - this.timelessChanges;
  }

  /** Whether objects of this kind only say how time runs. */
  isTimeless(kind: Kind): boolean {
    return TIMELESS.has(this.resourceOf(kind));
  }

  isTimelessResource(resource: string): boolean {
    return TIMELESS.has(resource);
  }

  /** Nothing was changed here since the last commit. */
  get isCommitted(): boolean {
    return this.pending.length === 0;
  }

  // ---- wiring ----

  addIndex(resource: string, name: string, indexFunc: IndexFunc): void {
    this.table(resource).addIndex(name, indexFunc);
  }

  observe(resource: string, observer: Observer): void {
    const table = this.table(resource);
    table.observers.push(observer);
    for (const object of table.objects()) observer(undefined, object);
  }

  // ---- reads ----

  get<T extends KubeObject>(kind: Kind<T>, key: Key): T | undefined {
    return this.tableOf(kind).get(key.namespace, key.name) as T | undefined;
  }

  list<T extends KubeObject>(kind: Kind<T>, namespace?: string): readonly T[] {
    return this.tableOf(kind).list(namespace) as readonly T[];
  }

  /** A resource as it was at an earlier revision; undefined when that is no longer known here. */
  listAt<T extends KubeObject>(
    kind: Kind<T>,
    namespace: string | undefined,
    revision: number,
  ): readonly T[] | undefined {
    const current = this.list(kind, namespace);
    return revision >= this.revision
      ? current
      : (this.history.at(revision, this.resourceOf(kind), namespace, current) as readonly T[] | undefined);
  }

  /** Every change after this revision is known here. */
  get historyStart(): number {
    return Math.min(this.history.start, this.revision);
  }

  /** One of the last changes; undefined when it is no longer known here. */
  changeAt(revision: number): AppliedChange | undefined {
    return this.history.changeAt(revision);
  }

  byIndex<T extends KubeObject>(kind: Kind<T>, index: string, value: string): readonly T[] {
    const found = this.tableOf(kind).indexes.get(index);
    if (!found) throw new Error(`no index ${index} on ${kind.plural}`);
    return found.get(value) as readonly T[];
  }

  dependents(ownerUid: string): readonly KubeObject[] {
    return this.dependentsByOwner.get(ownerUid);
  }

  /** By storage key, for code that knows no kinds. */
  lookup(resource: string, namespace: string, name: string): KubeObject | undefined {
    return this.tables.get(resource)?.get(namespace, name);
  }

  /** How many objects a resource has, without listing them. */
  count(resource: string, namespace?: string): number {
    return this.table(resource).count(namespace);
  }

  get objectCount(): number {
    let count = 0;
    for (const table of this.tables.values()) count += table.count(undefined);
    return count;
  }

  /** Encoded size of all live objects. */
  get bytes(): number {
    return this.objectBytes.total;
  }

  /** Measures at most so many objects for `bytes`, so that reading it later is cheap. Returns how many are left. */
  measureSome(objects: number): number {
    return this.objectBytes.measureSome(objects);
  }

  /** About the encoded size of what was created since the last commit. */
  estimateCreated(): number {
    return this.objectBytes.created;
  }

  /** The encoded size of an object that was created: it need not be measured. */
  recordSize(object: KubeObject, bytes: number): void {
    this.objectBytes.record(object, bytes);
  }

  resources(): Iterable<string> {
    return this.tables.keys();
  }

  *objects(): Iterable<StoredObject> {
    for (const [resource, table] of this.tables) for (const object of table.objects()) yield { resource, object };
  }

  resourceOf(kind: Kind): string {
    let resource = this.storageKeys.get(kind);
    if (resource === undefined) this.storageKeys.set(kind, (resource = storageKey(kind)));
    return resource;
  }

  // ---- writes ----

  /** Writes one object at the next revision. The draft becomes shared: the caller must not touch it again. */
  put(resource: string, draft: KubeObject, actor: string, cause: number): KubeObject {
    draft.metadata.resourceVersion = String(this.revision + 1);
    const { namespace = '', name = '' } = draft.metadata;
    this.record('put', resource, namespace, name, draft, actor, cause);
    return draft;
  }

  remove(resource: string, key: Key, actor: string, cause: number): void {
    const old = this.table(resource).get(key.namespace, key.name);
    if (!old) return;
    const object = { ...old, metadata: { ...old.metadata, resourceVersion: String(this.revision + 1) } };
    this.record('delete', resource, key.namespace, key.name, object, actor, cause);
  }

  private record(
    type: Change['type'],
    resource: string,
    namespace: string,
    name: string,
    object: KubeObject,
    actor: string,
    cause: number,
  ): void {
    const old = this.swap(resource, namespace, name, type === 'put' ? object : undefined);
    if (TIMELESS.has(resource)) this.timelessChanges++;
    const change: AppliedChange = {
      revision: ++this.revision,
      type,
      resource,
      namespace,
      name,
      object,
      actor,
      cause,
      at: this.now,
      old,
    };
    this.pending.push(change);
    this.history.add(change);
    this.onChange?.(change);
  }

  /** Steps over a change made elsewhere (catching up, loading). Revisions must follow without a gap. */
  replay(change: Change): AppliedChange {
    if (change.revision !== this.revision + 1)
      throw new Error(`gap in the log: at ${this.revision}, got ${change.revision}`);
    if (change.at > this.now) this.now = change.at;
    const old = this.swap(
      change.resource,
      change.namespace,
      change.name,
      change.type === 'put' ? change.object : undefined,
    );
    this.revision = change.revision;
    if (TIMELESS.has(change.resource)) this.timelessChanges++;
    const applied = { ...change, old };
    this.history.add(applied);
    this.onChange?.(applied);
    return applied;
  }

  /** Goes back before the last changes that were replayed here, to the time of then. */
  rewind(changes: readonly AppliedChange[], now: Millis): void {
    this.history.undo(changes.length);
    for (const { resource, namespace, name, old } of [...changes].reverse()) {
      this.swap(resource, namespace, name, old);
      if (TIMELESS.has(resource)) this.timelessChanges--;
    }
    this.revision -= changes.length;
    this.now = now;
  }

  /** Puts an object of a checkpoint in place: no revision passes. */
  load(resource: string, object: KubeObject): void {
    this.objectBytes.replace(undefined, object);
    this.replace(resource, object.metadata.namespace ?? '', object.metadata.name ?? '', undefined, object);
  }

  /** Puts the objects of a checkpoint in place whose encoded size together is known. */
  loadKnown(objects: Iterable<StoredObject>, bytes: number): void {
    this.objectBytes.addKnown(bytes);
    for (const { resource, object } of objects)
      this.replace(resource, object.metadata.namespace ?? '', object.metadata.name ?? '', undefined, object);
  }

  private swap(
    resource: string,
    namespace: string,
    name: string,
    next: KubeObject | undefined,
  ): KubeObject | undefined {
    const old = this.table(resource).get(namespace, name);
    if (!old && !next) return undefined;
    this.objectBytes.replace(old, next);
    this.replace(resource, namespace, name, old, next);
    return old;
  }

  private replace(
    resource: string,
    namespace: string,
    name: string,
    old: KubeObject | undefined,
    next: KubeObject | undefined,
  ): void {
    this.table(resource).replace(namespace, name, old, next);
    if (old?.metadata.ownerReferences || next?.metadata.ownerReferences) this.dependentsByOwner.update(old, next);
  }

  /** Lists at a revision before this one are no longer known here. */
  forgetHistoryUpTo(revision: number): void {
    this.history.forgetUpTo(revision);
  }

  // ---- undo ----

  mark(): Mark {
    const { revision, now } = this;
    return { changes: this.pending.length, revision, now, created: this.objectBytes.created };
  }

  since(mark: Mark): readonly AppliedChange[] {
    return this.pending.slice(mark.changes);
  }

  rollback(mark: Mark): void {
    this.history.undo(this.pending.length - mark.changes);
    while (this.pending.length > mark.changes) {
      const { resource, namespace, name, old } = this.pending.pop()!;
      this.swap(resource, namespace, name, old);
      if (TIMELESS.has(resource)) this.timelessChanges--;
    }
    this.revision = mark.revision;
    this.now = mark.now;
    this.objectBytes.created = mark.created;
  }

  /** Forgets the undo log: what is pending has been appended. */
  commit(): void {
    this.pending = [];
    this.objectBytes.created = 0;
  }

  private tableOf(kind: Kind): ObjectTable {
    let table = this.tablesByKind.get(kind);
    if (!table) this.tablesByKind.set(kind, (table = this.table(this.resourceOf(kind))));
    return table;
  }

  private table(resource: string): ObjectTable {
    let table = this.tables.get(resource);
    if (!table) this.tables.set(resource, (table = new ObjectTable()));
    return table;
  }
}
