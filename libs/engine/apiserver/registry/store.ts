import type { DeleteOptions } from '../../api/meta_v1.js';
import { ClusterAuth } from '../../auth/cluster-auth.js';
import type { Auth } from '../../machinery/auth.js';
import type { Client, User, WriteContext } from '../../machinery/client.js';
import type { ClusterKeys } from '../../machinery/crypto/cluster-keys.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import type { FieldError } from '../../machinery/meta/field.js';
import type { AskOutside, Dial } from '../../machinery/http.js';
import { hash32, SeededRandom } from '../../machinery/random.js';
import type { Kind, Part } from '../../machinery/kind.js';
import { apiVersionOf, keyOf, type Key, type KubeObject, type Unstructured } from '../../machinery/meta/object.js';
import {
  alreadyExists,
  badRequest,
  conflict,
  invalid,
  notFound,
  OBJECT_MODIFIED,
} from '../../machinery/meta/status.js';
import { timestamp } from '../../machinery/time/time.js';
import type { AdmissionPlugin, AdmissionRequest, ObjectType, ObjectView } from '../../runtime/admission.js';
import { sameMetadata } from '../../runtime/attribution.js';
import type { Registry } from '../../runtime/registry.js';
import type { State } from '../../runtime/state.js';
import { definition } from '../../schema/index.js';
import { AdmissionCall } from './admission-attributes.js';
import { asSent, attributeCreated, attributeUpdated, settle, staysDeferred } from '../ownership/component-writes.js';
import { checkSize } from './object-size.js';
import { markForDeletion, type DeletionPlan, planDeletion } from './before-delete.js';
import { validateMetadata, validateMetadataUpdate } from './metadata.js';
import { componentName, sameButTimes, trackCreated, trackUpdated, type Tracking } from '../ownership/ownership.js';
import { inVersion } from '../response/print.js';
import { WriterClient } from './writer-client.js';

/** Who writes, why, and how strictly. */
export interface WriteOptions {
  readonly user: User;
  /** Revision that led to this write; 0 for a user's own request. */
  readonly cause: number;
  /** False for our own controllers: what they build is valid by construction (their tests turn it on). */
  readonly validate: boolean;
  readonly dryRun?: boolean;
  /** Whose the changed fields are; false when they are settled. Without, the component's that writes. */
  readonly tracking?: Tracking | false;
  /** The subresource that admission sees when an object is changed through one of its views: 'scale'. */
  readonly admittedAs?: string;
  /** What that subresource shows of the object. */
  readonly view?: ObjectView;
  /** A request that came over HTTP, not one of the cluster's own components. */
  readonly fromOutside?: boolean;
  /** The version that the request speaks, when it is not the stored one. */
  readonly requested?: Kind;
  /** The client's own options beside dry run, as admission is told of them. */
  readonly asked?: Readonly<Record<string, unknown>>;
  warn?(text: string): void;
}

export interface StoreOptions {
  readonly seed: string;
  readonly keys?: ClusterKeys;
  /** The way to the pods that answer webhooks. */
  readonly dial?: Dial;
  readonly outside?: AskOutside;
}

const GENERATE_NAME_TRIES = 8;
const MAX_GENERATED_BASE = 58;
/** Subresources whose writes go past the strategy that counts generations. */
const KEEPS_GENERATION: ReadonlySet<string> = new Set(['status', 'binding', 'finalize']);

/**
 * The write path that every client shares: admission, strategy, validation, storage.
 * Models apiserver/pkg/registry/generic/registry/store.go and registry/rest/{create,update,delete}.go.
 */
export class Store {
  private readonly random = new SeededRandom(0);
  private readonly pluginsFor = {
    all: new Map<string, readonly AdmissionPlugin[]>(),
    general: new Map<string, readonly AdmissionPlugin[]>(),
    special: new Map<string, readonly AdmissionPlugin[]>(),
  };
  private readonly plugins: readonly AdmissionPlugin[];
  private readonly structs = new WeakMap<Kind, readonly string[]>();
  private readonly seed: number;
  readonly keys: ClusterKeys | undefined;
  private readonly auth: Auth;
  readonly dial: Dial | undefined;
  readonly outside: AskOutside | undefined;
  /** Added to the revision that names and uids follow from. */
  stream = 0;

