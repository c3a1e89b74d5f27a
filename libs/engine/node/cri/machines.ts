import type { Container, Pod } from '../../api/core_v1.js';
import { textOf } from '../../kernel/bytes.js';
import type { FileRow, FileTree } from '../../kernel/files/tree.js';
import { Machine, type MachineOptions } from '../../kernel/machine.js';
import type { Network } from '../../kernel/network.js';
import type { Programs } from '../../kernel/process/program.js';
import { viewState } from '../../kernel/save.js';
import { World } from '../../kernel/world.js';
import { StartFailure, type ContainerExit } from '../../kernel/container.js';
import { FileChanges, Pods } from '../../kinds/index.js';
import type { FileChange } from '../../kinds/terrarium/filechange/kind.js';
import type { Client } from '../../machinery/client.js';
import type { PodHttpAnswer, PodHttpRequest } from '../../machinery/http.js';
import { hash32 } from '../../machinery/random.js';
import { UnfinishedWork } from '../../machinery/unfinished.js';
import { parseTimestamp, type Millis } from '../../machinery/time/time.js';
import { keyOf } from '../../machinery/meta/object.js';
import {
  findStart,
  networkOf,
  type ContainerRun,
  type Network as ContainerNetwork,
} from '../kubelet/container/process.js';
import type { ValueSource } from '../kubelet/container/value-source.js';
import { sysctlsOf } from '../kubelet/sysctl/allowlist.js';
import { readPodRuntime } from '../kubelet/pod/pod-runtime.js';
import { podAt } from '../cni/pod-at.js';
import { exactRun, runsOf, statusesOf, type Run } from './records/course.js';
import { follow, forgetCourse, isUsable, runAtMost, runUntil, type HookName, type RunMachine } from './pods/follow.js';
import { forecast, type Forecast } from './looks/forecast.js';
import { HttpRemote } from './servers/http-remote.js';
import type { Process } from './image.js';
import { askMachineNow, tryRequest } from './servers/ask-machine.js';
import { BoundedMachine, LOOK_STEPS, SLICE_STEPS } from './looks/bounded-machine.js';
import { tryCommand, type CommandOutcome } from './looks/run-command.js';
import { tryStop, type Trial } from './looks/trial.js';
import { exitCodeOf, machineProcess } from './pods/machine-process.js';
import { storeRows } from './records/file-record.js';
import { readMachine, readRecord, storeMachine, type MachineRecord } from './records/machine-record.js';
import { ClusterNetwork } from '../network/cluster-network.js';
import { podNetwork } from '../network/pod-network.js';
import { parseReference } from './images/reference.js';
import { PodTrees, podOfTree } from './pods/pod-trees.js';
import { standIn, containerOfStandIn } from './servers/stand-in.js';
import type { LoadedMachine } from './pods/loaded-machine.js';
import type { MachinesOptions, PodView } from './pods/pod-view.js';
import { imageFilesOf, specOf, summaryOf } from './pods/start-spec.js';

export type { LoadedMachine } from './pods/loaded-machine.js';
export type { MachinesOptions, PodView } from './pods/pod-view.js';

/** Loaded machines of one cluster; the least recently used one is made again when somebody looks. */
const MAX_LOADED = 500;
/** Of one machine; those that are given up are forgotten with others. */
const MAX_TRIALS = 8;
/** A machine that is not further behind needs no run ahead before something acts on it. */
const NEAR: Millis = 500;
/** A look that was continued so often comes to its end in one go: something takes back what each of them has done. */
const MAX_SLICES = 200;
const API_SERVER_PORT = 6_443;
/** Models containerd's and kuberuntime's MaxContainerTerminationMessageLength and ...LogLength, ...LogLines. */
const MAX_MESSAGE_BYTES = 4_096;
const MAX_LOG_BYTES = 2_048;
const MAX_LOG_LINES = 80;
const ENDLESS: Forecast = { listening: [], knownUntil: Infinity };
/** A command line does not depend on it. */
const NO_NETWORK: ContainerNetwork = { resolves: () => false, connects: () => false };
const NO_PROGRAMS: Programs = { find: () => undefined };

