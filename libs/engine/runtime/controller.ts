import type { Client, Reader } from '../machinery/client.js';
import type { ClusterKeys } from '../machinery/crypto/cluster-keys.js';
import type { Kind } from '../machinery/kind.js';
import type { Key, KubeObject, OwnerReference } from '../machinery/meta/object.js';
import type { UsageSource } from '../machinery/questions/usage.js';
import type { Random } from '../machinery/random.js';
import type { Millis } from '../machinery/time/time.js';
import type { RateLimit } from './queue/rate-limiter.js';

/** Most changes wake no key of most sources: a list that is there costs nothing, as a generator would. */
export const NO_KEYS: readonly Key[] = [];

/** Which objects wake a controller, and for which keys. By default an object's own key. */
export interface Source<T extends KubeObject = KubeObject> {
  readonly kind: Kind<T>;
  /**
   * Keys to reconcile because this object changed; `old` is undefined when it was created. Called with the last state
   * on delete.
   */
  keys?(object: T, reader: Reader, old: T | undefined): Iterable<Key>;
  /** The keys are queued so much later; changes that come meanwhile coalesce with this one. As client-go's AddAfter. */
  readonly delay?: Millis;
  /** False: this change is of no interest (called with the new object, and with the last one on delete). */
  when?(object: T, old: T | undefined): boolean;
}

export interface EventOptions {
  /** Overrides the controller's event source: { component: 'kubelet', host: 'worker-1' }. */
  readonly source?: { readonly component: string; readonly host?: string };
  /** Events of the events.k8s.io API (the scheduler's): eventTime and action instead of first/lastTimestamp. */
  readonly action?: string;
  readonly fieldPath?: string;
}

/** Writes past the API server: nothing is admitted, validated or owned. What stands for etcd itself has use for it. */
export interface Etcd {
  put(kind: Kind, object: KubeObject): void;
  remove(kind: Kind, key: Key): void;
}

/** What reconcile works with. Same input, same calls: no clock, no randomness but this. */
export interface Context {
  readonly now: Millis;
  readonly client: Client;
  readonly random: Random;
  readonly etcd: Etcd;
  /** What the cluster signs tokens and certificates with; without them there are none. */
  readonly keys?: ClusterKeys;
  /** What kubelets tell of their pods' use; absent: nothing is measured. */
  readonly usage?: UsageSource;
  /** The revision whose change led here; writes record it as their cause. */
  readonly cause: number;
  /** A client that writes as another user: what a program in a pod does as its service account. */
  as(actor: string): Client;
  /** Records an Event as client-go's recorder does: equal ones are counted, not repeated. */
  event(object: KubeObject, type: 'Normal' | 'Warning', reason: string, message: string, options?: EventOptions): void;
}

/**
 * `requeueAfter` sets this key's one timer, in virtual ms; returning nothing clears it. Reconcile computes it anew each
 * time.
 */
export interface Result {
  readonly requeueAfter?: Millis;
}

export type ComponentName =
  | 'kube-controller-manager'
  | 'kube-scheduler'
  | 'kubelet'
  | 'kube-proxy'
  | 'cloud-controller-manager'
  | 'terrarium';

