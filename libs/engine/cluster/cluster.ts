import type { CustomResourceDefinition } from '../api/apiextensions_v1.js';
import { orderedPlugins } from '../admission/ordered-plugins.js';
import { handle, type Server } from '../apiserver/index.js';
import { RequestCounts } from '../apiserver/response/request-counts.js';
import { Store } from '../apiserver/registry/store.js';
import { componentOptions, type Requester } from '../apiserver/registry/write-options.js';
import { compileCrd } from '../extensions/compile.js';
import { callWebhook } from '../admission/webhook/client.js';
import type { CallWebhook } from '../machinery/webhook.js';
import { Clocks, Components, CustomResourceDefinitions, Events, kinds } from '../kinds/index.js';
import type { Change } from '../machinery/change.js';
import type { Client, User } from '../machinery/client.js';
import { ClusterKeys } from '../machinery/crypto/cluster-keys.js';
import {
  OutsideWanted,
  type ApiRequest,
  type ApiResponse,
  type AppliedChange,
  type AskingRequest,
  type AskOutside,
  type Dial,
  type OutsideRecord,
  type OutsideResponse,
} from '../machinery/http.js';
import type { Kind } from '../machinery/kind.js';
import type { KubeObject } from '../machinery/meta/object.js';
import type { Millis } from '../machinery/time/time.js';
import type { ImageCatalog } from '../node/cri/image.js';
import { dialPod, execIn, serveKubelet, podLogs } from '../node/index.js';
import { Loop, type Progress } from '../runtime/loop.js';
import { Registry } from '../runtime/registry.js';
import { State, type Mark } from '../runtime/state.js';
import { withAuthority } from './bootstrap/authority.js';
import { virtualNow, realTimeOf } from './clock.js';
import { newControllers } from './controller-order.js';
import type { ComponentName } from '../runtime/controller.js';

export interface ClusterOptions {
  /** Names, uids, jitter and ties come from it. */
  readonly seed: string;
  readonly images: ImageCatalog;
  /**
   * A secret of this cluster alone: its tokens' key and its certificate authority follow from it. Without it there are
   * none.
   */
  readonly tokenKey?: string;
  /** False in a process that serves requests and leaves the controllers to another. By default true. */
  readonly runs?: boolean;
  /** Validates what controllers write, too: for tests. */
  readonly strict?: boolean;
  /** Told of reconciles that ended in an error; they are retried with back-off. */
  onError?(controller: string, key: { namespace: string; name: string }, error: unknown): void;
}

/** The whole state at a revision, as it is kept in a checkpoint. */
export interface CheckpointState {
  readonly revision: number;
  readonly now: Millis;
  readonly objects: readonly { readonly resource: string; readonly object: KubeObject }[];
}

/** One cluster: state, API server and components. Synchronous and pure; the host loads, runs, appends and publishes. */
export class Cluster {
  readonly state = new State();
  readonly registry = new Registry(kinds);
  private readonly writer: Store;
  private readonly loop: Loop;
  private readonly server: Server;
  private readonly keys: ClusterKeys | undefined;
  private cold = true;
  /** Of the request that is being run. */
  private asking: OutsideRecord | undefined;

  constructor(private readonly options: ClusterOptions) {
    const { state, registry } = this;
    this.keys = options.tokenKey === undefined ? undefined : new ClusterKeys(options.tokenKey);
    for (const kind of registry.all()) this.index(kind);
    const dial: Dial = (pod, request, now) => dialPod(pod, request, now, options.images, state);
    this.writer = new Store(state, registry, orderedPlugins, {
      seed: options.seed,
      keys: this.keys,
      dial,
      outside: this.outside,
    });
    this.loop = new Loop({
      state,
      controllers: newControllers(options.images),
      events: Events,
      seed: options.seed,
      keys: this.keys,
      clientFor: (actor, cause) => this.clientFor(userOf(actor), cause),
      isEnabled: (component) => this.isEnabled(component),
      onError: options.onError,
    });
    this.server = {
      state,
      registry,
      writer: this.writer,
      requests: new RequestCounts(),
      logs: (pod, o, now) => podLogs(pod, o, now, options.images, state),
      dial,
      exec: (pod, container, command, now) => execIn(pod, container, command, now, options.images, state),
      kubelet: (node, request, now) => serveKubelet(node, request, now, options.images, state),
    };
    state.observe(state.resourceOf(CustomResourceDefinitions), (old, next) => this.serveCustom(old, next));
    state.onChange = (change) => {
      if (this.recording) this.loop.observe(change);
    };
  }

  private get recording(): boolean {
    return !this.cold || this.options.runs === false;
  }

  // ---- loading ----

  /** Starts on a checkpoint; a template's is shifted to the cluster's own time before (shiftCheckpoint). */
  load(checkpoint: CheckpointState): void {
    this.state.revision = checkpoint.revision;
    this.state.now = checkpoint.now;
    const { keys } = this;
    for (const { resource, object } of checkpoint.objects)
      this.state.load(resource, keys && resource === CONFIG_MAPS ? withAuthority(object, keys) : object);
  }

  /** Steps over a change made elsewhere. */
  replay(change: Change): AppliedChange {
    const applied = this.state.replay(change);
    if (this.options.runs === false) this.loop.clear();
    return applied;
  }

  checkpoint(): CheckpointState {
    return { revision: this.state.revision, now: this.state.now, objects: [...this.state.objects()] };
  }

  // ---- inputs ----