/** The exit code of a command that cannot be started. */
const NOT_EXECUTABLE = 126;

export type { HookName } from './pods/follow.js';

/**
 * The machines of one cluster's pods. A machine is made when somebody looks into its pod: from its record, or from what
 * the pod's status tells of its containers. From there its course is a function of time, so that it is kept here only
 * to
 * save work; what acts on it is stored (`store`).
 */
export class Machines {
  readonly network: ClusterNetwork;
  /** By the pod's uid; the one that was used last is the last. */
  private readonly loaded = new Map<string, LoadedMachine>();
  /** Trees that several pods may mount. */
  private readonly shared = new Map<string, FileTree>();
  /** Machines that are connected run together. */
  private readonly world = new World(
    (id, at) => this.findMachine(id, at),
    (states, at) => states.forEach(({ id, now }) => this.noteRun(id, at, now)),
  );
  /** A step of a process asks the cluster: it cannot be undone and continued. */
  private isInStep = false;
  /** By the pod's uid, and what is tried out in it: how often that was not finished. */
  private readonly unfinished = new Map<string, number>();
  private isStoring = false;
  private isForecasting = false;
  /** The cluster runs an input: programs may change it. */
  private isActing = false;
  /** Machines that a machine which is acted on has been in contact with. */
  private peers = new Set<string>();
  /** The earliest time at which a program began to wait for the API server. */
  private waitsSince = Infinity;

  constructor(readonly options: MachinesOptions) {
    const { state } = options;
    this.network = new ClusterNetwork(state);
    state.observe(state.resourceOf(FileChanges), (old, next) => {
      if (!this.isStoring) this.forgetTree(((next ?? old) as FileChange).tree);
    });
  }

  /** The pod as its stored status and PodRuntime tell. */
  viewOf(pod: Pod): PodView {
    const records = readPodRuntime(this.options.state, pod)?.containers ?? {};
    return { pod, statuses: statusesOf(pod), records };
  }

  /** Whether the files of a container's image are known. */
  hasFiles({ pod, statuses, records }: PodView, container: string): boolean {
    const { images } = this.options;
    const run = runsOf(pod, statuses, records).findLast((r) => r.container.name === container);
    const reference = run && parseReference(run.image);
    const found = reference && images.resolve(reference);
    return found !== undefined && 'image' in found && found.image.files !== undefined;
  }

  /** The machine of a pod as it is at a time. Throws UnfinishedWork when it has much to do until then. */
  at(view: PodView, now: Millis): LoadedMachine {
    const uid = view.pod.metadata.uid ?? '';
    const run = this.mustFinish(uid) ? runUntil : runAtMost(SLICE_STEPS);
    const { loaded, isThere } = this.bringTo(view, now, run);
    if (!isThere) throw this.leaveUnfinished(uid);
    if (this.unfinished.size > 0) this.unfinished.delete(uid);
    return loaded;
  }

  /** The same, or as it is at an earlier time when it has much to do until then: the next look goes on from there. */
  look(view: PodView, now: Millis): LoadedMachine {
    return this.bringTo(view, now, runAtMost(LOOK_STEPS)).loaded;
  }

  private bringTo(view: PodView, now: Millis, run: RunMachine): { loaded: LoadedMachine; isThere: boolean } {
    const uid = view.pod.metadata.uid ?? '';
    let found = this.loaded.get(uid);
    const record = readRecord(this.options.state, view.pod, found?.record);
    const runs = runsOf(view.pod, view.statuses, view.records);
    if (!found || !isUsable(found, record, runs, now)) {
      this.drop(uid);
      found = this.make(view, record);
    }
    this.loaded.delete(uid);
    this.loaded.set(uid, found);
    if (this.loaded.size > MAX_LOADED) this.drop(this.loaded.keys().next().value ?? '');
    found.trees.refresh(view, now);
    return { loaded: found, isThere: follow(found, view, runs, now, run, this.options) };
  }

