import { orderedPlugins } from '../admission/ordered-plugins.js';
import { storedText, type Server } from '../apiserver/index.js';
import { RequestCounts } from '../apiserver/response/request-counts.js';
import { Store } from '../apiserver/registry/store.js';
import { callWebhook } from '../admission/webhook/client.js';
import type { Pod } from '../api/core_v1.js';
import type { CallWebhook } from '../machinery/requests/webhook.js';
import { Checks } from '../checks/index.js';
import type { AskedRequest } from '../machinery/requests/asked-request.js';
import { Clocks, Components, Events, kinds } from '../kinds/index.js';
import type { Clock } from '../kinds/terrarium/clock/kind.js';
import type { Change } from '../machinery/change.js';
import type { Client, User } from '../machinery/client.js';
import { ClusterKeys } from '../machinery/crypto/cluster-keys.js';
import {
  type ApiRequest,
  type ApiResponse,
  type AppliedChange,
  type AskingRequest,
  type Dial,
  type OutsideResponse,
  type PodHttpRequest,
  type ReachAnswer,
  type StreamResponse,
} from '../machinery/requests/http.js';
import type { Key, KubeObject } from '../machinery/meta/object.js';
import type { GitVersion } from '../machinery/releases.js';
import type {
  SessionAnswer,
  SessionOutput,
  SessionPosition,
  SessionReference,
  SessionRequest,
} from '../machinery/requests/sessions.js';
import type { Millis } from '../machinery/time/time.js';
import { UnfinishedWork } from '../machinery/unfinished.js';
import type { ImageCatalog } from '../node/cri/image.js';
import { withListedImages } from '../node/cri/images/listed-images.js';
import {
  dialAsApiServer,
  dialPod,
  keepLogged,
  enterCluster,
  flowsOf,
  MeasuredUsage,
  podLogs,
  PodSessions,
  reachPod,
  serveKubelet,
  tracerOf,
} from '../node/index.js';
import { appendToLog } from '../node/host/api-server/audit-log.js';
import { isBroken, isControllerDown } from '../node/host/services/broken.js';
import { Loop } from '../runtime/loop.js';
import type { Progress, ReconcileObserver } from '../runtime/loop-options.js';
import { answererOf, timelineOf } from '../why/index.js';
import { whyParts } from './why-parts.js';
import { Registry } from '../runtime/registry.js';
import { State, type Mark } from '../runtime/state/state.js';
import type { CheckpointState } from './state/checkpoint.js';
import { Recovery } from './state/recovery.js';
import { checkParts } from './check-parts.js';
import { Advances } from './clock/advances.js';
import { anchoredClock, type Anchor } from './clock/anchored-clock.js';
import { anchorAt, isTurned, realTimeOf, virtualNow } from './clock/clock.js';
import { newControllers } from './controller-order.js';
import { indexKind, serveCustomKinds } from './custom-kinds.js';
import { InputHandler } from './input-handler.js';
import { newMachines } from './new-machines.js';
import { ComponentClients } from './users/component-clients.js';
import { servedRelease } from './served-release.js';
import { OutsideCalls } from './outside-calls.js';
import type { ComponentName } from '../runtime/controller.js';

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
  private readonly writer: Store;
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
    const { state, registry } = this;
    const keys = options.tokenKey === undefined ? undefined : new ClusterKeys(options.tokenKey);
    for (const kind of registry.all()) indexKind(state, kind);
    const images = withListedImages(options.images, state);
    const machines = newMachines({
      ...{ state, images, keys, seed: options.seed, tokenKey: options.tokenKey, outsideCalls: this.outsideCalls },
      dialPod: (pod, request, now) => this.dialPod(pod, request, now),
      server: () => this.server,
      nodeClient: (pod) => this.clients.ofNodeOf(pod),
    });
    this.dialPod = (pod, request, now) => dialPod(pod, request, now, images, state, machines);
    const dial = dialAsApiServer(this.dialPod, machines.network, state);
    const reach = (pod: Pod, request: PodHttpRequest, now: Millis, from?: string): ReachAnswer =>
      reachPod(pod, request, now, { images, read: state, machines, client: this.clients.ofNodeOf(pod) }, from);
    const trace = tracerOf(machines, state);
    const usage = new MeasuredUsage(state, machines);
    const parts = whyParts({
      ...{ state, registry, keys, images, machines, trace },
      askHistory: this.outsideCalls.askHistory,
      isEnabled: (component, controller) =>
        this.isEnabled(component) && (controller === undefined || !isControllerDown(state, controller)),
      server: () => this.server,
    });
    this.writer = new Store(state, registry, orderedPlugins, {
      seed: options.seed,
      keys,
      dial,
      outside: this.outsideCalls.ask,
      waitForComponent: this.outsideCalls.waitForComponent,
      trace,
      flows: flowsOf(machines, state),
      why: answererOf(parts),
      timeline: timelineOf(parts),
    });
    this.clients = new ComponentClients({ state, writer: this.writer, strict: options.strict ?? false });
    this.checks = new Checks(
      checkParts({ state, registry, images, machines, trace, dialPod: dial, runs: options.runs !== false }),
    );
    this.loop = new Loop({
      state,
      controllers: newControllers(images, machines, () => this.checks),
      settle: () => this.checks.settle(),
      rest: () => this.checks.rest(),
      events: Events,
      seed: options.seed,
      keys,
      usage,
      clientFor: (actor, cause) => this.clients.ofComponent(actor, cause),
      isEnabled: (component, controller) => this.isEnabled(component) && !isControllerDown(state, controller),
      onError: options.onError,
      observer: options.observer,
    });
    this.advances = new Advances({ state, registry, loop: this.loop });
    this.server = {
      state,
      registry,
      writer: this.writer,
      requests: new RequestCounts(),
      get version() {
        return servedRelease(state) ?? options.version;
      },
      logs: (pod, o, now) => podLogs(pod, o, now, images, state, machines),
      dial,
      reach: dialAsApiServer((pod, request, now) => reach(pod, request, now), machines.network, state),
      enter: (address, request, at) => enterCluster(machines, reach, address, request, at),
      usage,
      kubelet: (node, request, now) => serveKubelet(node, request, now, images, state, machines),
      audit: (log, lines, now) =>
        machines.writeShared(`node/${log.node}`, () => appendToLog(this.clients.ofNode(log.node), log, lines, now)),
      asks: {
        isWanted: () => this.checks.wantsRequests,
        note: (request: AskedRequest) => this.checks.note(request),
      },
      sessions: new PodSessions({
        machines,
        read: state,
        client: (pod) => this.clients.ofNodeOf(pod),
      }),
    };
    const { server, writer, outsideCalls } = this;
    this.handler = new InputHandler({
      ...{ server, writer, outsideCalls },
      dialPod: (pod, request, now) =>
        keepLogged(this.clients.ofNodeOf(pod), pod, now, this.dialPod(pod, request, now), LOOPBACK),
    });
    serveCustomKinds(state, registry, this.callWebhook);
    const { loop, checks } = this;
    const ancestors = (options.ancestorKeys ?? []).map((secret) => new ClusterKeys(secret));
    const recovery = new Recovery({ state, loop, checks, keys, ancestors, runs: options.runs !== false });
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

  private isEnabled(component: ComponentName): boolean {
    const { state } = this;
    if (state.get(Components, { namespace: '', name: component })?.spec.enabled === false) return false;
    return !isBroken(state, component);
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
