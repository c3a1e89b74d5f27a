import { EvaluationError, Timestamp, type Value } from '../machinery/cel/index.js';
import type { Kind } from '../machinery/kind.js';
import type { KubeObject } from '../machinery/meta/object.js';
import type { Millis } from '../machinery/time/time.js';
import type { Registry } from '../runtime/registry.js';
import type { State } from '../runtime/state/state.js';

const NANOS = 1_000_000n;
const CHECKS = 'checks.terrarium.dev';
const CUSTOM_KINDS = 'customresourcedefinitions.apiextensions.k8s.io';

/** Whether a change of this resource may change what names mean. */
export const servesKinds = (resource: string): boolean => resource === CUSTOM_KINDS;

export interface Resource {
  readonly kind: Kind;
  /** Its plural was named: a list. Its singular: a map. */
  readonly isList: boolean;
}

/** What the names of resources in expressions mean in one cluster. */
export class Resources {
  private readonly known = new Map<string, Resource | undefined>();

  constructor(
    private readonly state: State,
    private readonly registry: Registry,
  ) {}

  /** After a change of what is served. */
  forget(): void {
    this.known.clear();
  }

  find(name: string): Resource | undefined {
    if (!this.known.has(name)) this.known.set(name, this.search(name));
    return this.known.get(name);
  }

  /** What a check is about is not what checks say. */
  private search(name: string): Resource | undefined {
    let singular: Resource | undefined;
    for (const kind of this.registry.all()) {
      if (kind.internal || kind.storedAs || this.state.resourceOf(kind) === CHECKS) continue;
      if (kind.plural === name) return { kind, isList: true };
      if (kind.singular === name) singular ??= { kind, isList: false };
    }
    return singular;
  }

  /** 'deployments.apps' of 'deployments': what changes call a resource; undefined when nothing is called so. */
  storedAs(plural: string): string | undefined {
    const kinds = this.registry.all().filter((kind) => !kind.internal && !kind.storedAs && kind.plural === plural);
    return kinds[0] && this.state.resourceOf(kinds[0]);
  }

  /** A list of all objects, or a map of them by 'NAMESPACE/NAME', or by name where there is no namespace. */
  valueOf(name: string): Value | undefined {
    const found = this.find(name);
    if (!found) return undefined;
    return found.isList ? (this.state.list(found.kind) as unknown as Value) : new ObjectsByName(this.state, found.kind);
  }
}

export const timeValue = (at: Millis): Timestamp => new Timestamp(BigInt(at) * NANOS);

export const nameKey = (namespace: string, name: string): string => (namespace === '' ? name : `${namespace}/${name}`);

/** Finds an object when it is asked for. */
export class ObjectsByName extends Map<Value, unknown> {
  constructor(
    private readonly state: State,
    private readonly kind: Kind,
  ) {
    super();
  }

  override get(key: Value): KubeObject | undefined {
    if (typeof key !== 'string') return undefined;
    const slash = key.indexOf('/');
    // What is never found would be no answer to whether it is there.
    if (slash < 0 && this.kind.scope === 'Namespaced')
      throw new EvaluationError(`${this.kind.singular} is asked by 'NAMESPACE/NAME', not by '${key}'`);
    const [namespace, name] = slash < 0 ? ['', key] : [key.slice(0, slash), key.slice(slash + 1)];
    return this.state.get(this.kind, { namespace, name });
  }

  override has(key: Value): boolean {
    return this.get(key) !== undefined;
  }

  override get size(): number {
    return this.state.list(this.kind).length;
  }

  override keys(): MapIterator<Value> {
    const names = this.state
      .list(this.kind)
      .map(({ metadata: { namespace = '', name = '' } }) => nameKey(namespace, name));
    return names.values();
  }
}