  /** The files that a volume of a pod lies in: of a hostPath, its node's disk. */
  volumeFiles(view: PodView, name: string, now: Millis): FileTree | undefined {
    return this.at(view, now).trees.volume(name)?.tree;
  }

  /** What will become of a running container, as far as it follows from its pod's machine at a time. */
  forecast(view: PodView, containerID: string, now: Millis): Forecast {
    if (this.isEndless(view, containerID, now)) return ENDLESS;
    const loaded = this.at(view, now);
    const known = loaded.forecasts.get(containerID);
    if (known && now < known.knownUntil) return known;
    const made = this.runAhead(view, loaded, containerID);
    loaded.forecasts.set(containerID, made);
    return made;
  }

  /** Why the main process of a run that is about to begin cannot be started, in runc's words. */
  findStartFailure(view: PodView, run: Run): string | undefined {
    const { images, state } = this.options;
    const network = networkOf(state, view.pod.metadata.namespace ?? '');
    const found = findStart(images, run, { pod: view.pod, read: state }, network);
    if (!found || found.image.start(found.start)) return undefined;
    const trees = new PodTrees(view, this.options, new Map(), () => found.image.files ?? {});
    try {
      const spec = specOf(run, view.pod, trees, this.options);
      if (spec) new Machine(this.optionsOf(view)).start(spec, run.startedAt);
      return undefined;
    } catch (error) {
      if (error instanceof StartFailure) return error.message;
      throw error;
    }
  }

  /** How a container that gets SIGTERM at a time ends within its grace period; undefined: it does not. */
  stopping(view: PodView, containerID: string, now: Millis, at: Millis, graceMs: Millis): ContainerExit | undefined {
    const loaded = this.at(view, now);
    if (!loaded.runs.has(containerID)) return undefined;
    const key = `stop ${containerID} ${at} ${graceMs}`;
    return this.tryOut(view, loaded, key, (copy) => tryStop(copy, containerID, at, graceMs));
  }

  /** The outcome of a command in a container, which leaves no trace there: a probe's. */
  tryCommand(
    view: PodView,
    containerID: string,
    argv: readonly string[],
    at: Millis,
    timeoutMs: Millis,
  ): CommandOutcome {
    const loaded = this.at(view, at);
    if (!loaded.runs.has(containerID)) return { code: 1, output: 'container not running', tookMs: 0 };
    const key = `exec ${containerID} ${at} ${timeoutMs} ${argv.join('\0')}`;
    return this.tryOut(view, loaded, key, (copy) => tryCommand(copy, containerID, argv, timeoutMs));
  }

  /** Until when nothing happens in a pod's machine by itself. */
  quietUntil(view: PodView, at: Millis): Millis {
    return this.at(view, at).machine.nextWake() ?? Infinity;
  }

  /** The answer of a server in a pod's machine to an HTTP request, which leaves no trace there. */
  ask(view: PodView, request: PodHttpRequest, now: Millis): PodHttpAnswer | { readonly error: string } {
    const key = `ask ${now} ${JSON.stringify(request)}`;
    const podIP = view.pod.status.podIP ?? '';
    return this.tryOut(view, this.at(view, now), key, (copy) => tryRequest(copy, request, podIP, now));
  }

  /** What comes of something in a copy of a machine. Throws UnfinishedWork when that takes long. */
  private tryOut<T>(view: PodView, loaded: LoadedMachine, key: string, begin: (copy: BoundedMachine) => Trial<T>): T {
    const { trials } = loaded;
    const turn = `${view.pod.metadata.uid ?? ''} ${key}`;
    let trial = trials.get(key) as Trial<T> | undefined;
    // A copy that fails is not used again.
    trials.delete(key);
    trial ??= begin(this.copyOf(view, loaded));
    trial.copy.allow(this.mustFinish(turn) ? Infinity : SLICE_STEPS);
    const outcome = trial.proceed();
    if (outcome) {
      this.unfinished.delete(turn);
      return outcome.result;
    }
    if (trials.size >= MAX_TRIALS) trials.clear();
    trials.set(key, trial);
    throw this.leaveUnfinished(turn);
  }

