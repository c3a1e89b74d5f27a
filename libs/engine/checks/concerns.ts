import type { AppliedChange } from '../machinery/requests/http.js';
import { nameKey } from './resources.js';

export interface Concerned<Owner, Part> {
  readonly owner: Owner;
  readonly part: Part;
}

interface Asking {
  readonly whole: ReadonlySet<string>;
  readonly entries: ReadonlyMap<string, ReadonlySet<string>>;
  readonly main: { readonly occurrence: 'change' | 'request' | undefined } | undefined;
  readonly filter: Readonly<Record<string, string | boolean>>;
  readonly spec: { readonly atRevision?: number };
  /** It is looked at in turns, whatever changes. */
  readonly isPolled: boolean;
}

interface OfResource<Entry> {
  readonly whole: Entry[];
  readonly byKey: Map<string, Entry[]>;
}

/** What has changed since parts were judged. */
export class Dirty {
  /** It is not known what. */
  all = false;
  /** Revisions have passed. */
  revisions = false;
  readonly resources = new Set<string>();
  /** By resource, the objects that somebody asks for. */
  readonly keys = new Map<string, Set<string>>();

  get isClean(): boolean {
    return !this.all && !this.revisions && this.resources.size === 0 && this.keys.size === 0;
  }

  clear(): void {
    this.all = this.revisions = false;
    this.resources.clear();
    this.keys.clear();
  }
}

/** Which parts of checks a change concerns: by the resources, and the objects, that they name. */
export class Concerns<Owner, Part extends Asking> {
  isBuilt = false;
  /** Parts that ask of users' requests. */
  readonly ofRequests: Concerned<Owner, Part>[] = [];
  private readonly byResource = new Map<string, OfResource<Concerned<Owner, Part>>>();
  private readonly changesOf = new Map<string, Concerned<Owner, Part>[]>();
  private readonly allChanges: Concerned<Owner, Part>[] = [];
  /** They wait for a revision. */
  private readonly ofRevisions: Concerned<Owner, Part>[] = [];
  private readonly states: Concerned<Owner, Part>[] = [];

  /** `resourceOf`: what a name in an expression is stored as; undefined when nothing is called so. */
  constructor(private readonly resourceOf: (name: string) => string | undefined) {}

  clear(): void {
    this.isBuilt = false;
    this.byResource.clear();
    this.changesOf.clear();
    for (const list of [this.ofRequests, this.allChanges, this.ofRevisions, this.states]) list.length = 0;
  }

  build(parts: Iterable<Concerned<Owner, Part>>): void {
    this.clear();
    this.isBuilt = true;
    for (const one of parts) this.add(one);
  }

  private add(one: Concerned<Owner, Part>): void {
    const { main, filter, spec, isPolled } = one.part;
    if (main?.occurrence === 'request') this.ofRequests.push(one);
    if (main?.occurrence === 'change') {
      const { resource } = filter;
      if (typeof resource !== 'string') this.allChanges.push(one);
      else this.changesOf.set(resource, [...(this.changesOf.get(resource) ?? []), one]);
    }
    if (isPolled) return;
    this.states.push(one);
    if (spec.atRevision !== undefined) this.ofRevisions.push(one);
    this.addNames(one);
  }

  private addNames(one: Concerned<Owner, Part>): void {
    const { whole, entries } = one.part;
    for (const name of whole) this.tableOf(name)?.whole.push(one);
    for (const [name, keys] of entries) {
      const table = whole.has(name) ? undefined : this.tableOf(name);
      for (const key of keys) if (table) table.byKey.set(key, [...(table.byKey.get(key) ?? []), one]);
    }
  }

  private tableOf(name: string): OfResource<Concerned<Owner, Part>> | undefined {
    const resource = this.resourceOf(name);
    if (resource === undefined) return undefined;
    let table = this.byResource.get(resource);
    if (!table) this.byResource.set(resource, (table = { whole: [], byKey: new Map() }));
    return table;
  }

  /** Notes what a change makes other than it was, as far as a part names it. */
  mark({ resource, namespace, name }: AppliedChange, dirty: Dirty): void {
    if (this.ofRevisions.length > 0) dirty.revisions = true;
    const table = this.byResource.get(resource);
    if (!table) return;
    if (table.whole.length > 0) dirty.resources.add(resource);
    if (table.byKey.size === 0) return;
    const key = nameKey(namespace, name);
    if (!table.byKey.has(key)) return;
    const keys = dirty.keys.get(resource);
    if (keys) keys.add(key);
    else dirty.keys.set(resource, new Set([key]));
  }

  /** Parts whose answer may be another since then; one may come more than once. */
  *concernedBy(dirty: Dirty): Iterable<Concerned<Owner, Part>> {
    if (dirty.all) return yield* this.states;
    if (dirty.revisions) yield* this.ofRevisions;
    for (const resource of dirty.resources) yield* this.byResource.get(resource)?.whole ?? [];
    for (const [resource, keys] of dirty.keys)
      for (const key of keys) yield* this.byResource.get(resource)?.byKey.get(key) ?? [];
  }

  /** Whether a part asks of each change of a resource. */
  asksOf(resource: string): boolean {
    return this.allChanges.length > 0 || this.changesOf.has(resource);
  }

  /** Parts that ask of each change of a resource. */
  ofChanges(resource: string): readonly Concerned<Owner, Part>[] {
    const own = this.changesOf.get(resource);
    if (!own) return this.allChanges;
    return this.allChanges.length === 0 ? own : [...own, ...this.allChanges];
  }
}
