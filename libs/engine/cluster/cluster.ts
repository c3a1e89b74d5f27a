import { callWebhook } from '../admission/webhook/client.js';
import { storedText, type Server } from '../apiserver/index.js';
import { Checks } from '../checks/index.js';
import { Clocks, Components, Events, kinds } from '../kinds/index.js';
import type { Clock } from '../kinds/terrarium/clock/kind.js';
import type { Change } from '../machinery/change.js';
import type { Client, User } from '../machinery/client.js';
import { ClusterKeys } from '../machinery/crypto/cluster-keys.js';
import type { Key, KubeObject } from '../machinery/meta/object.js';
import type { GitVersion } from '../machinery/releases.js';
import type {
  ApiRequest,
  ApiResponse,
  AppliedChange,
  AskingRequest,
  Dial,
  OutsideResponse,
  StreamResponse,
} from '../machinery/requests/http.js';
import type {
  SessionAnswer,
  SessionOutput,
  SessionPosition,
  SessionReference,
  SessionRequest,
} from '../machinery/requests/sessions.js';
import type { CallWebhook } from '../machinery/requests/webhook.js';
import type { Millis } from '../machinery/time/time.js';
import { UnfinishedWork } from '../machinery/unfinished.js';
import type { ImageCatalog } from '../node/cri/image.js';
import { withListedImages } from '../node/cri/images/listed-images.js';
import { isBroken, isControllerDown } from '../node/host/services/broken.js';
import { dialAsApiServer, dialPod, keepLogged, MeasuredUsage, tracerOf } from '../node/index.js';
import type { ComponentName } from '../runtime/controller.js';
import { Loop } from '../runtime/loop.js';
import type { LoopOptions, Progress, ReconcileObserver } from '../runtime/loop-options.js';
import { Registry } from '../runtime/registry.js';
import { State, type Mark } from '../runtime/state/state.js';
import { Advances } from './clock/advances.js';
import { anchoredClock, type Anchor } from './clock/anchored-clock.js';
import { anchorAt, isTurned, realTimeOf, virtualNow } from './clock/clock.js';
import { newControllers } from './controller-order.js';
import { indexKind, serveCustomKinds } from './custom-kinds.js';
import { InputHandler } from './input-handler.js';
import { OutsideCalls } from './outside-calls.js';
import { checkParts } from './parts/check-parts.js';
import { newMachines } from './parts/new-machines.js';
import { newServer } from './parts/new-server.js';
import { newStore } from './parts/new-store.js';
import type { CheckpointState } from './state/checkpoint.js';
import { Recovery } from './state/recovery.js';
import { ComponentClients } from './users/component-clients.js';

/** Where a forwarded port's connections come from. */
const LOOPBACK = '127.0.0.1';
const CLOCK = { namespace: '', name: 'clock' };
const TERRARIUM = 'system:terrarium';

export interface ClusterOptions {
  /** Names, uids, jitter and ties come from it. */
  readonly seed: string;
  readonly images: ImageCatalog;
  /**
   * A secret of this cluster alone: its tokens' key and its certificate authority follow from it. Without it there are
   * none.
   */
  readonly tokenKey?: string;
  /** The secrets of the clusters whose log this one goes on from, so that their certificates are not shown here. */
  readonly ancestorKeys?: readonly string[];
  /** Since when time runs, for a cluster that goes on from a past moment of another one's log. */
  readonly anchor?: Anchor;
  /** The release that the cluster shows; the default one unless chosen. */
  readonly version?: GitVersion;
  /** False in a process that serves requests and leaves the controllers to another. By default true. */
  readonly runs?: boolean;
  /** Validates what controllers write, too: for tests. */
  readonly strict?: boolean;
  /** Told of reconciles that ended in an error; they are retried with back-off. */
  onError?(controller: string, key: Key, error: unknown): void;
  readonly observer?: ReconcileObserver;
}

/** One cluster: state, API server and components. Synchronous and pure; the host loads, runs, appends and publishes. */
export class Cluster {
  readonly state = new State();
  readonly registry = new Registry(kinds);
  private readonly loop: Loop;
  private readonly advances: Advances;
  private readonly checks: Checks;
  private readonly server: Server;
  private readonly clients: ComponentClients;
  /** From within a pod, or from its node. */
  private readonly dialPod: Dial;
  private readonly recovery: Recovery;
  private readonly outsideCalls = new OutsideCalls();
  private readonly handler: InputHandler;