  /** Whether a piece of work has to come to its end however long that takes. */
  private mustFinish(turn: string): boolean {
    return this.isActing || this.isInStep || this.world.isStepping || (this.unfinished.get(turn) ?? 0) >= MAX_SLICES;
  }

  private leaveUnfinished(turn: string): UnfinishedWork {
    const slices = this.unfinished.get(turn) ?? 0;
    if (this.unfinished.size >= MAX_LOADED) this.unfinished.clear();
    this.unfinished.set(turn, slices + 1);
    return new UnfinishedWork();
  }

  /**
   * The process of a container: its image's summary, or what its pod's machine makes of it. Undefined when its image is
   * not known any more.
   */
  processOf(
    view: PodView,
    run: ContainerRun,
    source: ValueSource,
    network: ContainerNetwork,
    now: Millis,
  ): Process | undefined {
    const { images, state } = this.options;
    const found = findStart(images, run, source, network);
    if (!found) return undefined;
    const summary = found.image.start(found.start);
    if (summary && !readMachine(state, view.pod)) return summary;
    const runs = runsOf(view.pod, view.statuses, view.records);
    return machineProcess(this, view, exactRun(run, runs), now, summary);
  }

  /** A program that never ends by itself needs no look ahead, as long as nothing else runs in its machine. */
  private isEndless(view: PodView, containerID: string, now: Millis): boolean {
    const { images, state } = this.options;
    const isKnown = images.programs?.isEndless;
    if (!isKnown) return false;
    const run = runsOf(view.pod, view.statuses, view.records).find((r) => r.containerID === containerID);
    if (!run || run.endsAt !== undefined) return false;
    const found = findStart(images, run, { pod: view.pod, read: state }, NO_NETWORK);
    if (found === undefined || !isKnown(found.start.argv)) return false;
    return !readMachine(state, view.pod) || this.runsAlone(view, containerID, now);
  }

  /** What has acted on the machine has left nothing behind that could end the container. */
  private runsAlone(view: PodView, containerID: string, now: Millis): boolean {
    const { machine, runs } = this.at(view, now);
    return runs.has(containerID) && machine.container(containerID).running && machine.runsAlone(containerID);
  }

  /** No container of a pod waits for the API server, nor ends by itself: its machine runs when somebody looks. */
  private isEndlessPod(view: PodView, now: Millis): boolean {
    const running = runsOf(view.pod, view.statuses, view.records).filter((run) => run.endsAt === undefined);
    return running.every(({ containerID }) => this.isEndless(view, containerID, now));
  }

  private runAhead(view: PodView, loaded: LoadedMachine, containerID: string): Forecast {
    const { machine } = loaded;
    if (!loaded.runs.has(containerID)) return { listening: [], knownUntil: Infinity };
    const copy = this.copyOf(view, loaded);
    const [waitsSince, isActing] = [this.waitsSince, this.isActing];
    this.waitsSince = Infinity;
    this.isActing = false;
    this.isForecasting = true;
    try {
      return forecast(copy, containerID, () => (this.waitsSince > machine.now ? this.waitsSince : Infinity));
    } finally {
      this.isForecasting = false;
      this.waitsSince = waitsSince;
      this.isActing = isActing;
    }
  }

  /** A machine that goes its own way from here on. */
  private copyOf(view: PodView, { machine, trees }: LoadedMachine): BoundedMachine {
    return new BoundedMachine({ ...this.optionsOf(view), findTree: (id) => trees.copy(id) }, viewState(machine.state));
  }

  /**
   * Runs `use` on a pod's machine as part of an input of the cluster: its programs reach the API server, and what they
   * do there is done. Throws UnfinishedWork before that when the machine has much to do until then: what was done there
   * cannot be taken back and continued.
   */
  acting<T>(view: PodView, now: Millis, use: (loaded: LoadedMachine) => T): T {
    const uid = view.pod.metadata.uid ?? '';
    const known = this.loaded.get(uid);
    // What begins at this very moment, such as a hook, is part of the input: what it does to others is written down.
    if (!known?.isWaiting && (known?.machine.now ?? -Infinity) < now - NEAR) this.at(view, now - 1);
    if (this.loaded.get(uid)?.isWaiting) this.drop(uid);
    const { isActing, peers } = this;
    this.isActing = true;
    this.peers = new Set();
    try {
      return use(this.at(view, now));
    } finally {
      this.isActing = isActing;
      this.peers = peers;
    }
  }

