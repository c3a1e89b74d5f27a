import type { Millis } from '../machinery/time/time.js';
import type { Bytes } from './bytes.js';
import { settleStress } from './cgroup/stress.js';
import type { CgroupLimits, ContainerSpec, ContainerView } from './container.js';
import { startContainer } from './containers/start.js';
import { setTrouble } from './containers/trouble.js';
import { removeContainer, viewContainer } from './containers/view.js';
import { SystemError } from './errno.js';
import type { FileTree } from './files/tree.js';
import { NO_NETWORK, type Network } from './network.js';
import type { Programs } from './process/program.js';
import { sendSignal } from './process/signal.js';
import { restoreState, saveState } from './save.js';
import { Rounds } from './rounds/rounds.js';
import type { SavedMachine } from './saved.js';
import { nextWake } from './scheduler/next.js';
import { runAlone } from './scheduler/run.js';
import { endInput, hangUp, outputOf, sendInput } from './sessions/client.js';
import { openAttach, openExec, openStream, type AttachRequest, type ExecRequest } from './sessions/open.js';
import { acknowledge } from './sessions/output.js';
import type { Session, SessionOutput, TerminalSize } from './sessions/session.js';
import type { Signal } from './signals.js';
import { type Hardware, State } from './state.js';
import { resizeTerminal } from './terminals/input.js';
import { takeTyped } from './terminals/typed.js';
import type { Trouble } from './trouble.js';
import type { World } from './world.js';

export interface MachineOptions {
  /** Unique in its World: the pod's uid. */
  readonly id: string;
  readonly seed: number;
  /** When it was started: for uptime. */
  readonly bootedAt: Millis;
  readonly programs: Programs;
  readonly network?: Network;
  /** What it runs on: 2 processors and 8 GiB by default. */
  readonly hardware?: () => Hardware;
  /** Kernel parameters that are not the node's: 'net.ipv4.ip_forward'. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Other machines that it may be connected to: they run together. */
  readonly world?: World;
  /** Every step is run, also of what goes round for ever: for tests. */
  readonly runsAll?: boolean;
  /** The trees of a saved machine's containers, by their ids. */
  readonly findTree?: (id: string) => FileTree;
}

/** Steps that one call of run() makes at most: one or two seconds of a real machine's time. */
const MAX_STEPS = 1_000_000;

/**
 * What runs of one pod: its containers' processes, open files, terminals and sockets, in virtual time. All of it is
 * plain data between two calls, and looking at it changes nothing. What acts on it takes the time at which it happens:
 * the machine first runs up to it.
 */
export class Machine {
  readonly id: string;
  /** For the World. */
  readonly state: State;
  private readonly world: World | undefined;

  constructor(options: MachineOptions, saved?: SavedMachine) {
    const { id, seed, bootedAt, programs, network = NO_NETWORK, parameters = {} } = options;
    this.id = id;
    this.state = new State(id, seed, bootedAt, programs, network);
    if (options.hardware) this.state.hardware = options.hardware;
    this.world = options.world;
    if (options.runsAll !== true) this.state.rounds = new Rounds();
    this.state.findMachine = (machine) => this.world?.find(machine, this.state.now);
    for (const [name, value] of Object.entries(parameters)) this.state.parameters.set(name, value);
    if (saved !== undefined) restoreState(this.state, saved, options.findTree ?? unknownTree);
  }

  get now(): Millis {
    return this.state.now;
  }

  /** What programs have thrown beside SystemError: faults of theirs, which ended their processes. */
  get faults(): readonly string[] {
    return this.state.faults;
  }

  /** Throws StartFailure with runc's words. */
  start(spec: ContainerSpec, at: Millis): void {
    this.settle(at);
    startContainer(this.state, spec, at);
  }

  /**
   * Runs until nothing is left to do up to a time, together with the machines that it is connected to.
   * @returns false when the steps of one call were used up before: call again
   */
  run(until: Millis, maxSteps = MAX_STEPS): boolean {
    return this.world === undefined
      ? runAlone(this.state, until, maxSteps)
      : this.world.run(this.state, until, maxSteps);
  }

  /** Runs up to the time at which something acts from outside. */
  private settle(at: Millis): void {
    while (!this.run(at));
    this.state.rounds?.forget();
  }

  /** When something goes on next without input; undefined: only input can change anything. */
  nextWake(): Millis | undefined {
    return nextWake(this.state);
  }

  /** The same of this machine and of those that it is connected to. */
  nextWakeTogether(): Millis | undefined {
    return this.world === undefined ? nextWake(this.state) : this.world.nextWake(this.state);
  }

  /** Until when nothing but the same happens again and again; Rounds.goesUntil. */
  goesRoundUntil(): { readonly until: Millis; readonly isSure: boolean } | undefined {
    return this.state.rounds?.goesUntil();
  }