export interface Controller {
  /** Unique: 'deployment', 'replicaset', 'scheduler', 'kubelet'. */
  readonly name: string;
  /** The process it runs in on a real cluster; a switched-off component's controllers do not run. */
  readonly component: ComponentName;
  /** User that its writes are made as; a function when it depends on the key (a node's kubelet). */
  readonly actor: string | ((key: Key, reader: Reader) => string);
  /** Event source component; by default '<name>-controller'. */
  readonly eventSource?: string;
  readonly sources: readonly Source[];
  /** Sees the changes of every kind, CRDs' instances included (the garbage collector). */
  readonly everything?: {
    /** `resource`: the storage key of the object's kind. */
    keys(
      object: KubeObject,
      reader: Reader,
      old: KubeObject | undefined,
      deleted: boolean,
      resource: string,
    ): Iterable<Key>;
  };
  /** How often one key is reconciled; by default 100 times at once, and 10 times a second. */
  readonly rateLimit?: RateLimit;
  /** One reconcile goes all the way: its updates of its own key's object need not queue that key again. */
  readonly settles?: boolean;
  /** Indexes this controller reads through client.byIndex, beyond those of the kinds. */
  readonly indexes?: readonly {
    readonly kind: Kind;
    readonly name: string;
    of(object: KubeObject): readonly string[];
  }[];
  /** Caches that follow the state (a scheduler's node sums): called once per cluster; wire with `observe`. */
  attach?(
    observe: (kind: Kind, observer: (old: KubeObject | undefined, next: KubeObject | undefined) => void) => void,
    reader: Reader,
  ): unknown;
  reconcile(context: Context, key: Key, attached: unknown): Result | void;
}

export interface ControllerSpec<T extends KubeObject, A> extends Omit<
  Controller,
  'sources' | 'reconcile' | 'attach' | 'component' | 'indexes'
> {
  readonly component?: ComponentName;
  /** The kind whose keys it reconciles. */
  readonly for: Kind<T> | Source<T>;
  /** Kinds whose controller owner (of kind `for`) is reconciled when they change. */
  readonly owns?: readonly (Kind | Pick<Source, 'kind' | 'delay'>)[];
  // Sources of different kinds stand in one table: each entry is checked where `watch()` makes it.
  readonly watches?: readonly Source[];
  readonly indexes?: Controller['indexes'];
  attach?(
    observe: (kind: Kind, observer: (old: KubeObject | undefined, next: KubeObject | undefined) => void) => void,
    reader: Reader,
  ): A;
  reconcile(context: Context, key: Key, attached: A): Result | void;
}

/** Types one entry of `watches`. */
export const watch = <T extends KubeObject>(source: Source<T>): Source => source;

/** Types one index. */
export const index = <T extends KubeObject>(
  kind: Kind<T>,
  name: string,
  of: (object: T) => readonly string[],
): NonNullable<Controller['indexes']>[number] => ({ kind, name, of: of as (object: KubeObject) => readonly string[] });

/** The wiring is a table; reconcile sees a key, never the event. Models controller-runtime's builder and Reconciler. */
export function defineController<T extends KubeObject, A = undefined>(spec: ControllerSpec<T, A>): Controller {
  const primary: Source<T> = 'plural' in spec.for ? { kind: spec.for } : spec.for;
  const owned = (spec.owns ?? []).map((owns): Source => ({
    ...('plural' in owns ? { kind: owns } : owns),
    keys: (object, _reader, old) => ownerKeys(object, old, primary.kind),
  }));
  return {
    ...spec,
    component: spec.component ?? 'kube-controller-manager',
    sources: [primary, ...owned, ...(spec.watches ?? [])],
    attach: spec.attach as Controller['attach'],
    reconcile: spec.reconcile as Controller['reconcile'],
  };
}

/** The owners of this kind that control the object, or did before. */
function ownerKeys(object: KubeObject, old: KubeObject | undefined, kind: Kind): readonly Key[] {
  const refs = object.metadata.ownerReferences;
  const oldRefs = old?.metadata.ownerReferences;
  const namespace = kind.scope === 'Namespaced' ? (object.metadata.namespace ?? '') : '';
  const keys = refs ? controllerKeys(refs, kind, namespace) : NO_KEYS;
  return oldRefs && oldRefs !== refs ? [...controllerKeys(oldRefs, kind, namespace), ...keys] : keys;
}

function controllerKeys(refs: readonly OwnerReference[], kind: Kind, namespace: string): readonly Key[] {
  let keys: Key[] | undefined;
  for (const ref of refs)
    if (ref.controller && ref.kind === kind.kind) (keys ??= []).push({ namespace, name: ref.name });
  return keys ?? NO_KEYS;
}
