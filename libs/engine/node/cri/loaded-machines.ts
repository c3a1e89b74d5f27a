import type { Pod } from '../../api/core_v1.js';
import { joinLive } from '../../kernel/files/join-live.js';
import type { LiveFiles } from '../../kernel/files/live.js';
import { readCgroupFile } from '../../kernel/proc/cgroup.js';
import type { FileRow, FileTree } from '../../kernel/files/tree.js';
import { Machine, type MachineOptions } from '../../kernel/machine.js';
import { viewState } from '../../kernel/save.js';
import { World } from '../../kernel/world.js';
import { FileChanges, Pods } from '../../kinds/index.js';
import type { FileChange } from '../../kinds/terrarium/filechange/kind.js';
import type { Client } from '../../machinery/client.js';
import type { FlowRecord } from '../../machinery/questions/flow.js';
import { keyOf } from '../../machinery/meta/object.js';
import { hash32 } from '../../machinery/random.js';
import type { SocketInfo } from '../../kernel/process/syscalls.js';
import type { Millis } from '../../machinery/time/time.js';
import { CgroupFolders } from '../host/disk/cgroup-folders.js';
import { PodFolders } from '../host/disk/pod-folders.js';
import { recentFlows } from '../trace/flows.js';
import { readPodRuntime } from '../kubelet/pod/pod-runtime.js';
import { sysctlsOf } from '../kubelet/sysctl/allowlist.js';
import { ClusterNetwork } from '../network/cluster-network.js';
import type { Process } from './image.js';
import { BoundedMachine, LOOK_STEPS, SLICE_STEPS } from './looks/bounded-machine.js';
import { KnownCourses } from './looks/known-courses.js';
import { LogReader } from './looks/log-reader.js';
import { Mode } from './looks/mode.js';
import { connectedMachines, type Connected } from './looks/tracks.js';
import { MachinesAside } from './looks/machines-aside.js';
import { Turns } from './looks/turns.js';
import { contactsOf } from './pods/contacts.js';
import { faultedRuns } from './pods/faulted-runs.js';
import { follow, forgetCourse, isUsable, runAtMost, runUntil, type RunMachine } from './pods/follow.js';
import { listSockets } from './pods/ports/listed-sockets.js';
import { findListener, findNameServer, type Listener } from './pods/ports/listeners.js';
import { hardwareOf } from './pods/hardware.js';
import {
  askedTime,
  newLoadedMachine,
  stateToStore,
  type LoadedMachine,
  type StoredPod,
} from './pods/loaded-machine.js';
import { machineNetwork, type Contacts } from './pods/machine-network.js';
import { machinePrograms } from './pods/machine-programs.js';
import { outlivesPods, PodTrees, podOfTree } from './pods/pod-trees.js';
import type { MachinesOptions, PodView } from './pods/pod-view.js';
import { bootTime } from './pods/run-starts.js';
import { imageFilesOf } from './pods/start-spec.js';
import { runtimeStatuses } from './records/course.js';
import { storeRows } from './records/file-record.js';
import { readRecord, storeMachine, type MachineRecord } from './records/machine-record.js';
import { findUnlisted } from './sandboxes/sandbox-pod.js';

/** Loaded machines of one cluster; the least recently used one is made again when somebody looks. */
const MAX_LOADED = 500;
/** A machine that is not further behind needs no run ahead before something acts on it. */
const NEAR: Millis = 50;

/**
 * The machines of one cluster's pods. A machine is made when somebody looks into its pod: from its record, or from what
 * the pod's status tells of its containers. From there its course is a function of time, so that it is kept here only
 * to save work; what acts on it is stored (`store`).
 */
export class LoadedMachines {
  readonly network: ClusterNetwork;
  /** By the pod's uid; the one that was used last is the last. */
  private readonly loaded = new Map<string, LoadedMachine>();
  private readonly aside = new MachinesAside();
  /** Trees that several pods may mount. */
  private readonly shared = new Map<string, FileTree>();
  /** Machines that are connected run together. */
  private readonly world = new World(
    (id, at) => this.findMachine(id, at),
    (states, at) => states.forEach(({ id, now }) => this.noteRun(id, at, now)),
  );
  protected readonly mode = new Mode();
  /** By the pod's uid, and the time of the look or what is tried out in it. */
  readonly turns = new Turns();
  private isStoring = false;
  private readonly contacts: Contacts;
  /** The time of the last look from outside of all machines. */
  private lookedAt: Millis = 0;
  private readonly logs: LogReader;
  protected readonly courses: KnownCourses;

