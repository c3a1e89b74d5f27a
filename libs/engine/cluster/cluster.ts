import { orderedPlugins } from '../admission/ordered-plugins.js';
import { handle, storedText, type Server } from '../apiserver/index.js';
import { RequestCounts } from '../apiserver/response/request-counts.js';
import { Store } from '../apiserver/registry/store.js';
import { componentOptions, type Requester } from '../apiserver/registry/write-options.js';
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
  type PodHttpAnswer,
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
  Machines,
  MeasuredUsage,
  podLogs,
  PodSessions,
  serveRuntime,
  reachPod,
  serveKubelet,
  tracerOf,
} from '../node/index.js';
import { apiServerNames } from '../node/host/pki/api-server-names.js';
import { appendToLog } from '../node/host/api-server/audit-log.js';
import { isBroken, isControllerDown } from '../node/host/services/broken.js';
import { Loop, type Progress, type ReconcileObserver } from '../runtime/loop.js';
import type { LoopState } from '../runtime/loop-state.js';
import { answererOf, timelineOf } from '../why/index.js';
import { whyParts } from './why-parts.js';
import { Registry } from '../runtime/registry.js';
import { State, type Mark, type StoredObject } from '../runtime/state/state.js';
import { injectAuthority } from './bootstrap/authority.js';
import type { CheckpointState, SavedLoop } from './state/checkpoint.js';
import { checkParts } from './check-parts.js';
import { Advances } from './clock/advances.js';
import { anchoredClock, type Anchor } from './clock/anchored-clock.js';
import { anchorAt, isTurned, realTimeOf, virtualNow } from './clock/clock.js';
import { componentUser } from './users/component-users.js';
import { newControllers } from './controller-order.js';
import { indexKind, serveCustomKinds } from './custom-kinds.js';
import { InputHandler } from './input-handler.js';
import { nodeIssuer } from './users/node-issuer.js';
import { servedRelease } from './served-release.js';
import { BEHAVIOUR_VERSION } from './behaviour.js';
import { LoggedTail, type Logged } from './state/logged-tail.js';
import { retrace } from './state/retrace.js';
import { OutsideCalls } from './outside-calls.js';
import { InnerSessions, SESSIONS_PATH } from './users/inner-sessions.js';
import { toApiRequest, toPodAnswer } from './users/pod-requests.js';
import { podToken } from './users/pod-tokens.js';
import { recordTyped } from './typed-lines.js';
import type { ComponentName } from '../runtime/controller.js';