  constructor(private readonly options: ClusterOptions) {
    const { state, registry, outsideCalls } = this;
    const { seed, tokenKey, version } = options;
    const runs = options.runs !== false;
    const keys = tokenKey === undefined ? undefined : new ClusterKeys(tokenKey);
    for (const kind of registry.all()) indexKind(state, kind);
    const images = withListedImages(options.images, state);
    const server = (): Server => this.server;
    const machines = newMachines({
      ...{ state, images, keys, seed, tokenKey, server, outsideCalls },
      dialPod: (pod, request, now) => this.dialPod(pod, request, now),
      nodeClient: (pod) => this.clients.ofNodeOf(pod),
    });
    this.dialPod = (pod, request, now) => dialPod(pod, request, now, images, state, machines);
    const dial = dialAsApiServer(this.dialPod, machines.network, state);
    const inside = { state, registry, keys, images, machines, dial, trace: tracerOf(machines, state) };
    const usage = new MeasuredUsage(state, machines);
    const isEnabled: LoopOptions['isEnabled'] = (component, controller) => this.isEnabled(component, controller);
    const writer = newStore({ ...inside, seed, outsideCalls, isEnabled, server });
    const clients = new ComponentClients({ state, writer, strict: options.strict ?? false });
    this.clients = clients;
    this.checks = new Checks(checkParts({ ...inside, dialPod: dial, runs }));
    this.loop = new Loop({
      ...{ state, seed, keys, usage, isEnabled, events: Events },
      controllers: newControllers(images, machines, () => this.checks),
      settle: () => this.checks.settle(),
      rest: () => this.checks.rest(),
      clientFor: (actor, cause) => clients.ofComponent(actor, cause),
      onError: options.onError,
      observer: options.observer,
    });
    const { loop, checks } = this;
    this.advances = new Advances({ state, registry, loop });
    this.server = newServer({ ...inside, writer, clients, checks, usage, version });
    this.handler = new InputHandler({
      ...{ server: this.server, writer, outsideCalls },
      dialPod: (pod, request, now) =>
        keepLogged(clients.ofNodeOf(pod), pod, now, this.dialPod(pod, request, now), LOOPBACK),
    });
    serveCustomKinds(state, registry, this.callWebhook);
    const ancestors = (options.ancestorKeys ?? []).map((secret) => new ClusterKeys(secret));
    const recovery = new Recovery({ state, loop, checks, keys, ancestors, runs });
    this.recovery = recovery;
    state.onChange = (change) => recovery.observe(change);
  }

  // ---- loading ----

  /** Starts on a checkpoint; a template's is shifted to the cluster's own time before (shiftCheckpoint). */
  load(checkpoint: CheckpointState): void {
    this.recovery.load(checkpoint);
  }

  /** Applies a change that another process has made. */
  replay(change: Change): AppliedChange {
    try {
      return this.recovery.replay(change);
    } finally {
      this.leaveWork();
    }
  }

  checkpoint(): CheckpointState {
    return this.recovery.checkpoint();
  }

  // ---- inputs ----

  /** One API request at a virtual time, and the real one. */
  handle(request: AskingRequest, now: Millis, realNow?: Millis): ApiResponse | OutsideResponse;
  handle(request: ApiRequest, now: Millis, realNow?: Millis): ApiResponse;
  handle(request: ApiRequest | AskingRequest, now: Millis, realNow = now): ApiResponse | OutsideResponse {
    const { state } = this;
    if (now > state.now) state.now = now;
    const clock = state.get(Clocks, CLOCK);
    const isAdvancing = this.advances.current !== undefined;
    const response = 'outside' in request ? this.handler.handleAsking(request) : this.handler.handleToEnd(request);
    this.checks.rest();
    this.anchorClock(clock, isAdvancing, realNow);
    return response.type === 'stream' ? continuing(response) : response;
  }

  /** One input of a session at a virtual time; it changes the state as a request does. */
  handleSession(request: SessionRequest, now: Millis): SessionAnswer {
    const { state } = this;
    if (now > state.now) state.now = now;
    const answer = this.handler.handleSession(request);
    this.checks.rest();
    return answer;
  }