  /** Lets a program that waits for the API server go on, and writes its machine down. False: none waits. */
  answerWaiting(client: Client, view: PodView, now: Millis): boolean {
    if (this.isEndlessPod(view, now) || !this.at(view, now).isWaiting) return false;
    this.acting(view, now, (loaded) => this.store(client, view.pod, loaded));
    return true;
  }

  /**
   * Lets the command of a lifecycle hook do what it does at its beginning, also in other pods. Returns its exit code;
   * undefined while it runs. A command that cannot be started has 126.
   */
  performHook(client: Client, view: PodView, containerID: string, name: HookName, now: Millis): number | undefined {
    return this.acting(view, now, (loaded) => {
      const { machine, hooks, hasContacts } = loaded;
      if (hasContacts || this.peers.size > 0) this.store(client, view.pod, loaded);
      const key = `${name} ${containerID}`;
      if (!hooks.has(key)) return undefined;
      const session = hooks.get(key);
      if (session === undefined) return NOT_EXECUTABLE;
      const { exit } = machine.output(session);
      return exit && exitCodeOf(exit);
    });
  }

  /**
   * Sends a kubelet's HTTP request to an address of the cluster, and writes down what it did to the server's machine.
   * `from`: the pod whose kubelet asks. An answer that takes time is not waited for: undefined.
   */
  send(
    client: Client,
    from: PodView,
    address: string,
    request: PodHttpRequest,
    now: Millis,
  ): PodHttpAnswer | { readonly error: string } | undefined {
    const { state, dial } = this.options;
    const isOwn = address === from.pod.status.podIP;
    const pod = isOwn ? from.pod : podAt(state, address);
    const refused = { error: `dial tcp ${address}:${request.port}: connect: connection refused` };
    if (!pod) return { error: `dial tcp ${address}:${request.port}: connect: no route to host` };
    const view = isOwn ? from : this.viewOf(pod);
    switch (this.listenerOf(pod, request.port, now, view)) {
      case 'summary':
        return dial(pod, request, now);
      case 'none':
        return refused;
      case 'machine':
        return this.acting(view, now, (loaded) => {
          const answer = askMachineNow(loaded.machine, request, address, now);
          forgetCourse(loaded);
          this.store(client, pod, loaded);
          return answer;
        });
    }
  }

  /** Lets a machine that was acted on do what it does at this moment. */
  run(loaded: LoadedMachine, now: Millis): void {
    forgetCourse(loaded);
    runUntil(loaded.machine, now);
  }

  /**
   * Keeps what an ended container has left behind and what does not follow from the pod any more: changed volumes,
   * and the
   * log of a program that was in contact with others.
   */
  keepEnd(client: Client, view: PodView, now: Millis): void {
    const loaded = this.at(view, now);
    const taken = new Map<string, FileRow[]>();
    for (const { tree } of loaded.trees.volumes()) {
      const rows = tree.takeChanges();
      if (rows.length > 0) taken.set(tree.id, rows);
    }
    if (taken.size > 0 || loaded.hasContacts) this.store(client, view.pod, loaded, taken);
  }

  /** The termination message of an ended container. Models containerd's and the kubelet's getTerminationMessage. */
  terminationMessage(view: PodView, container: Container, containerID: string, failed: boolean, now: Millis): string {
    const { trees, machine, runs } = this.at(view, now);
    const written = textOf(trees.message(containerID).slice(0, MAX_MESSAGE_BYTES));
    if (written !== '' || !failed || container.terminationMessagePolicy !== 'FallbackToLogsOnError') return written;
    const lines = runs.has(containerID) ? machine.container(containerID).logs.slice(-MAX_LOG_LINES) : [];
    return textOf(
      lines
        .map(({ text, isPartial }) => (isPartial ? text : `${text}\n`))
        .join('')
        .slice(-MAX_LOG_BYTES),
    );
  }