  /** One API request at a virtual time. */
  handle(request: AskingRequest, now: Millis): ApiResponse | OutsideResponse;
  handle(request: ApiRequest, now: Millis): ApiResponse;
  handle(request: ApiRequest | AskingRequest, now: Millis): ApiResponse | OutsideResponse {
    if (now > this.state.now) this.state.now = now;
    return 'outside' in request ? this.handleAsking(request) : handle(this.server, request, this.state.now);
  }

  /** Undoes what a request has done before it wanted to know something that has not been asked yet. */
  private handleAsking(request: AskingRequest): ApiResponse | OutsideResponse {
    const { state, writer } = this;
    const { stream } = (this.asking = request.outside);
    const mark = state.mark();
    writer.stream = stream && stream - state.revision;
    try {
      return handle(this.server, request, state.now);
    } catch (error) {
      if (!(error instanceof OutsideWanted)) throw error;
      state.rollback(mark);
      return { type: 'outside', calls: stream ? error.calls : [] };
    } finally {
      this.asking = undefined;
      writer.stream = 0;
    }
  }

  /** Runs the components until nothing is left to do before `until`, or `maxChanges` were made. */
  advance(until: Millis, maxChanges = Number.POSITIVE_INFINITY): Progress {
    if (this.cold) {
      this.cold = false;
      this.loop.enqueueAll();
    }
    return this.loop.advance(until, maxChanges);
  }

  /** Would a run of the components find anything to do because of what has changed since the last commit? */
  wantsAdvance(): boolean {
    return this.loop.hasWork;
  }

  get nextWake(): Millis | undefined {
    return this.loop.nextWake;
  }

  // ---- the host's transaction ----

  get revision(): number {
    return this.state.revision;
  }

  mark(): Mark {
    return this.state.mark();
  }

  since(mark: Mark): readonly AppliedChange[] {
    return this.state.since(mark);
  }

  rollback(mark: Mark): void {
    this.state.rollback(mark);
    this.loop.rollback();
    if (this.options.runs === false) this.loop.clear();
  }

  commit(): void {
    this.state.commit();
    this.loop.commit();
    if (this.options.runs === false) this.loop.clear();
  }

  // ---- time ----

  /** Virtual time at a real time (both ms since the epoch), by the cluster's Clock. */
  virtualNow(realMs: Millis): Millis {
    return virtualNow(this.state.get(Clocks, { namespace: '', name: 'clock' }), realMs, this.state.now);
  }

  /** When a virtual time will come in real time; undefined while the clock is paused. */
  realTimeOf(virtualMs: Millis, realNow: Millis): Millis | undefined {
    return realTimeOf(this.state.get(Clocks, { namespace: '', name: 'clock' }), virtualMs, realNow);
  }

  // ---- inside ----

  /** Components have nobody to ask: they do not wait. */
  private readonly outside: AskOutside = (call) => {
    if (!this.asking) return undefined;
    const answer = this.asking.answers.get(call.key);
    if (!answer) throw new OutsideWanted([call]);
    return answer;
  };

  private readonly callWebhook: CallWebhook = (config, review, timeoutSeconds, key) => {
    const { state, server, outside } = this;
    return callWebhook(
      config,
      review,
      timeoutSeconds,
      { read: state, dial: server.dial, outside, now: state.now },
      key,
    );
  };

  /** A client for code that acts on the cluster directly (bootstrap, tests); validated like a user's writes. */
  client(user: User): Client {
    return this.writer.client(componentOptions({ user, cause: 0 }, true));
  }

  private clientFor(user: User, cause: () => number): Client {
    const requester: Requester = {
      user,
      get cause() {
        return cause();
      },
    };
    return this.writer.client(componentOptions(requester, this.options.strict ?? false));
  }

  private isEnabled(component: ComponentName): boolean {
    return this.state.get(Components, { namespace: '', name: component })?.spec.enabled !== false;
  }

  private index(kind: Kind): void {
    if (kind.storedAs) return;
    for (const [name, of] of Object.entries(kind.indexes ?? {}))
      this.state.addIndex(this.state.resourceOf(kind), name, of);
  }

  /** Serves what an established CRD describes; follows rollbacks too. */
  private serveCustom(old: KubeObject | undefined, next: KubeObject | undefined): void {
    const was = old ? established(old as CustomResourceDefinition) : [];
    for (const kind of was) {
      const served = this.registry.resource(kind.group, kind.version, kind.plural);
      if (served) this.registry.remove(served);
    }
    if (!next) return;
    for (const kind of established(next as CustomResourceDefinition, this.callWebhook)) {
      this.registry.add(kind);
      this.index(kind);
    }
  }
}

const CONFIG_MAPS = 'configmaps';

const established = (crd: CustomResourceDefinition, call?: CallWebhook): readonly Kind[] =>
  crd.status?.conditions?.some((c) => c.type === 'Established' && c.status === 'True') ? compileCrd(crd, call) : [];

/** The user that a component's writes are made as, with the groups upstream gives it. */
export function userOf(actor: string): User {
  const parts = actor.split(':');
  if (parts[1] === 'serviceaccount')
    return {
      name: actor,
      groups: ['system:serviceaccounts', `system:serviceaccounts:${parts[2]}`, 'system:authenticated'],
    };
  if (parts[1] === 'node') return { name: actor, groups: ['system:nodes', 'system:authenticated'] };
  return { name: actor, groups: ['system:authenticated'] };
}