  constructor(readonly options: MachinesOptions) {
    const { state } = options;
    this.courses = new KnownCourses(options);
    this.network = new ClusterNetwork(state, { issuer: options.issuer, kubeletPort: options.kubeletPort });
    const { network, mode, world } = this;
    this.contacts = contactsOf({
      ...{ network, mode, world, options },
      loadedOf: (uid) => this.loaded.get(uid),
      listenerOf: (pod, port, now) => this.listenerOf(pod, port, now),
      nameServerOf: (pod, now) => this.nameServerOf(pod, now),
      connected: (now) => this.connected(now),
      socketsOf: (pod, now) => this.socketsOf(this.viewOf(pod), now),
    });
    this.logs = new LogReader(
      options,
      (pod) => this.viewOf(pod),
      (view) => this.besides(view),
    );
    state.observe(state.resourceOf(FileChanges), (old, next) => {
      if (!this.isStoring) this.forgetTree(((next ?? old) as FileChange).tree);
    });
    state.observe(state.resourceOf(Pods), (old, next) => {
      if (old && !next) this.release(old.metadata.uid ?? '');
    });
  }

  private socketsOf(view: PodView, now: Millis): SocketInfo[] {
    return listSockets(view, now, this.options, () => this.mode.besides(() => this.look(view, now)));
  }

  /** The pod as its stored status and PodRuntime tell. */
  viewOf(pod: Pod): PodView {
    const records = readPodRuntime(this.options.state, pod)?.containers ?? {};
    return { pod, statuses: runtimeStatuses(pod, records), records };
  }

  /** The machine of a pod as it is at a time. Throws UnfinishedWork when it has much to do until then. */
  at(view: PodView, now: Millis): LoadedMachine {
    // A sync may look at its pod before and after it has changed it: one look's end is not that of the other.
    const turn = `${view.pod.metadata.uid ?? ''} ${now}`;
    const run = this.mustFinish(turn) ? runUntil : runAtMost(SLICE_STEPS);
    const { loaded, isThere } = this.bringTo(view, now, run);
    if (!isThere) throw this.turns.leave(turn);
    return loaded;
  }

  /** The same, or as it is at an earlier time when it has much to do until then: the next look goes on from there. */
  look(view: PodView, now: Millis): LoadedMachine {
    return this.bringTo(view, now, runAtMost(LOOK_STEPS)).loaded;
  }

  /** Whether somebody has looked into a pod, or a program has asked it. */
  protected hasLoaded({ metadata: { uid = '' } }: Pod): boolean {
    return this.loaded.has(uid);
  }

  /** The machine of a pod one of whose processes is in the middle of a step. */
  protected inStepOf({ metadata: { uid = '' } }: Pod): LoadedMachine | undefined {
    return this.loaded.get(uid);
  }

  private bringTo(view: PodView, now: Millis, run: RunMachine): { loaded: LoadedMachine; isThere: boolean } {
    const uid = view.pod.metadata.uid ?? '';
    if (!this.mode.isInStep && !this.world.isStepping) this.lookedAt = now;
    let found = this.loaded.get(uid);
    const record = readRecord(this.options.state, view.pod, found?.record);
    const runs = faultedRuns(this.options.state, view);
    const fits = (one: LoadedMachine): boolean => isUsable(one, record, runs, now);
    const least = found && fits(found) ? found.machine.now : -Infinity;
    const isFurther = ({ machine, runs: begun }: LoadedMachine): boolean =>
      machine.now > least || (machine.now === least && begun.size > (found?.runs.size ?? 0));
    const other = this.aside.take(uid, runs, (one) => fits(one) && isFurther(one));
    if (!found || other || least === -Infinity) {
      this.drop(uid);
      if (found) this.aside.keep(uid, found);
      found = other ?? this.make(view, record);
    }
    this.loaded.delete(uid);
    this.loaded.set(uid, found);
    if (this.loaded.size > MAX_LOADED) this.drop(this.loaded.keys().next().value ?? '');
    found.trees.refresh(view, now);
    found.seen = this.storedOf(view.pod);
    const before = found.trees.sharedMutations();
    const isThere = follow(found, view, runs, now, run, this.options);
    if (found.trees.sharedMutations() !== before) found.hasSharedWrites = true;
    return { loaded: found, isThere };
  }

