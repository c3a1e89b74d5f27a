import { apiVersionOf, type KubeObject } from '../machinery/meta/object.js';
import { storageKey, type Kind } from '../machinery/kind.js';

/** The kinds that one cluster serves: the built-in ones, and those of its CustomResourceDefinitions. */
export class Registry {
  private readonly byPath = new Map<string, Kind>();
  private readonly byGvk = new Map<string, Kind>();
  private readonly byStorage = new Map<string, Kind>();
  private readonly ordered: Kind[] = [];

  /** `builtIn`: what it serves at first, the same list for all clusters. */
  constructor(readonly builtIn: readonly Kind[]) {
    for (const kind of builtIn) this.add(kind);
  }

  add(kind: Kind): void {
    this.byPath.set(`${kind.group}/${kind.version}/${kind.plural}`, kind);
    this.byGvk.set(`${apiVersionOf(kind.group, kind.version)}/${kind.kind}`, kind);
    if (!kind.storedAs) this.byStorage.set(storageKey(kind), kind);
    this.ordered.push(kind);
  }

  remove(kind: Kind): void {
    this.byPath.delete(`${kind.group}/${kind.version}/${kind.plural}`);
    this.byGvk.delete(`${apiVersionOf(kind.group, kind.version)}/${kind.kind}`);
    if (!kind.storedAs) this.byStorage.delete(storageKey(kind));
    this.ordered.splice(this.ordered.indexOf(kind), 1);
  }

  /** By URL: group ('' for core), version, plural. */
  resource(group: string, version: string, plural: string): Kind | undefined {
    return this.byPath.get(`${group}/${version}/${plural}`);
  }

  kindFor(apiVersion: string, kind: string): Kind | undefined {
    return this.byGvk.get(`${apiVersion}/${kind}`);
  }

  /** Every served kind that is stored as one resource. */
  versionsOf(resource: string): readonly Kind[] {
    return this.ordered.filter((kind) => !kind.internal && storageKey(kind) === resource);
  }

  stored(resource: string): Kind | undefined {
    return this.byStorage.get(resource);
  }

  /** Every served kind and version, in registration order, internal ones included. */
  all(): readonly Kind[] {
    return this.ordered;
  }

  kindOf(object: KubeObject): Kind | undefined {
    return this.kindFor(object.apiVersion, object.kind);
  }
}