  constructor(
    readonly state: State,
    readonly registry: Registry,
    plugins: readonly AdmissionPlugin[],
    options: StoreOptions,
  ) {
    this.plugins = plugins;
    this.seed = hash32(options.seed);
    this.keys = options.keys;
    this.auth = new ClusterAuth(state, options.keys);
    this.dial = options.dial;
    this.outside = options.outside;
  }

  /** A client that writes as `user`; `cause` and dry run are the holder's to set per call. */
  client(options: WriteOptions): Client {
    return new WriterClient(this, options);
  }

  context(user: User): WriteContext {
    this.random.reseed(this.seed, this.state.revision + this.stream);
    return { now: this.state.now, random: this.random, read: this.state, user, auth: this.auth };
  }

  /** Stores a new object; the draft becomes the state's. Returns it in its storage version. */
  create<T extends KubeObject>(kind: Kind<T>, draft: T, options: WriteOptions): T {
    if (kind.storedAs)
      return this.create(kind.storedAs.kind, kind.storedAs.toStorage(draft), { ...options, requested: kind }) as T;
    const context = this.context(options.user);
    const metadata = (draft.metadata = { ...draft.metadata });
    if (metadata.resourceVersion) throw badRequest('resourceVersion should not be set on objects to be created');
    draft.apiVersion = apiVersionOf(kind.group, kind.version);
    draft.kind = kind.kind;
    if (kind.scope === 'Cluster') setOrDrop(metadata, 'namespace', undefined);
    this.name(kind, draft, context);
    metadata.uid = context.random.uuid();
    metadata.creationTimestamp = timestamp(this.state.now);
    setOrDrop(metadata, 'deletionTimestamp', undefined);
    setOrDrop(metadata, 'deletionGracePeriodSeconds', undefined);
    setOrDrop(metadata, 'selfLink', undefined);
    if (hasGeneration(kind)) metadata.generation = 1;
    this.complete(kind, draft);
    kind.defaults?.(draft);
    if (options.tracking) trackCreated(kind, draft, options.tracking, this.state.now);
    const sent = options.tracking === undefined ? asSent(draft) : undefined;
    const request = this.admit('CREATE', kind, '', draft, undefined, options, context);
    kind.prepareForCreate?.(draft, context);
    if (sent) attributeCreated(kind, draft, sent, componentName(options.user.name), this.state.now);
    if (options.validate || request?.request.changed)
      this.check(kind, draft, [
        ...validateMetadata(kind, draft),
        ...rulesOf(kind, draft, undefined, options, context),
        ...(kind.validateNew?.(draft, context) ?? []),
      ]);
    this.confirm(request);
    if (this.state.get(kind, keyOf(draft))) throw alreadyExists(kind, draft.metadata.name ?? '');
    if (options.warn) for (const w of kind.warnings?.(draft, undefined) ?? []) options.warn(w);
    if (options.fromOutside) checkSize(kind, draft);
    if (options.dryRun) return draft;
    return this.state.put(this.state.resourceOf(kind), draft, options.user.name, options.cause) as T;
  }

