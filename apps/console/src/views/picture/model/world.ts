import type { Batch } from './operations.generated.js';
import type { Facts, Row } from './row.js';
import { toneIndex } from './tone.js';

/** One object of the cluster. It stays the same record while the object lives. */
export interface Thing {
  readonly uid: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly created: number;
  readonly owner: Row['owner'];
  /** Its place in the sprites' arrays; -1 of everything but pods. */
  readonly index: number;
  labels: Readonly<Record<string, string>>;
  revision: number;
  isEnding: boolean;
  is: Facts;
  /** Of a pod, the place of its tone among all; worked out once for each change, and not for each frame. */
  tone: number;
}

/** Something that was done to an object, for the picture to show. */
export interface Act {
  readonly thing: Thing;
  readonly type: 'made' | 'changed' | 'gone';
  readonly actor: string;
  readonly before: Facts | undefined;
}

const NO_LABELS = {};
const NONE: ReadonlyMap<string, Thing> = new Map();

/** The objects of one cluster, kept by batches of changes. Its size is the cluster's. */
export class World {
  revision = 0;
  /** Virtual ms of the last change. */
  at = 0;
  /** Rows of the snapshot that are still to come; undefined before the first. */
  left: number | undefined;
  /** Pods are numbered, below this. */
  top = 0;
  private readonly byUid = new Map<string, Thing>();
  /** By kind and namespace, then by name. */
  private readonly byName = new Map<string, Map<string, Thing>>();
  private readonly byKind = new Map<string, Map<string, Thing>>();
  private readonly byOwner = new Map<string, Set<Thing>>();
  private readonly byIndex: (Thing | undefined)[] = [];
  private freed: number[] = [];

  get size(): number {
    return this.byUid.size;
  }

  /** What the batch has done, in its order. Of a snapshot nothing: there all is as it was. */
  apply(batch: Batch): Act[] {
    if (batch.begins) this.clear();
    const isLive = this.left === 0 && !batch.begins;
    this.left = isLive ? 0 : batch.left;
    this.revision = Math.max(this.revision, batch.revision);
    this.at = Math.max(this.at, batch.at);
    const acts: Act[] = [];
    for (const row of batch.rows) {
      const act = row.gone ? this.remove(row) : this.put(row, batch.labels);
      if (act && isLive) acts.push(act);
    }
    return acts;
  }

  get(uid: string): Thing | undefined {
    return this.byUid.get(uid);
  }

  find(kind: string, namespace: string, name: string): Thing | undefined {
    return this.named(kind, namespace).get(name);
  }

  /** All of one kind in one namespace, by name. */
  named(kind: string, namespace: string): ReadonlyMap<string, Thing> {
    return this.byName.get(`${kind}/${namespace}`) ?? NONE;
  }

  /** All of one kind, in the order in which they came. */
  all(kind: string): Iterable<Thing> {
    return this.byKind.get(kind)?.values() ?? [];
  }

  count(kind: string): number {
    return this.byKind.get(kind)?.size ?? 0;
  }

  ownedBy(uid: string): Iterable<Thing> {
    return this.byOwner.get(uid) ?? [];
  }

  /** The pod with this number. */
  pod(index: number): Thing | undefined {
    return this.byIndex[index];
  }

  private put(row: Row, labels: Batch['labels']): Act | undefined {
    const known = this.byUid.get(row.uid);
    const actor = row.by?.at(-1) ?? '';
    const of = row.labels === undefined ? NO_LABELS : (labels[row.labels] ?? NO_LABELS);
    if (known) {
      const before = known.is;
      if (row.revision < known.revision) return undefined;
      known.labels = of;
      known.revision = row.revision;
      known.isEnding = row.ending === true;
      known.is = row.is;
      if (known.index >= 0) known.tone = toneIndex(known);
      return { thing: known, type: 'changed', actor, before };
    }
    const { kind, namespace = '', name, uid, created, owner, revision, is } = row;
    // Another object of this name was deleted unseen.
    const old = this.find(kind, namespace, name);
    if (old) this.forget(old);
    const index = kind === 'Pod' ? this.take() : -1;
    const isEnding = row.ending === true;
    const tone = index < 0 ? -1 : toneIndex({ is, isEnding });
    const thing: Thing = {
      uid,
      kind,
      namespace,
      name,
      created,
      owner,
      index,
      labels: of,
      revision,
      isEnding,
      is,
      tone,
    };
    this.byUid.set(uid, thing);
    addTo(this.byName, `${kind}/${namespace}`, () => new Map<string, Thing>()).set(name, thing);
    addTo(this.byKind, kind, () => new Map<string, Thing>()).set(uid, thing);
    if (owner) addTo(this.byOwner, owner.uid, () => new Set<Thing>()).add(thing);
    if (index >= 0) this.byIndex[index] = thing;
    return { thing, type: 'made', actor, before: undefined };
  }

  private remove(row: Row): Act | undefined {
    const thing = this.byUid.get(row.uid);
    if (!thing) return undefined;
    this.forget(thing);
    return { thing, type: 'gone', actor: row.by?.at(-1) ?? '', before: thing.is };
  }

  private forget(thing: Thing): void {
    const { uid, kind, namespace, name, owner, index } = thing;
    this.byUid.delete(uid);
    this.byKind.get(kind)?.delete(uid);
    const named = this.byName.get(`${kind}/${namespace}`);
    if (named?.get(name) === thing) named.delete(name);
    if (named?.size === 0) this.byName.delete(`${kind}/${namespace}`);
    const owned = owner && this.byOwner.get(owner.uid);
    owned?.delete(thing);
    if (owner && owned?.size === 0) this.byOwner.delete(owner.uid);
    if (index < 0) return;
    this.byIndex[index] = undefined;
    this.freed.push(index);
  }

  private take(): number {
    return this.freed.pop() ?? this.top++;
  }

  private clear(): void {
    for (const map of [this.byUid, this.byName, this.byKind, this.byOwner]) map.clear();
    this.byIndex.length = 0;
    this.freed = [];
    this.top = this.revision = this.at = 0;
    this.left = undefined;
  }
}

function addTo<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}