  /** Whether all that runs in a container's PID namespace was started by its main process. */
  runsAlone(id: string): boolean {
    const main = this.state.processes.get(this.state.containers.get(id)?.main ?? -1);
    if (main === undefined) return false;
    for (const { namespace, session } of this.state.processes.values()) {
      if (namespace === main.namespace && session !== main.session) return false;
    }
    return true;
  }

  /** Throws ENOENT. */
  container(id: string): ContainerView {
    return viewContainer(this.state, id);
  }

  /** A signal from outside to the main process: it cannot ignore KILL. */
  signal(id: string, signal: Signal, at: Millis): void {
    this.settle(at);
    const main = this.state.processes.get(this.state.containers.get(id)?.main ?? -1);
    if (main === undefined) throw new SystemError('ESRCH');
    sendSignal(this.state, main, signal, true);
  }

  /** Another limit of the running container's cgroup, as runc update sets it. Throws ENOENT. */
  setLimits(id: string, { memoryLimit, cpuLimit, cpuShares }: CgroupLimits): void {
    const container = this.state.containers.get(id);
    if (!container) throw new SystemError('ENOENT');
    this.state.rounds?.forget();
    if (container.cpuLimit !== cpuLimit && container.trouble?.stress) settleStress(container, this.state.now);
    container.memoryLimit = memoryLimit;
    container.cpuLimit = cpuLimit;
    container.cpuShares = cpuShares;
  }

  /** What is wrong with a container from now on; undefined: nothing is any more. Throws ENOENT. */
  disturb(id: string, trouble: Trouble | undefined, at: Millis): void {
    this.settle(at);
    const container = this.state.containers.get(id);
    if (!container) throw new SystemError('ENOENT');
    setTrouble(this.state, container, trouble);
  }

  /** Throws ENOENT. */
  troubleOf(id: string): Trouble | undefined {
    const container = this.state.containers.get(id);
    if (!container) throw new SystemError('ENOENT');
    return container.trouble;
  }

  /** Kills what is left of a container, and forgets it with its sessions. */
  remove(id: string, at: Millis): void {
    this.settle(at);
    removeContainer(this.state, id);
  }

  /** Starts a process beside the main one. Throws StartFailure with runc's words. Returns the session's id. */
  exec(id: string, request: ExecRequest, at: Millis): string {
    this.settle(at);
    return openExec(this.state, id, request).id;
  }

  /** A session with the main process' own streams: output from now on. Throws StartFailure. */
  attach(id: string, request: AttachRequest, at: Millis): string {
    this.settle(at);
    return openAttach(this.state, id, request).id;
  }

  /** A stream from outside to a port of an address of the machine; `from`: who connects. Throws ECONNREFUSED. */
  connect(port: number, at: Millis, address = '0.0.0.0', from?: string): string {
    this.settle(at);
    return openStream(this.state, port, address, from).id;
  }

  /** How many bytes were taken: not all when nobody reads. */
  input(session: string, bytes: Bytes, at: Millis): number {
    this.settle(at);
    return sendInput(this.state, this.session(session), bytes);
  }

  closeInput(session: string, at: Millis): void {
    this.settle(at);
    endInput(this.state, this.session(session));
  }

  resize(session: string, size: TerminalSize, at: Millis): void {
    this.settle(at);
    const terminal = this.state.terminals.get(this.session(session).terminal ?? -1);
    if (terminal !== undefined) resizeTerminal(this.state, terminal, size);
  }

  /** The client is gone: SIGHUP on a terminal, EPIPE on pipes, a closed connection. */
  hangUp(session: string, at: Millis): void {
    this.settle(at);
    hangUp(this.state, this.session(session));
  }

  output(session: string): SessionOutput {
    return outputOf(this.state, this.session(session));
  }

  /** The client has the bytes up to these offsets: they are dropped and make room. */
  acknowledge(session: string, stdoutTo: number, stderrTo: number): void {
    this.state.rounds?.forget();
    acknowledge(this.state, this.session(session), stdoutTo, stderrTo);
  }

  /** Lines that were typed on the session's terminal, and entered, since the last time. */
  takeTyped(session: string): Bytes[] {
    const lines = takeTyped(this.state, session);
    if (lines.length > 0) this.state.rounds?.forget();
    return lines;
  }

  /** False for a session that the client has hung up, and that is over. */
  hasSession(session: string): boolean {
    return this.state.sessions.has(session);
  }

  /** Throws ENOENT. */
  private session(id: string): Session {
    const session = this.state.sessions.get(id);
    if (session === undefined) throw new SystemError('ENOENT');
    return session;
  }

  save(): SavedMachine {
    return saveState(this.state);
  }
}

function unknownTree(): never {
  throw new SystemError('ENOENT');
}