  /** Whether a piece of work has to come to its end however long that takes. */
  mustFinish(turn: string): boolean {
    return this.mode.isActing || this.mode.isInStep || this.world.isStepping || this.turns.isOverdue(turn);
  }

  /** A machine that goes its own way from here on. */
  copyOf(view: PodView, { machine, trees }: LoadedMachine): BoundedMachine {
    return new BoundedMachine({ ...this.optionsOf(view), findTree: (id) => trees.copy(id) }, viewState(machine.state));
  }

  /** Whether a program of the pod is in the middle of a step. */
  isAtWork({ metadata }: Pod): boolean {
    return this.world.isAtWork(metadata.uid ?? '');
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
    return this.mode.acting(() => use(this.at(view, now)));
  }

  /**
   * Writes a machine that was acted on down, and the files that it has changed. `taken`: rows that a tree has given.
   * `kept`: nothing has acted on it, and so often it was written down for what it has done by itself.
   */
  store(
    client: Client,
    pod: Pod,
    loaded: LoadedMachine,
    { taken, kept }: { readonly taken?: ReadonlyMap<string, FileRow[]>; readonly kept?: number } = {},
  ): void {
    const sharers: LoadedMachine[] = [];
    this.isStoring = true;
    try {
      const state = stateToStore(loaded, kept);
      const changes = loaded.trees.takeChanges(taken);
      const touchesFiles = changes.some(({ rows }) => rows.length > 0);
      loaded.record = storeMachine(client, pod, state, loaded.record, touchesFiles);
      // From here on it follows from the record.
      loaded.hasContacts = false;
      for (const { tree, owner, rows } of changes) {
        storeRows(client, tree.id, owner, rows);
        if (rows.length > 0 && outlivesPods(tree.id)) sharers.push(...this.sharersOf(tree.id));
      }
      loaded.hasSharedWrites = false;
    } finally {
      this.isStoring = false;
    }
    this.storeSharers(client, sharers);
    this.storePeers(client);
  }

  private sharersOf(id: string): LoadedMachine[] {
    return [...this.loaded.values()].filter(({ trees }) => trees.has(id));
  }

  /**
   * A tree that several machines have open was written down: what was known of their courses does not hold any more,
   * and those whose writes were among it must not do them again.
   */
  private storeSharers(client: Client, sharers: readonly LoadedMachine[]): void {
    for (const sharer of sharers) {
      forgetCourse(sharer);
      const pod = sharer.hasSharedWrites ? this.findPod(sharer.machine.id) : undefined;
      if (pod) this.store(client, pod, sharer, { kept: (sharer.record?.kept ?? 0) + 1 });
    }
  }

  /** Writes rows of a tree that machines may share, from outside of them: those that have it open see what they say. */
  writeShared(id: string, write: () => readonly FileRow[]): void {
    const { isStoring } = this;
    this.isStoring = true;
    try {
      const rows = write();
      this.shared.get(id)?.adopt(rows);
    } finally {
      this.isStoring = isStoring;
    }
  }