  /**
   * Replaces an object's own part (its status stays), its status alone (`subresource` 'status'), or, for an action's
   * name,
   * the whole object past the kind's update rules. Writes nothing when nothing changes.
   */
  update<T extends KubeObject>(kind: Kind<T>, draft: T, options: WriteOptions, subresource = ''): T {
    if (kind.storedAs)
      return this.update(
        kind.storedAs.kind,
        kind.storedAs.toStorage(draft),
        { ...options, requested: kind },
        subresource,
      ) as T;
    const stored = this.state.get(kind, keyOf(draft));
    if (!stored) throw notFound(kind, draft.metadata.name ?? '');
    const old = inVersion(kind, stored);
    this.compareVersions(kind, draft, old);
    const context = this.context(options.user);
    draft.apiVersion = old.apiVersion;
    draft.kind = old.kind;
    draft.metadata = carried(draft, old);
    this.complete(kind, draft);
    // Decoding fills in a status too; a later write's defaults would find a gap in a status that is shared.
    if (subresource === 'status' && options.fromOutside) kind.defaults?.(draft);
    this.keepOtherPart(kind, draft, old, subresource);
    if (subresource === 'status') kind.prepareForStatusUpdate?.(draft, old, context);
    else if (subresource === '') kind.defaults?.(draft);
    const deferred = this.track(kind, draft, old, options, options.admittedAs ?? subresource);
    const request = this.admit('UPDATE', kind, options.admittedAs ?? subresource, draft, old, options, context);
    if (request?.request.changed) this.keepOtherPart(kind, draft, old, subresource);
    if (subresource === '') kind.prepareForUpdate?.(draft, old, context);
    const warn = (): void => {
      if (options.warn && subresource !== 'status') for (const w of kind.warnings?.(draft, old) ?? []) options.warn(w);
    };
    if (stored === old && (deepEqual(draft, old) || sameButTimes(draft, old))) {
      warn();
      return old;
    }
    if (deferred !== undefined) attributeUpdated(kind, draft, old, deferred, subresource as Part, this.state.now);
    if (hasGeneration(kind) && !KEEPS_GENERATION.has(subresource) && specChanged(draft, old))
      draft.metadata.generation = (old.metadata.generation ?? 0) + 1;
    if ((options.validate || request?.request.changed) && (subresource === '' || subresource === 'status')) {
      const own =
        subresource === 'status'
          ? (kind.validateStatusUpdate?.(draft, old, context) ?? [])
          : [...rulesOf(kind, draft, old, options, context), ...(kind.validateUpdate?.(draft, old, context) ?? [])];
      this.check(kind, draft, [...validateMetadataUpdate(kind, draft, old), ...own]);
    }
    this.confirm(request);
    warn();
    if (options.fromOutside) checkSize(kind, draft);
    if (options.dryRun) return draft;
    if (isFinished(kind, draft)) return this.removeFinished(kind, draft, options);
    return this.state.put(this.state.resourceOf(kind), draft, options.user.name, options.cause) as T;
  }

  /** A write of one part leaves the other as it is. */
  private keepOtherPart(kind: Kind, draft: KubeObject, old: KubeObject, subresource: string): void {
    if (subresource === 'status') {
      keepAllButStatus(draft, old);
      for (const field of kind.statusKeeps ?? []) setOrDrop(draft.metadata, field, old.metadata[field]);
    } else if (subresource === '' && kind.subresources?.status)
      (draft as Unstructured)['status'] = (old as Unstructured)['status'];
  }

  /**
   * Writes down whose the changes are; returns the component's name when that can wait until it is known that anything
   * changes.
   */
  private track(
    kind: Kind,
    draft: KubeObject,
    old: KubeObject,
    options: WriteOptions,
    subresource: string,
  ): string | undefined {
    const { tracking } = options;
    if (tracking) return void trackUpdated(kind, draft, old, tracking, this.state.now);
    if (tracking === undefined && subresource !== 'binding') {
      const manager = componentName(options.user.name);
      if (staysDeferred(kind, old, manager, subresource)) return manager;
      if (old.metadata.managedFields !== undefined)
        trackUpdated(kind, draft, old, { kind, subresource, manager }, this.state.now);
    } else if (subresource !== 'binding' || !sameMetadata(draft, old)) settle(kind, draft, old);
    return undefined;
  }

  /** Marks or removes. Returns the object as it is now (or was), and whether it is gone. */
  delete<T extends KubeObject>(
    kind: Kind<T>,
    key: Key,
    deletion: DeleteOptions,
    options: WriteOptions,
  ): { object: T; deleted: boolean } {
    if (kind.storedAs) {
      const stored = this.state.get(kind, key);
      if (stored) inVersion(kind, stored);
      const done = this.delete(kind.storedAs.kind, key, deletion, { ...options, requested: kind });
      return { object: kind.storedAs.fromStorage(done.object), deleted: done.deleted };
    }
    const old = this.state.get(kind, key);
    if (!old) throw notFound(kind, key.name);
    const context = this.context(options.user);
    const dryRun = options.dryRun || (deletion.dryRun?.length ?? 0) > 0;
    const plan: DeletionPlan = planDeletion(kind, old, deletion);
    this.confirm(this.admit('DELETE', kind, '', undefined, old, options, context));
    const resource = this.state.resourceOf(kind);
    if (plan.action === 'pending') return { object: old, deleted: false };
    if (plan.action === 'remove') {
      if (!dryRun) this.state.remove(resource, key, options.user.name, options.cause);
      return { object: old, deleted: true };
    }
    const draft = markForDeletion(kind, old, plan, this.state.now);
    if (deepEqual(draft, old)) return { object: old, deleted: false };
    if (dryRun) return { object: draft, deleted: false };
    return { object: this.state.put(resource, draft, options.user.name, options.cause) as T, deleted: false };
  }

