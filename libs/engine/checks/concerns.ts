import type { AppliedChange } from '../machinery/http.js';
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
}

interface OfResource<Entry> {
  readonly whole: Entry[];
  readonly byKey: Map<string, Entry[]>;
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
  private readonly always: Concerned<Owner, Part>[] = [];

  /** `resourceOf`: what a name in an expression is stored as; undefined when nothing is called so. */
  constructor(private readonly resourceOf: (name: string) => string | undefined) {}

  clear(): void {
    this.isBuilt = false;
    this.byResource.clear();
    this.changesOf.clear();
    for (const list of [this.ofRequests, this.allChanges, this.always]) list.length = 0;
  }

  build(parts: Iterable<Concerned<Owner, Part>>): void {
    this.clear();
    this.isBuilt = true;
    for (const one of parts) this.add(one);
  }

  private add(one: Concerned<Owner, Part>): void {
    const { whole, entries, main, filter, spec } = one.part;
    for (const name of whole) this.tableOf(name)?.whole.push(one);
    for (const [name, keys] of entries) {
      const table = whole.has(name) ? undefined : this.tableOf(name);
      for (const key of keys) if (table) table.byKey.set(key, [...(table.byKey.get(key) ?? []), one]);
    }
    if (spec.atRevision !== undefined) this.always.push(one);
    if (main?.occurrence === 'request') this.ofRequests.push(one);
    if (main?.occurrence !== 'change') return;
    const { resource } = filter;
    if (typeof resource !== 'string') this.allChanges.push(one);
    else this.changesOf.set(resource, [...(this.changesOf.get(resource) ?? []), one]);
  }

  private tableOf(name: string): OfResource<Concerned<Owner, Part>> | undefined {
    const resource = this.resourceOf(name);
    if (resource === undefined) return undefined;
    let table = this.byResource.get(resource);
    if (!table) this.byResource.set(resource, (table = { whole: [], byKey: new Map() }));
    return table;
  }

  /** Parts whose answer may be another since this change. */
  *concernedBy({ resource, namespace, name }: AppliedChange): Iterable<Concerned<Owner, Part>> {
    yield* this.always;
    const table = this.byResource.get(resource);
    if (!table) return;
    yield* table.whole;
    if (table.byKey.size > 0) yield* table.byKey.get(nameKey(namespace, name)) ?? [];
  }

  /** Parts that ask of each change of a resource. */
  ofChanges(resource: string): readonly Concerned<Owner, Part>[] {
    const own = this.changesOf.get(resource);
    if (!own) return this.allChanges;
    return this.allChanges.length === 0 ? own : [...own, ...this.allChanges];
  }
}