  /**
   * Writes a machine that was acted on down, and the files that it has changed. `taken`: rows that a tree has given.
   */
  store(client: Client, pod: Pod, loaded: LoadedMachine, taken?: ReadonlyMap<string, FileRow[]>): void {
    const { machine, trees, runs, stopped } = loaded;
    this.isStoring = true;
    try {
      const state = { machine: viewState(machine.state), at: machine.now, runs: [...runs], stopped: [...stopped] };
      loaded.record = storeMachine(client, pod, state, loaded.record);
      for (const { tree, owner } of trees.writable())
        storeRows(client, tree.id, owner, [...(taken?.get(tree.id) ?? []), ...tree.takeChanges()]);
    } finally {
      this.isStoring = false;
    }
    this.storePeers(client);
  }

  /** What a machine asked of others is part of their course, too. */
  private storePeers(client: Client): void {
    const peers = [...this.peers];
    this.peers.clear();
    for (const uid of peers) {
      const peer = this.loaded.get(uid);
      const pod = peer && this.findPod(uid);
      if (!pod) continue;
      forgetCourse(peer);
      this.store(client, pod, peer);
    }
  }

  /** The pod as it is now: a machine knows the one that it was made for. */
  private findPod(uid: string): Pod | undefined {
    const { state } = this.options;
    const known = this.loaded.get(uid)?.trees.pod;
    const found = known && state.get(Pods, keyOf(known));
    return found?.metadata.uid === uid ? found : state.list(Pods).find((p) => p.metadata.uid === uid);
  }

  private make(view: PodView, record: MachineRecord | undefined): LoadedMachine {
    const { images, state } = this.options;
    const trees = new PodTrees(view, this.options, this.shared, (at, id) => imageFilesOf(at, id, images, state));
    const machine = new Machine(
      { ...this.optionsOf(view, () => trees.latestView), world: this.world, findTree: (id) => trees.find(id) },
      record?.machine(),
    );
    return {
      machine,
      trees,
      record,
      runs: new Set(record?.runs),
      stopped: new Set(record?.stopped),
      hooks: new Map(),
      failures: new Map(),
      forecasts: new Map(),
      trials: new Map(),
      ranTo: undefined,
      hasContacts: false,
      isWaiting: false,
    };
  }

  /** `latest`: a machine lasts, and containers start in it of which its first view knew nothing. */
  private optionsOf(view: PodView, latest = (): PodView => view): Omit<MachineOptions, 'findTree'> {
    const { images, seed } = this.options;
    const { pod } = view;
    const uid = pod.metadata.uid ?? '';
    return {
      id: uid,
      seed: hash32(`${seed}/${uid}`),
      bootedAt: bootTime(pod),
      programs: this.programsOf(latest, images.programs ?? NO_PROGRAMS),
      network: this.networkOf(pod),
      parameters: sysctlsOf(pod),
    };
  }

  private noteRun(uid: string, asked: Millis, reached: Millis): void {
    const loaded = this.loaded.get(uid);
    if (loaded) loaded.ranTo = { asked, reached };
  }

  /** The catalogue's programs, and one for each server that is known by its summary only. */
  private programsOf(latest: () => PodView, programs: Programs): Programs {
    const { images, state } = this.options;
    return {
      find: (name) => {
        const container = containerOfStandIn(name);
        return container === undefined
          ? programs.find(name)
          : standIn(() => summaryOf(latest(), container, images, state)?.process);
      },
    };
  }

  private findMachine(uid: string, at: Millis): Machine | undefined {
    const pod = this.findPod(uid);
    if (pod && this.isActing) this.peers.add(uid);
    return pod && this.at(this.viewOf(pod), at).machine;
  }