const CONFIG_MAPS = 'configmaps';
/** Where a forwarded port's connections come from. */
const LOOPBACK = '127.0.0.1';
const CLOCK = { namespace: '', name: 'clock' };
const TERRARIUM = 'system:terrarium';
const NOTHING_QUEUED: LoopState = { turn: 0, runners: [], timers: [] };
/** A process that knows nothing of the components' work first reconciles all of these, at once. */
const MAX_COLD_OBJECTS = 2_000;

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
  /** Changes that come are of another process, which has judged them. */
  private isReplaying = false;
  private readonly server: Server;
  private readonly machines: Machines;
  /** From within a pod, or from its node. */
  private readonly dialPod: Dial;
  private readonly keys: ClusterKeys | undefined;
  private readonly ancestors: readonly ClusterKeys[];
  /** No controller has run yet. */
  private isCold = true;
  /** What the components have to go on with at the checkpoint that was loaded. */
  private savedLoop: SavedLoop | undefined;
  /** Read from the log before they have run: they may have to do it again to know where they are. */
  private readonly tail = new LoggedTail((change) => this.loop.observeLogged(change));
  private readonly outsideCalls = new OutsideCalls();
  private readonly handler: InputHandler;

  constructor(private readonly options: ClusterOptions) {
    const { state, registry } = this;
    this.keys = options.tokenKey === undefined ? undefined : new ClusterKeys(options.tokenKey);
    this.ancestors = (options.ancestorKeys ?? []).map((secret) => new ClusterKeys(secret));
    for (const kind of registry.all()) indexKind(state, kind);
    const images = withListedImages(options.images, state);
    const machines = (this.machines = this.newMachines(images));
    this.dialPod = (pod, request, now) => dialPod(pod, request, now, images, state, machines);
    const dial = dialAsApiServer(this.dialPod, machines.network, state);
    const reach = (pod: Pod, request: PodHttpRequest, now: Millis, from?: string): ReachAnswer =>
      reachPod(pod, request, now, { images, read: state, machines, client: this.nodeClient(pod) }, from);
    const trace = tracerOf(machines, state);
    const usage = new MeasuredUsage(state, machines);
    const parts = whyParts({
      ...{ state, registry, keys: this.keys, images, machines, trace },
      askHistory: this.outsideCalls.askHistory,
      isEnabled: (component) => this.isEnabled(component),
      server: () => this.server,
    });
    this.writer = new Store(state, registry, orderedPlugins, {
      seed: options.seed,
      keys: this.keys,
      dial,
      outside: this.outsideCalls.ask,
      waitForComponent: this.outsideCalls.waitForComponent,
      trace,
      flows: flowsOf(machines, state),
      why: answererOf(parts),
      timeline: timelineOf(parts),
    });
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
      keys: this.keys,
      usage,
      clientFor: (actor, cause) => this.clientFor(componentUser(actor), cause),
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
        machines.writeShared(`node/${log.node}`, () => appendToLog(this.auditor(log.node), log, lines, now)),
      asks: {
        isWanted: () => this.checks.wantsRequests,
        note: (request: AskedRequest) => this.checks.note(request),
      },
      sessions: new PodSessions({
        machines,
        read: state,
        client: (pod) => this.nodeClient(pod),
      }),
    };
    const { server, writer, outsideCalls } = this;
    this.handler = new InputHandler({
      ...{ server, writer, outsideCalls },
      dialPod: (pod, request, now) =>
        keepLogged(this.nodeClient(pod), pod, now, this.dialPod(pod, request, now), LOOPBACK),
    });
    serveCustomKinds(state, registry, this.callWebhook);
    state.onChange = (change) => {
      this.checks.observe(change, this.isReplaying);
      if (this.isObserving) this.loop.observe(change);
      else if (!this.isReplaying) this.observeCold(change);
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
    this.state.timelessChanges = checkpoint.timelessChanges ?? 0;
    if (this.options.runs !== false) this.takeOver(checkpoint);
    const { keys, state } = this;
    const own = ({ resource, object }: StoredObject): StoredObject => ({
      resource,
      object: keys && resource === CONFIG_MAPS ? injectAuthority(object, keys, this.ancestors) : object,
    });
    const objects = checkpoint.objects.map(own);
    if (checkpoint.bytes === undefined) for (const { resource, object } of objects) state.load(resource, object);
    else state.loadKnown(objects, checkpoint.bytes);
  }

  private replayInto(change: Change): AppliedChange {
    this.isReplaying = true;
    try {
      return this.state.replay(change);
    } finally {
      this.isReplaying = false;
    }
  }

  /** A change that is made here before the components have run: they are not to do the log before it again. */
  private observeCold(change: AppliedChange): void {
    this.tail.dropAll();
    this.loop.observeLogged(change);
  }

  /** What a checkpoint tells of the components' work; of another behaviour's, or of another point's, nothing. */
  private takeOver({ waiting = [], loop, revision, now }: CheckpointState): void {
    this.loop.wait(waiting);
    const isOfThis = loop?.behaviour === BEHAVIOUR_VERSION && loop.revision === revision && loop.now === now;
    this.savedLoop = isOfThis ? loop : undefined;
  }

  /** Applies a change that another process has made. */
  replay(change: Change): AppliedChange {
    const { keys, ancestors } = this;
    const isForeign = keys !== undefined && ancestors.length > 0 && change.resource === CONFIG_MAPS;
    const own = isForeign ? { ...change, object: injectAuthority(change.object, keys, ancestors) } : change;
    const { now } = this.state;
    try {
      const applied = this.replayInto(own);
      if (!this.isObserving) this.tail.add(applied, now);
      return applied;
    } finally {
      this.leaveWork();
    }
  }

  checkpoint(): CheckpointState {
    const { revision, now, bytes, timelessChanges } = this.state;
    this.tail.dropAll();
    const waiting = this.loop.waitingKeys();
    const objects = [...this.state.objects()];
    const loop = this.saveLoop();
    return {
      ...{ revision, now, bytes, timelessChanges, objects },
      ...(waiting.length > 0 && { waiting }),
      ...(loop && { loop }),
    };
  }

  private saveLoop(): SavedLoop | undefined {
    const { revision, now } = this.state;
    const saved = this.isCold || this.options.runs === false ? undefined : this.loop.save();
    return saved && { ...saved, behaviour: BEHAVIOUR_VERSION, revision, now };
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
    this.warmUp();
    return this.loop.advance(until, maxChanges, shouldYield);
  }

  /**
   * The same until the virtual time of a real one: as the Clock says, or as an Advance does. Nothing runs while the
   * Clock is paused. Not settled: there is more to do at once.
   */
  advanceAt(realNow: Millis, maxChanges: number, shouldYield: () => boolean = () => false): Progress {
    this.warmUp();
    const advance = this.advances.current;
    if (advance) return this.advances.run(advance, { realNow, maxChanges, shouldYield });
    const clock = this.state.get(Clocks, CLOCK);
    if (clock?.spec.paused) return { settled: true, nextWake: undefined };
    const until = clock?.spec.asFastAsPossible ? Number.POSITIVE_INFINITY : this.virtualNow(realNow);
    return this.loop.advance(until, maxChanges, shouldYield);
  }

  private warmUp(): void {
    if (!this.isCold) return;
    this.isCold = false;
    this.checks.start();
    const isResumed = this.state.isCommitted && this.resume();
    if (isResumed) this.tail.forget();
    else this.tail.dropAll();
    if (!isResumed) this.loop.enqueueAll();
    this.savedLoop = undefined;
  }

  /** Goes on where the process before has stopped. False when that is not known: every key is queued then. */
  private resume(): boolean {
    const { before, kept } = this.tail.split();
    const saved = this.tail.isComplete ? this.savedLoop : undefined;
    if (kept.length === 0 && saved) this.loop.restore(saved);
    if (kept.length === 0) return saved !== undefined;
    if (!saved && this.state.objectCount > MAX_COLD_OBJECTS) return false;
    const waiting = this.loop.waitingKeys();
    this.state.rewind(
      kept.map(({ change }) => change),
      kept[0]!.before,
    );
    this.checks.start();
    const mark = this.state.mark();
    if (this.retraceFrom(kept, saved, before)) return true;
    this.state.rollback(mark);
    this.loop.restore(NOTHING_QUEUED);
    this.loop.wait(waiting);
    this.replayAgain(kept);
    this.checks.rollback();
    this.checks.start();
    return false;
  }

  private replayAgain(logged: readonly Logged[]): void {
    this.isCold = true;
    for (const { change } of logged) this.replayInto(change);
    this.isCold = false;
  }

  private retraceFrom(kept: readonly Logged[], saved: SavedLoop | undefined, before: readonly Logged[]): boolean {
    const { state, loop } = this;
    for (const { change } of before) loop.observeLogged(change);
    if (saved) loop.restore(saved);
    else loop.enqueueAll();
    const logged = kept.map(({ change }) => change);
    const rollback = (mark: Mark): void => {
      state.rollback(mark);
      this.checks.rollback();
    };
    if (!retrace({ state, loop, rollback, replay: (change) => this.replayInto(change) }, logged)) return false;
    state.commit();
    loop.commit();
    return true;
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

  /** The machines of the cluster's pods: a cache that follows the state. */
  private newMachines(images: ImageCatalog): Machines {
    const { state, keys } = this;
    return new Machines({
      state,
      images,
      seed: this.options.seed,
      dial: (pod, request, now) => this.dialPod(pod, request, now),
      api: (_pod, request, now) => this.askApiServer(request, now),
      runtime: (pod, request, now) => this.askRuntime(pod, request, now, images),
      apiHello: () => ({
        subject: 'CN = kube-apiserver',
        issuer: 'CN = kubernetes',
        names: apiServerNames(state),
        chain: keys ? [keys.authority.pem] : [],
      }),
      issuer: this.options.tokenKey === undefined ? undefined : nodeIssuer(this.options.tokenKey),
      token: (pod, audience, seconds, now) => podToken(state, keys, pod, audience, seconds, now),
    });
  }

  /** What a program of the cluster asks its API server. */
  private askApiServer(request: PodHttpRequest, now: Millis): PodHttpAnswer {
    const { server } = this;
    const { sessions } = server;
    const inner = new InnerSessions({
      sessions,
      secret: this.options.tokenKey ?? this.options.seed,
      recordTyped: (by, lines) => recordTyped(server, by, lines),
    });
    if (request.path === SESSIONS_PATH && request.method === 'POST') return inner.exchange(request, now);
    const response = handle(server, toApiRequest(request), now);
    return response.type === 'session' ? inner.answerUpgrade(response) : toPodAnswer(response);
  }

  /** What a program of a node's asks its container runtime. */
  private askRuntime(from: Pod, request: PodHttpRequest, now: Millis, images: ImageCatalog): PodHttpAnswer {
    const { state, machines } = this;
    const { sessions } = this.server;
    if (!sessions) return { status: 503 };
    const client = this.nodeClient(from);
    return serveRuntime({ read: state, client, images, machines, sessions, now, from }, request);
  }

  /** A client for code that acts on the cluster directly (bootstrap, tests); validated like a user's writes. */
  client(user: User): Client {
    return this.writer.client(componentOptions({ user, cause: 0 }, true));
  }

  /** What a pod's kubelet writes in the name of nobody else. */
  private nodeClient({ spec }: Pod): Client {
    return this.clientFor(componentUser(`system:node:${spec.nodeName ?? ''}`), () => this.state.revision);
  }

  /** Writes the log of a node's API server. */
  private auditor(node: string): Client {
    return this.clientFor(componentUser(`system:node:${node}`), () => this.state.revision);
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