  /** Runs a change of one subresource against admission alone (binding, eviction): used by actions. */
  admit<T extends KubeObject>(
    operation: AdmissionRequest['operation'],
    kind: Kind<T>,
    subresource: string,
    object: T | undefined,
    old: T | undefined,
    options: WriteOptions,
    context: WriteContext,
  ): { request: AdmissionCall; plugins: readonly AdmissionPlugin[] } | undefined {
    const plugins = this.plugged(
      this.state.resourceOf(kind),
      subresource && isSentTo(kind, subresource) ? 'special' : 'all',
    );
    if (plugins.length === 0) return undefined;
    return this.mutated(
      new AdmissionCall(this, operation, kind, subresource, object, old, options, context.random),
      plugins,
    );
  }

  /** Admission of what is sent to a subresource of an object: a Binding, an Eviction, the options of a connection. */
  admitBody(
    operation: 'CREATE' | 'CONNECT',
    kind: Kind,
    key: Key,
    subresource: string,
    type: ObjectType,
    body: Unstructured,
    options: WriteOptions,
  ): void {
    const plugins = this.plugged(this.state.resourceOf(kind), 'general');
    const call = new AdmissionCall(
      this,
      operation,
      kind,
      subresource,
      body,
      undefined,
      options,
      this.context(options.user).random,
      { key, type },
    );
    this.confirm(this.mutated(call, plugins));
  }

  private mutated(
    call: AdmissionCall,
    plugins: readonly AdmissionPlugin[],
  ): { request: AdmissionCall; plugins: readonly AdmissionPlugin[] } {
    for (const plugin of plugins) plugin.mutate?.(call);
    if (call.again) {
      call.round = 1;
      for (const plugin of plugins) plugin.mutate?.(call);
    }
    return { request: call, plugins };
  }

  private confirm(admitted: ReturnType<Store['admit']>): void {
    if (!admitted) return;
    for (const plugin of admitted.plugins) plugin.validate?.(admitted.request);
  }

  /** Go's structs are never absent: a kind whose definition has a spec or a status always carries it. */
  private complete(kind: Kind, draft: KubeObject): void {
    let structs = this.structs.get(kind);
    if (!structs) {
      const fields = definition(kind.definition)?.fields ?? {};
      this.structs.set(kind, (structs = ['spec', 'status'].filter((f) => fields[f])));
    }
    for (const field of structs) (draft as unknown as Unstructured)[field] ??= {};
  }

  private plugged(resource: string, which: 'all' | 'general' | 'special'): readonly AdmissionPlugin[] {
    const known = this.pluginsFor[which];
    let plugins = known.get(resource);
    if (!plugins) {
      plugins = this.plugins.filter(
        (p) =>
          (!p.resources || p.resources.includes(resource)) &&
          (which === 'all' || (which === 'general') === (p.handlesBodies === true)),
      );
      known.set(resource, plugins);
    }
    return plugins;
  }

  private name(kind: Kind, draft: KubeObject, context: WriteContext): void {
    const metadata = draft.metadata;
    if (metadata.name || !metadata.generateName) return;
    const base = metadata.generateName.slice(0, MAX_GENERATED_BASE);
    for (let i = 0; i < GENERATE_NAME_TRIES; i++) {
      metadata.name = base + context.random.suffix(5);
      if (!this.state.get(kind, keyOf(draft))) return;
    }
  }

  private check(kind: Kind, draft: KubeObject, errors: Parameters<typeof invalid>[2]): void {
    if (errors.length > 0) throw invalid(kind, draft.metadata.name ?? '', errors);
  }