  private networkOf(pod: Pod): Network {
    const { state, dial, api, apiHello } = this.options;
    return podNetwork(pod, {
      read: state,
      network: this.network,
      onContact: (now) => {
        const loaded = this.loaded.get(pod.metadata.uid ?? '');
        // A copy that runs ahead cannot know which names and servers there will be.
        if (this.isForecasting && now > (loaded?.machine.now ?? 0)) this.wait(now);
        else if (loaded && !this.isForecasting) loaded.hasContacts = true;
      },
      listenerOf: (to, port, now) => {
        const found = this.inStep(() => this.listenerOf(to, port, now));
        // A copy that runs ahead cannot know what another machine will do.
        if (found === 'machine' && this.isForecasting) this.wait(now);
        return found;
      },
      nameServerOf: (to, now) => this.nameServerOf(to, now),
      summaryServer: (to, port) =>
        new HttpRemote({
          port,
          serve: (request, now) => {
            const answer = this.inStep(() => dial(to, request, now));
            return 'error' in answer ? { status: 502 } : answer;
          },
        }),
      apiServer: (from) =>
        new HttpRemote({
          port: API_SERVER_PORT,
          tls: apiHello(),
          // What a request does or finds is part of the log: only an input of the cluster may send it.
          serve: (request, now) =>
            this.isActing ? this.inStep(() => api(from, request, now)) : this.waitForInput(from, now),
        }),
    });
  }

  private inStep<T>(ask: () => T): T {
    const { isInStep } = this;
    this.isInStep = true;
    try {
      return ask();
    } finally {
      this.isInStep = isInStep;
    }
  }

  private waitForInput({ metadata }: Pod, now: Millis): undefined {
    const loaded = this.isForecasting ? undefined : this.loaded.get(metadata.uid ?? '');
    if (loaded) loaded.isWaiting = true;
    return this.wait(now);
  }

  /** Notes that the course of a machine is not known from here on. */
  private wait(now: Millis): undefined {
    this.waitsSince = Math.min(this.waitsSince, now);
    return undefined;
  }

  /** The process of a pod that answers questions for names now: NetworkOptions. */
  nameServerOf(pod: Pod, now: Millis): Process | undefined {
    const { state, images } = this.options;
    const view = this.viewOf(pod);
    for (const { container, endsAt } of runsOf(pod, view.statuses, view.records)) {
      const summary = endsAt === undefined ? summaryOf(view, container.name, images, state) : undefined;
      if (!summary?.process.answerName || summary.process.exit) continue;
      if (now >= summary.startedAt + summary.process.readyAfterMs) return summary.process;
    }
    return undefined;
  }

  /** What is at a port of a pod: NetworkOptions. */
  listenerOf(pod: Pod, port: number, now: Millis, view = this.viewOf(pod)): 'summary' | 'machine' | 'none' {
    const { state, images } = this.options;
    if (readMachine(state, pod)) return 'machine';
    let found: 'machine' | 'none' = 'none';
    for (const { container, endsAt } of runsOf(pod, view.statuses, view.records)) {
      if (endsAt !== undefined) continue;
      const summary = summaryOf(view, container.name, images, state);
      if (!summary) found = 'machine';
      else if (summary.process.listens.includes(port))
        return now >= summary.startedAt + summary.process.readyAfterMs ? 'summary' : 'none';
    }
    return found;
  }

  /** Another process has changed a tree, or a change of it was undone: who uses it is made again. */
  private forgetTree(id: string): void {
    if (!this.shared.delete(id)) return void this.loaded.delete(podOfTree(id));
    for (const [uid, { trees }] of [...this.loaded]) if (trees.has(id)) this.drop(uid);
  }

  /** What a machine has done to a shared tree beyond its record is forgotten with it. */
  private drop(uid: string): void {
    const found = this.loaded.get(uid);
    this.loaded.delete(uid);
    for (const id of found?.trees.shared() ?? []) this.forgetTree(id);
  }
}

/** When the pod's sandbox was there, as far as its status tells. */
function bootTime({ status, metadata }: Pod): Millis {
  const text = status.startTime ?? metadata.creationTimestamp;
  return text ? parseTimestamp(text) : 0;
}
