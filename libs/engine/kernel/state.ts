import type { Millis } from '../machinery/time/time.js';
import type { Track } from './conntrack/track.js';
import type { Container } from './container-state.js';
import type { Description, Pipe } from './descriptors/description.js';
import type { FileSystem } from './files/file-system.js';
import type { MountTable } from './files/mounts.js';
import type { Network, Remote } from './network.js';
import type { PidNamespace, Process } from './process/process.js';
import type { Programs, Wait } from './process/program.js';
import type { Syscalls } from './process/syscalls.js';
import { Timers } from './scheduler/timers.js';
import type { Session } from './sessions/session.js';
import type { LoggedQuestion } from './sockets/logged-question.js';
import type { Socket } from './sockets/socket.js';
import type { Terminal } from './terminals/terminal.js';

/** Numbers that are given out next. */
export interface Counters {
  process: number;
  description: number;
  pipe: number;
  terminal: number;
  socket: number;
  session: number;
  port: number;
}

/** Watches what runs, to find out that it goes round (rounds/rounds.ts). */
export interface RoundFinder {
  /** Something acts on the machine from outside. */
  forget(): void;
  /** A process has had its turn, goes on at once, and nobody else could. */
  atHead(state: State, main: Process, until: Millis): void;
  /** Until when a machine goes round as it does; undefined: that is not known. `isSure`: for ever. */
  goesUntil(): { readonly until: Millis; readonly isSure: boolean } | undefined;
  beginTurn(state: State, process: Process): void;
  endTurn(state: State, process: Process, wait: Wait | undefined): void;
  /** The timer of a process has fired. */
  noteTimer(state: State, process: Process): void;
  /** The system calls of a process whose turn is being recorded; undefined: nothing is. */
  callsOf(state: State, process: Process): Syscalls | undefined;
}

/** The computer under all containers: their own limits are in their cgroups. */
export interface Hardware {
  readonly cpus: number;
  /** Bytes. */
  readonly memory: number;
  /** The share (0 to 1) of a resource that something beside this machine takes at a time; absent: nothing does. */
  readonly taken?: (resource: SharedResource, at: Millis) => number;
}
export type SharedResource = 'memory' | 'disk' | 'inodes' | 'pids';
const COMPUTER: Hardware = { cpus: 2, memory: 8 * 1024 ** 3 };

/** All tables of one machine. The first part is data and is written down; the second is made again from it. */
export class State {
  now: Millis;
  /** Charged steps that are no whole ms yet. */
  steps = 0;
  readonly counters: Counters = {
    process: 1,
    description: 1,
    pipe: 1,
    terminal: 0,
    socket: 1,
    session: 1,
    port: 32_768,
  };
  readonly processes = new Map<number, Process>();
  readonly namespaces = new Map<string, PidNamespace>();
  readonly containers = new Map<string, Container>();
  readonly descriptions = new Map<number, Description>();
  readonly pipes = new Map<number, Pipe>();
  readonly terminals = new Map<number, Terminal>();
  readonly sockets = new Map<number, Socket>();
  readonly sessions = new Map<string, Session>();
  /** Kernel parameters that were changed: 'net.ipv4.ip_forward'. */
  readonly parameters = new Map<string, string>();
  /** When it was last put into a list of clients of its network. */
  readonly visits = new Map<string, Millis>();
  /** Connections that it has begun, by their socket's id, also when that is closed. */
  readonly tracks = new Map<number, Track>();
  /** What name servers have logged of its questions, the latest. */
  questions: LoggedQuestion[] = [];
  /** Processes that may run, in their order. */
  ready: number[] = [];

  readonly timers = new Timers();
  /** Ids of children by the id of their parent. */
  readonly children = new Map<number, Set<number>>();
  /** Processes by the channel that they wait for. */
  readonly waiters = new Map<string, Set<number>>();
  /** The channels that a process waits for. */
  readonly channels = new Map<number, readonly string[]>();
  readonly trees = new Map<string, FileSystem>();
  /** Mount tables by container. */
  readonly mounts = new Map<string, MountTable>();
  /** What a folder that chroot has made a root shows of them, by container and folder. */
  readonly roots = new Map<string, MountTable>();
  /** Hosts that are no machines, by the socket that is connected to them. */
  readonly remotes = new Map<number, Remote>();
  hardware: () => Hardware = () => COMPUTER;
  /** The World's other machines. */
  findMachine: (id: string) => State | undefined = () => undefined;
  /** The process whose step is run. */
  current: Process | undefined;
  /** Steps that the current step of the current process has charged. */
  charged = 0;
  /** Something has taken or given back memory since the limits were last looked at. */
  isMemoryChanged = false;
  /** Steps that this call of run() may still make. */
  budget = 0;
  /** Nothing from outside acts on the machine before. */
  horizon: Millis = 0;
  /** What is known of rounds that processes go; undefined: each is run. */
  rounds: RoundFinder | undefined;
  /** Sockets of packets among the sockets. */
  captures = 0;
  /** Failures of programs, for their authors. */
  readonly faults: string[] = [];

  constructor(
    readonly id: string,
    readonly seed: number,
    readonly bootedAt: Millis,
    readonly programs: Programs,
    /** What the machine is plugged into. */
    private readonly plugged: Network,
  ) {
    this.now = bootedAt;
  }

  /** The network as who asks has it: a process may have gone to another namespace of the host. */
  get network(): Network {
    const name = this.current?.networkNamespace;
    return (name === undefined ? undefined : this.plugged.enter?.(name)) ?? this.plugged;
  }
}