  /** What a session has printed after a position. Changes nothing. */
  readSession(session: SessionReference, position: SessionPosition, now: Millis): SessionOutput {
    return this.handler.readSession(session, position, now);
  }

  /** Notes when a Clock was turned, or an Advance was given up: from then on time runs by the Clock's rate. */
  private anchorClock(old: Clock | undefined, wasAdvancing: boolean, realNow: Millis): void {
    const { state } = this;
    const clock = state.get(Clocks, CLOCK);
    const isGivenUp = wasAdvancing && !this.advances.current;
    if (!clock || (!isTurned(old, clock) && !isGivenUp)) return;
    const draft = { ...clock, metadata: { ...clock.metadata }, status: { ...anchorAt(state.now, realNow) } };
    state.put(state.resourceOf(Clocks), draft, TERRARIUM, state.revision);
  }

  /**
   * Runs the components until nothing is left to do before `until`, until `maxChanges` were made, or until
   * `shouldYield`, which is asked between two reconciles, says true.
   */
  advance(until: Millis, maxChanges = Number.POSITIVE_INFINITY, shouldYield?: () => boolean): Progress {
    this.recovery.warmUp();
    return this.loop.advance(until, maxChanges, shouldYield);
  }

  /**
   * The same until the virtual time of a real one: as the Clock says, or as an Advance does. Nothing runs while the
   * Clock is paused. Not settled: there is more to do at once.
   */
  advanceAt(realNow: Millis, maxChanges: number, shouldYield: () => boolean = () => false): Progress {
    this.recovery.warmUp();
    const advance = this.advances.current;
    if (advance) return this.advances.run(advance, { realNow, maxChanges, shouldYield });
    const clock = this.state.get(Clocks, CLOCK);
    if (clock?.spec.paused) return { settled: true, nextWake: undefined };
    const until = clock?.spec.asFastAsPossible ? Number.POSITIVE_INFINITY : this.virtualNow(realNow);
    return this.loop.advance(until, maxChanges, shouldYield);
  }

  /**
   * Until it is false again, creates, updates and patches are refused, also those of controllers: 413 in etcd's words.
   * Reads and deletions are served.
   */
  setSpaceExceeded(isExceeded: boolean): void {
    this.state.isSpaceExceeded = isExceeded;
  }

  /** Whether what has changed since the last commit gives a component something to do. */
  wantsAdvance(): boolean {
    return this.loop.wantsAdvance;
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

  /** JSON of a stored object. */
  textOf(object: KubeObject): string {
    return storedText(object);
  }

  since(mark: Mark): readonly AppliedChange[] {
    return this.state.since(mark);
  }

  rollback(mark: Mark): void {
    this.state.rollback(mark);
    this.loop.rollback();
    this.checks.rollback();
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

  /** An Advance is not over: time goes as fast as it can. */
  get isAdvancing(): boolean {
    return this.advances.current !== undefined;
  }

  /** Virtual time at a real time (both ms since the epoch), by the cluster's Clock. */
  virtualNow(realMs: Millis): Millis {
    if (this.advances.current) return this.state.now;
    return virtualNow(anchoredClock(this.state.get(Clocks, CLOCK), this.options.anchor), realMs, this.state.now);
  }

  /** When a virtual time will come in real time; undefined while the clock is paused. */
  realTimeOf(virtualMs: Millis, realNow: Millis): Millis | undefined {
    if (this.advances.current) return realNow;
    return realTimeOf(anchoredClock(this.state.get(Clocks, CLOCK), this.options.anchor), virtualMs, realNow);
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
    return this.clients.ofUser(user);
  }

  /** Whether a component runs, and a controller of it when one is named. */
  private isEnabled(component: ComponentName, controller?: string): boolean {
    const { state } = this;
    if (state.get(Components, { namespace: '', name: component })?.spec.enabled === false) return false;
    return !isBroken(state, component) && (controller === undefined || !isControllerDown(state, controller));
  }
}

/** A stream that has nothing more for now when a look at its source is not finished: it is read again at once. */
const continuing = (response: StreamResponse): StreamResponse => ({
  ...response,
  next: (now) => {
    try {
      return response.next(now);
    } catch (error) {
      if (error instanceof UnfinishedWork) return { chunk: '', done: false, wakeAt: now };
      throw error;
    }
  },
});