  /** What a machine asked of others is part of their course, too. */
  private storePeers(client: Client): void {
    for (const uid of this.mode.takePeers()) {
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
    const found = known && (findUnlisted(state, keyOf(known)) ?? state.get(Pods, keyOf(known)));
    return found?.metadata.uid === uid ? found : state.list(Pods).find((p) => p.metadata.uid === uid);
  }

  private make(view: PodView, record: MachineRecord | undefined): LoadedMachine {
    const { images, state } = this.options;
    const options = {
      ...this.options,
      flows: (now: Millis) => this.flowsBefore(now),
      podFolders: (node: string, at?: Millis) => this.podFolders(node, at),
    };
    const trees = new PodTrees(view, options, this.shared, (at, id) => imageFilesOf(at, id, images, state));
    const machine = new Machine(
      { ...this.optionsOf(view, () => trees.latestView), world: this.world, findTree: (id) => trees.find(id) },
      record?.machine(),
    );
    return newLoadedMachine(machine, trees, record);
  }

  /** `latest`: a machine lasts, and containers start in it of which its first view knew nothing. */
  protected optionsOf(view: PodView, latest = (): PodView => view): Omit<MachineOptions, 'findTree'> {
    const { seed, state } = this.options;
    const { pod } = view;
    const uid = pod.metadata.uid ?? '';
    return {
      id: uid,
      seed: hash32(`${seed}/${uid}`),
      bootedAt: bootTime(pod),
      programs: machinePrograms(this.options, latest),
      network: machineNetwork(pod, this.contacts, this.options),
      parameters: sysctlsOf(pod),
      hardware: () => hardwareOf(state, pod),
    };
  }

  private noteRun(uid: string, asked: Millis, reached: Millis): void {
    const loaded = this.loaded.get(uid);
    if (loaded) loaded.ranTo = { asked, reached };
  }

  private findMachine(uid: string, at: Millis): Machine | undefined {
    const pod = this.findPod(uid);
    if (pod) this.mode.addPeer(uid);
    return pod && this.at(this.latestViewOf(pod), at).machine;
  }

  /** A sync that is under way may have started a container of which nothing is stored yet. */
  private latestViewOf(pod: Pod): PodView {
    const known = this.loaded.get(pod.metadata.uid ?? '');
    const stored = this.storedOf(pod);
    const isLatest = known?.seen?.pod === stored.pod && known?.seen?.runtime === stored.runtime;
    return isLatest && known ? known.trees.latestView : this.viewOf(pod);
  }

  private storedOf(pod: Pod): StoredPod {
    const { state } = this.options;
    return { pod: state.get(Pods, keyOf(pod)), runtime: readPodRuntime(state, pod) };
  }

  /** The machines that may have begun connections, as they are at a time: a look that writes nothing down. */
  connected(now: Millis): Connected[] {
    return connectedMachines(
      this.options,
      this.courses,
      (pod) => this.viewOf(pod),
      (view) => this.world.running(view.pod.metadata.uid ?? '') ?? this.at(view, now).machine.state,
    );
  }

  /** What its pods have left on a node's disk, at a time or at that of the program that reads. */
  private podFolders(node: string, at?: Millis): LiveFiles {
    const common = { read: this.options.state, node, now: () => at ?? this.world.clock ?? this.lookedAt };
    const folders = new PodFolders({
      ...common,
      logFiles: (pod, id, now) => this.logs.files(pod, id, now),
      volume: (pod, name) => this.besides(this.viewOf(pod)).trees.volume(name),
    });
    const cgroups = new CgroupFolders({
      ...common,
      cgroupFile: (pod, id, name) => readCgroupFile(this.besides(this.viewOf(pod)).machine.state, id, name),
    });
    return joinLive(folders, cgroups);
  }

  /** Another pod's machine for a program that reads what it has left: it is not behind, and nothing acts on it. */
  private besides(view: PodView): LoadedMachine {
    const uid = view.pod.metadata.uid ?? '';
    const known = this.loaded.get(uid);
    if (known && (this.world.isAtWork(uid) || this.world.running(uid))) return known;
    return this.mode.besides(() => this.at(view, Math.max(this.lookedAt, known ? askedTime(known) : 0)));
  }

  /** For programs that show them. */
  private flowsBefore(now: Millis): readonly FlowRecord[] {
    return this.mode.inStep(() => recentFlows(this, this.options.state, now));
  }

  /** What is at a port of a pod: NetworkOptions. */
  listenerOf(pod: Pod, port: number, now: Millis, view = this.viewOf(pod)): Listener {
    return findListener(view, port, now, this.options);
  }

  /** The process of a pod that answers questions for names now: NetworkOptions. */
  nameServerOf(pod: Pod, now: Millis): Process | undefined {
    return findNameServer(this.viewOf(pod), now, this.options);
  }

  /** Another process has changed a tree, or a change of it was undone: who uses it is made again. */
  private forgetTree(id: string): void {
    if (!this.shared.delete(id)) {
      const uid = podOfTree(id);
      this.aside.forget(uid);
      return void this.loaded.delete(uid);
    }
    for (const [uid, { trees }] of [...this.loaded]) if (trees.has(id)) this.drop(uid);
  }

  /** Nobody looks into a pod that is gone. */
  private release(uid: string): void {
    if (this.loaded.get(uid)?.hasSharedWrites) return;
    this.aside.forget(uid);
    this.loaded.delete(uid);
  }

  /**
   * A pod's machine is made again when somebody looks; what it has done to a shared tree beyond its record is forgotten
   * with it.
   */
  protected drop(uid: string): void {
    const found = this.loaded.get(uid);
    this.aside.forget(uid);
    this.loaded.delete(uid);
    for (const id of found?.trees.shared() ?? []) this.forgetTree(id);
  }
}