  private compareVersions(kind: Kind, draft: KubeObject, old: KubeObject): void {
    const { uid, resourceVersion, name = '' } = draft.metadata;
    if (uid && uid !== old.metadata.uid) {
      throw conflict(
        kind,
        name,
        `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${old.metadata.uid}`,
      );
    }
    if (resourceVersion && resourceVersion !== '0' && resourceVersion !== old.metadata.resourceVersion)
      throw conflict(kind, name, OBJECT_MODIFIED);
  }

  private removeFinished<T extends KubeObject>(kind: Kind<T>, draft: T, options: WriteOptions): T {
    const resource = this.state.resourceOf(kind);
    this.state.remove(resource, keyOf(draft), options.user.name, options.cause);
    return draft;
  }
}

/** Is a subresource something to POST to (pods/binding), rather than a part of the object? */
const isSentTo = (kind: Kind, subresource: string): boolean =>
  kind.subresources?.actions?.[subresource]?.verbs.includes('create') ?? false;

/** A version that is stored as another may have rules of its own. */
const rulesOf = <T extends KubeObject>(
  kind: Kind<T>,
  draft: T,
  old: T | undefined,
  { requested }: WriteOptions,
  context: WriteContext,
): FieldError[] =>
  requested?.storedAs?.validate ? requested.storedAs.validate(draft, old) : (kind.validate?.(draft, context) ?? []);

/** Kinds with a status have a generation unless they say otherwise. */
const hasGeneration = (kind: Kind): boolean => kind.generation ?? kind.subresources?.status === true;

/** A deleted object whose last finalizer has just gone. */
const isFinished = (kind: Kind, object: KubeObject): boolean =>
  object.metadata.deletionTimestamp !== undefined &&
  !object.metadata.finalizers?.length &&
  !object.metadata.deletionGracePeriodSeconds &&
  !kind.blocksDeletion?.(object);

/** What a client cannot change in the metadata comes from the stored object. */
function carried(draft: KubeObject, old: KubeObject): KubeObject['metadata'] {
  const {
    uid,
    creationTimestamp,
    deletionTimestamp,
    deletionGracePeriodSeconds,
    generation,
    resourceVersion,
    namespace,
    generateName,
  } = old.metadata;
  const metadata = { ...draft.metadata, uid, creationTimestamp, resourceVersion };
  if (namespace !== undefined) metadata.namespace = namespace;
  setOrDrop(metadata, 'deletionTimestamp', deletionTimestamp);
  setOrDrop(metadata, 'deletionGracePeriodSeconds', deletionGracePeriodSeconds);
  setOrDrop(metadata, 'generation', generation);
  setOrDrop(metadata, 'generateName', metadata.generateName ?? generateName);
  setOrDrop(metadata, 'selfLink', undefined);
  setOrDrop(metadata, 'managedFields', metadata.managedFields ?? old.metadata.managedFields);
  return metadata;
}

/** Deletes only what is there: `delete` makes an object slow for good. */
function setOrDrop<K extends keyof KubeObject['metadata']>(
  metadata: KubeObject['metadata'],
  field: K,
  value: KubeObject['metadata'][K],
): void {
  if (value !== undefined) metadata[field] = value;
  else if (field in metadata) delete metadata[field];
}

/** A status update takes status, and from the metadata only what upstream's status strategies let through. */
function keepAllButStatus(draft: KubeObject, old: KubeObject): void {
  const [to, from] = [draft as Unstructured, old as Unstructured];
  for (const field of Object.keys(to))
    if (field !== 'status' && field !== 'metadata' && !(field in from)) delete to[field];
  for (const field of Object.keys(from)) if (field !== 'status' && field !== 'metadata') to[field] = from[field];
}

function specChanged(draft: KubeObject, old: KubeObject): boolean {
  const [a, b] = [draft as Unstructured, old as Unstructured];
  const fields = new Set([...Object.keys(a), ...Object.keys(b)]);
  for (const f of fields) if (f !== 'metadata' && f !== 'status' && !deepEqual(a[f], b[f])) return true;
  return false;
}
