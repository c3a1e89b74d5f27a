import { orderedPlugins } from '../admission/ordered-plugins.js';
import { handle, type Server } from '../apiserver/index.js';
import { RequestCounts } from '../apiserver/response/request-counts.js';
import { Store } from '../apiserver/registry/store.js';
import { componentOptions, type Requester } from '../apiserver/registry/write-options.js';
import { callWebhook } from '../admission/webhook/client.js';
import type { CallWebhook } from '../machinery/webhook.js';
import { Clocks, Components, Events, kinds } from '../kinds/index.js';
import type { Change } from '../machinery/change.js';
import type { Client, User } from '../machinery/client.js';
import { ClusterKeys } from '../machinery/crypto/cluster-keys.js';
import {
  OutsideCallsNeeded,
  type ApiRequest,
  type ApiResponse,
  type AppliedChange,
  type AskingRequest,
  type Dial,
  type OutsideResponse,
} from '../machinery/http.js';
import type { Key } from '../machinery/meta/object.js';
import type { Millis } from '../machinery/time/time.js';
import type { ImageCatalog } from '../node/cri/image.js';
import { dialPod, execIn, serveKubelet, podLogs } from '../node/index.js';
import { Loop, type Progress } from '../runtime/loop.js';
import { Registry } from '../runtime/registry.js';
import { State, type Mark } from '../runtime/state.js';
import { injectAuthority } from './bootstrap/authority.js';
import type { CheckpointState } from './checkpoint.js';
import { virtualNow, realTimeOf } from './clock.js';
import { componentUser } from './component-users.js';
import { newControllers } from './controller-order.js';
import { indexKind, serveCustomKinds } from './custom-kinds.js';
import { OutsideCalls } from './outside-calls.js';
import type { ComponentName } from '../runtime/controller.js';

const CONFIG_MAPS = 'configmaps';
const CLOCK = { namespace: '', name: 'clock' };

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
  onError?(controller: string, key: Key, error: unknown): void;
}

/** One cluster: state, API server and components. Synchronous and pure; the host loads, runs, appends and publishes. */
export class Cluster {
  readonly state = new State();
  readonly registry = new Registry(kinds);
  private readonly writer: Store;
  private readonly loop: Loop;
  private readonly server: Server;
  private readonly keys: ClusterKeys | undefined;
  /** No controller has run yet. */
  private isCold = true;
  private readonly outsideCalls = new OutsideCalls();

  constructor(private readonly options: ClusterOptions) {
    const { state, registry } = this;
    this.keys = options.tokenKey === undefined ? undefined : new ClusterKeys(options.tokenKey);
    for (const kind of registry.all()) indexKind(state, kind);
    const dial: Dial = (pod, request, now) => dialPod(pod, request, now, options.images, state);
    this.writer = new Store(state, registry, orderedPlugins, {
      seed: options.seed,
      keys: this.keys,
      dial,
      outside: this.outsideCalls.ask,
    });
    this.loop = new Loop({
      state,
      controllers: newControllers(options.images),
      events: Events,
      seed: options.seed,
      keys: this.keys,
      clientFor: (actor, cause) => this.clientFor(componentUser(actor), cause),
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
    serveCustomKinds(state, registry, this.callWebhook);
    state.onChange = (change) => {
      if (this.isObserving) this.loop.observe(change);
    };
  }

  /** A process that has just loaded the cluster queues every key when it first advances, and needs no changes. */
  private get isObserving(): boolean {
    return !this.isCold || this.options.runs === false;
  }

  // ---- loading ----

  /** Starts on a checkpoint; a template's is shifted to the cluster's own time before (shiftCheckpoint). */
  load(checkpoint: CheckpointState): void {
    this.state.revision = checkpoint.revision;
    this.state.now = checkpoint.now;
    const { keys } = this;
    for (const { resource, object } of checkpoint.objects)
      this.state.load(resource, keys && resource === CONFIG_MAPS ? injectAuthority(object, keys) : object);
  }

  /** Applies a change that another process has made. */
  replay(change: Change): AppliedChange {
    const applied = this.state.replay(change);
    this.leaveWork();
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

  /** Undoes what the request has done when it meets a webhook whose answer is not there yet: the host runs it again. */
  private handleAsking(request: AskingRequest): ApiResponse | OutsideResponse {
    const { state, writer } = this;
    const { stream } = request.outside;
    const mark = state.mark();
    writer.stream = stream && stream - state.revision;
    try {
      return this.outsideCalls.run(request.outside, () => handle(this.server, request, state.now));
    } catch (error) {
      if (!(error instanceof OutsideCallsNeeded)) throw error;
      state.rollback(mark);
      return { type: 'outside', calls: stream ? error.calls : [] };
    } finally {
      writer.stream = 0;
    }
  }

  /** Runs the components until nothing is left to do before `until`, or `maxChanges` were made. */
  advance(until: Millis, maxChanges = Number.POSITIVE_INFINITY): Progress {
    if (this.isCold) {
      this.isCold = false;
      this.loop.enqueueAll();
    }
    return this.loop.advance(until, maxChanges);
  }

  /** Whether what has changed since the last commit gives a component something to do. */
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
    this.leaveWork();
  }

  commit(): void {
    this.state.commit();
    this.loop.commit();
    this.leaveWork();
  }

  /** In a process that does not run the controllers, their queues would only grow. */
  private leaveWork(): void {
    if (this.options.runs === false) this.loop.clear();
  }

  // ---- time ----

  /** Virtual time at a real time (both ms since the epoch), by the cluster's Clock. */
  virtualNow(realMs: Millis): Millis {
    return virtualNow(this.state.get(Clocks, CLOCK), realMs, this.state.now);
  }

  /** When a virtual time will come in real time; undefined while the clock is paused. */
  realTimeOf(virtualMs: Millis, realNow: Millis): Millis | undefined {
    return realTimeOf(this.state.get(Clocks, CLOCK), virtualMs, realNow);
  }

  // ---- inside ----

  private readonly callWebhook: CallWebhook = (config, review, timeoutSeconds, key) => {
    const { state, server } = this;
    const outside = this.outsideCalls.ask;
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
}
